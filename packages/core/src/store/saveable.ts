// How an index, a classifier or a memory is saved and loaded: as a file, or as bytes if there are no files.

import { Owned } from '../kernels/owned.ts'
import { begunInTurns, finish, type LongWork, type Steps } from '../long-work.ts'
import { refuse } from '../options.ts'
import { readModel, saveContents } from './files/model-file.ts'
import type { AtomicWriteOptions } from './files/write-options.ts'
import type { ModelContents } from './header.ts'
import { contentsOfBytes, type ModelBytes } from './open-model.ts'
import { joinedInSteps } from './packed-strings.ts'
import { encodeModel } from './write-model.ts'

/** The steps of `contentSteps`, which only this file sees. */
let stepsOf: (model: Saveable) => Steps<ModelContents>

/** What every index, classifier and memory is: something that can be saved, and that holds memory. */
export abstract class Saveable extends Owned {
  static {
    stepsOf = model => model.contentSteps()
  }

  /** Everything a model file stores. */
  abstract contents(): ModelContents

  /** The same in steps, as it is when the first one is taken. */
  // biome-ignore lint/correctness/useYield: all of it is one step
  protected *contentSteps(): Steps<ModelContents> {
    return this.contents()
  }

  /** Writes a model file. Refuses to replace a file, unless `overwrite` is true. */
  async save(path: string, options: AtomicWriteOptions = {}): Promise<void> {
    await saveContents(path, () => this.contentSteps(), options)
  }

  /** The bytes that `save` would write, to store in IndexedDB or to send. `fromBytes` reads them. */
  toBytes(): Uint8Array<ArrayBuffer> {
    return finish(joinedInSteps(encodeModel(this.contents())))
  }
}

/** The contents in steps, as they are when the first one is taken: for what stores a model within its own. */
export function contentStepsOf(model: Saveable): Steps<ModelContents> {
  return stepsOf(model)
}

/** Everything a model file stores, as it is now, collected while other code runs; if `ready` is given, not before that resolves. */
export async function contentsInTurns(
  model: Saveable,
  work: LongWork = {},
  ready?: Promise<unknown>,
): Promise<ModelContents> {
  return begunInTurns(stepsOf(model), work, ready)
}

/** What a model file holds, given by its path or as its bytes; and what messages call it. */
export async function contentsOf(source: string | ModelBytes): Promise<{ contents: ModelContents; name: string }> {
  if (typeof source === 'string') return { contents: await readModel(source), name: source }
  if (!(source instanceof ArrayBuffer || source instanceof Uint8Array)) {
    refuse('source', source, 'the path of a model file, or its bytes')
  }
  return { contents: contentsOfBytes(source), name: 'the model' }
}
