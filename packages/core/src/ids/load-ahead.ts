// Loading without blocking a page: the ids and other strings of a model file, which take most of the time, are decoded in turns before
// the model is restored. Restoring then finds them ready.

import { throwIfAborted } from '../errors.ts'
import { type LoadOptions, loadOptions, type ModelPlace } from '../kernels/engine.ts'
import { inTurns, type LongWork, type Steps } from '../long-work.ts'
import { openFile, type PlacedTensors, readModel } from '../store/files/model-file.ts'
import type { ModelContents } from '../store/header.ts'
import { contentsOfBytes, type ModelBytes, openBytes } from '../store/open-model.ts'
import { type PackedStrings, unpackStringsInSteps } from '../store/packed-strings.ts'
import { readyAhead } from '../store/ready-ahead.ts'
import type { Tensor } from '../store/tensor.ts'
import { restoreIds } from './id-table.ts'

type Restore<T> = (contents: ModelContents, place: ModelPlace & { readonly name?: string }) => T | Promise<T>

/** For `load`: reads a model file and restores what it holds. */
export function loadFile<T>(
  path: string,
  options: LoadOptions,
  restore: Restore<T>,
  placed?: PlacedTensors,
): Promise<T> {
  return openFile(path, options, afterStrings(restore), loadOptions, placed)
}

/** For `fromBytes`: the same. */
export function loadBytes<T>(bytes: ModelBytes, options: LoadOptions, restore: Restore<T>): Promise<T> {
  return openBytes(bytes, options, afterStrings(restore), loadOptions)
}

/** The contents of a model file, given by its path or its bytes, with all strings ready: for models that need no engine. */
export async function readInTurns(source: string | ModelBytes, work: LongWork): Promise<ModelContents> {
  throwIfAborted(work.signal)
  const contents = typeof source === 'string' ? await readModel(source) : contentsOfBytes(source)
  await readAhead(contents, work)
  return contents
}

function afterStrings<T>(restore: Restore<T>) {
  return async (contents: ModelContents, { signal, ...place }: LoadOptions & { readonly name?: string }) => {
    await readAhead(contents, { signal })
    return restore(contents, place)
  }
}

/** Decodes the strings of a model in turns. What is damaged is left to whoever restores it, and refuses it. */
export function readAhead({ tensors }: ModelContents, work: LongWork): Promise<void> {
  return inTurns(stringSteps(tensors), work)
}

/** The ends of names and texts, such as `texts.ends` beside `texts.bytes`, and of a net's items: `itemEnds` beside `itemBytes`. */
const endsName = /^(.*\.|item)[eE]nds$/

function* stringSteps(tensors: Readonly<Record<string, Tensor>>): Steps<void> {
  for (const [name, { array: ends }] of Object.entries(tensors)) {
    const [, start] = endsName.exec(name) ?? []
    const bytes = (tensors[`${start}bytes`] ?? tensors[`${start}Bytes`])?.array
    // Arrays of other types are refused there.
    if (bytes) yield* readyAhead(bytes, unpackStringsInSteps({ bytes, ends } as PackedStrings))
  }
  const { idBytes, idEnds } = tensors
  if (idBytes && idEnds) yield* readyAhead(idBytes.array, restoreIds(idEnds.array.length, tensors))
}
