// Loading without blocking a page: the ids and other strings of a model file, which take most of the time, are decoded in turns before
// the model is restored. Restoring then finds them ready.

import { type LoadOptions, loadOptions, type ModelPlace } from '../kernels/engine.ts'
import { inTurns, type LongWork, type Steps } from '../long-work.ts'
import type { ModelContents } from '../store/header.ts'
import { unpackAhead } from '../store/packed-strings.ts'
import { type ModelBytes, openBytes, openFile, type PlacedTensors } from '../store/saveable.ts'
import type { Tensor } from '../store/tensor.ts'
import { IdTable } from './id-table.ts'

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

const [bytesEnd, endsEnd] = ['.bytes', '.ends']

function* stringSteps(tensors: Readonly<Record<string, Tensor>>): Steps<void> {
  for (const [name, { array: ends }] of Object.entries(tensors)) {
    if (!name.endsWith(endsEnd)) continue
    const bytes = tensors[`${name.slice(0, -endsEnd.length)}${bytesEnd}`]?.array
    if (bytes instanceof Uint8Array && ends instanceof Float64Array) yield* unpackAhead({ bytes, ends })
  }
  yield* IdTable.restoreAhead(tensors)
}
