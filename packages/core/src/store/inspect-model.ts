// What a model file says about itself, from its header alone: quick for files of any size. The checksum is not verified;
// reading the model does that.

import { readHeader } from './files/model-file.ts'
import { withFile } from './files/open-file.ts'
import { isJsonObject, type Json, type JsonObject } from './json.ts'
import type { Dtype } from './tensor.ts'

/** What `inspectModel` returns. */
export interface ModelFacts {
  readonly method: string
  readonly formatVersion: number
  readonly options: JsonObject
  /** Plain values as they are; lists and objects as their size: '3993 items', '4 fields'. */
  readonly meta: JsonObject
  readonly tensors: readonly TensorFacts[]
  /** Size of the file. */
  readonly bytes: number
}

/** What the header says about a tensor. */
export interface TensorFacts {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  readonly bytes: number
}

/** Reads the header of a model file, without its tensors. */
export async function inspectModel(path: string): Promise<ModelFacts> {
  return withFile(path, async (read, bytes) => {
    const header = await readHeader(read, bytes, path)
    const { method, formatVersion, options, meta, entries } = header
    const tensors = entries.map(({ name, dtype, shape, from, to }) => ({ name, dtype, shape, bytes: to - from }))
    const summary = Object.fromEntries(Object.entries(meta).map(([key, value]) => [key, summarize(value)]))
    return { method, formatVersion, options, meta: summary, tensors, bytes }
  })
}

function summarize(value: Json): Json {
  if (Array.isArray(value)) return `${value.length} items`
  return isJsonObject(value) ? `${Object.keys(value).length} fields` : value
}
