// How an index, a classifier or a memory is saved and loaded: as a file, or as bytes if there are no files.

import { throwIfAborted } from '../errors.ts'
import { defaultEngine, type Engine, type ModelPlace, placeOptions } from '../kernels/engine.ts'
import { Owned, withRoom } from '../kernels/owned.ts'
import { inTurns, type LongWork, type Steps, shortTurn } from '../long-work.ts'
import { checkOptions, type OptionTable, refuse } from '../options.ts'
import { type AtomicWriteOptions, checkWriteOptions } from './atomic-file.ts'
import type { ModelContents } from './header.ts'
import { decodeModel, type MakeRoom, readModel } from './read-model.ts'
import { arrayTypes, elementCount, type TensorArray } from './tensor.ts'
import { encodeModel, writeModel } from './write-model.ts'

/** The bytes of a model file. */
export type ModelBytes = Uint8Array | ArrayBuffer

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
    checkWriteOptions(options)
    const contents = await contentsInTurns(this, { signal: options.signal })
    await writeModel(path, contents, options)
  }

  /** The bytes that `save` would write, to store in IndexedDB or to send. `fromBytes` reads them. */
  toBytes(): Uint8Array<ArrayBuffer> {
    const chunks = encodeModel(this.contents())
    const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of chunks) {
      bytes.set(chunk, at)
      at += chunk.length
    }
    return bytes
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
  throwIfAborted(work.signal)
  const steps = stepsOf(model)
  const first = steps.next()
  if (first.done) return first.value
  try {
    await ready
    return await inTurns(steps, work, { turnMillis: shortTurn })
  } finally {
    steps.return(undefined as never) // ends abandoned work, so that it frees what it holds
  }
}

/** Makes an object of what a model file holds. `name` is what messages call the file. */
type Open<Place, T> = (
  contents: ModelContents,
  options: Place & { readonly engine: Engine; readonly name?: string },
) => T | Promise<T>

/** For `load`: frees unused memory first if there is not enough. */
export async function openFile<Place extends ModelPlace, T>(
  path: string,
  place: Place,
  open: Open<Place, T>,
  table: OptionTable = placeOptions,
  placed?: PlacedTensors,
): Promise<T> {
  checkOptions(place, table)
  if (placed)
    return readPlaced(path, place, placed, (contents, engine) => open(contents, { ...place, engine, name: path }))
  return openIn(place, await readModel(path), open, { name: path })
}

/** Names of the tensors that `open` gives to `Arena.place`, and keeps nowhere else: these are read straight into the engine's memory. */
export type PlacedTensors = (method: string) => readonly string[]

/** Reads a model file, without holding its large tensors in JavaScript's memory on the way if the engine's memory is shared. */
export async function readPlaced<T>(
  path: string,
  { engine = defaultEngine() }: ModelPlace,
  placed: PlacedTensors,
  open: (contents: ModelContents, engine: Engine) => T | Promise<T>,
): Promise<T> {
  return withRoom(engine, async () => {
    const room = engine.arena.within()
    const makeRoom: MakeRoom = ({ name, dtype, shape }, method) => {
      if (!engine.shared || !placed(method).includes(name)) return undefined
      return room.allocateToPlace<TensorArray>(arrayTypes[dtype], elementCount(shape), `"${name}"`)
    }
    try {
      return await open(await readModel(path, makeRoom), engine)
    } finally {
      room.free()
    }
  })
}

/** For `fromBytes`: the same. */
export async function openBytes<Place extends ModelPlace, T>(
  bytes: ModelBytes,
  place: Place,
  open: Open<Place, T>,
  table: OptionTable = placeOptions,
): Promise<T> {
  checkOptions(place, table)
  return openIn(place, contentsOfBytes(bytes), open, {})
}

function openIn<Place extends ModelPlace, T>(
  place: Place,
  contents: ModelContents,
  open: Open<Place, T>,
  named: { readonly name?: string },
): Promise<T> {
  const { engine = defaultEngine() } = place
  return withRoom(engine, () => open(contents, { ...place, engine, ...named }))
}

/** What the bytes of a model file hold. */
export function contentsOfBytes(bytes: ModelBytes): ModelContents {
  return decodeModel(bytes instanceof ArrayBuffer ? new Uint8Array(bytes) : bytes)
}

/** What a model file holds, given by its path or as its bytes; and what messages call it. */
export async function contentsOf(source: string | ModelBytes): Promise<{ contents: ModelContents; name: string }> {
  if (typeof source === 'string') return { contents: await readModel(source), name: source }
  if (!(source instanceof ArrayBuffer || source instanceof Uint8Array)) {
    refuse('source', source, 'the path of a model file, or its bytes')
  }
  return { contents: contentsOfBytes(source), name: 'the model' }
}
