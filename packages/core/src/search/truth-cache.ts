// The true neighbors of queries, cached in a file next to the index: computing them takes longer than everything measured against them.
// Invariant: kept neighbors are used only for the very same index file, queries and k. The file's name tells these apart,
// and its contents are compared all the same.

import { EngineError } from '../errors.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { TextRows } from '../matrix/text-rows.ts'
import { checkFunction, checkObject, checkOptions } from '../options.ts'
import { Checksum } from '../store/checksum.ts'
import { readHeader, readModel, writeModel } from '../store/files/model-file.ts'
import { withFile } from '../store/files/open-file.ts'
import type { JsonObject } from '../store/json.ts'
import { bytesOf, tensor1d } from '../store/tensor.ts'
import { checkK } from './neighbor.ts'
import type { NeighborArrays } from './neighbor-batch.ts'
import type { OpenedIndex } from './registry.ts'
import { checkIndex, checkVectors, type VectorBatchOptions, type Vectors, vectorBatchOptions } from './search-index.ts'

/** True neighbors, kept in a file so that they are computed once. */
export interface KeptTruth {
  readonly truth: NeighborArrays
  /** The file beside the index. */
  readonly file: string
  /** 'read': it was there. 'written': it is there now. 'not written': it could not be, which is no error. */
  readonly state: 'read' | 'written' | 'not written'
}

const method = 'truth'

/** The true neighbors of `queries` in the index loaded from `path`: from the file next to it, else computed and put there. */
export async function keptTruth(
  path: string,
  opened: OpenedIndex,
  queries: Vectors,
  options: VectorBatchOptions = {},
): Promise<KeptTruth> {
  checkOptions(options, vectorBatchOptions)
  const { k = 10 } = options
  checkK(k)
  checkObject('opened', opened, 'an opened index')
  const { kind, index } = opened
  checkIndex(index)
  checkFunction('opened.kind.truth', kind?.truth)
  checkVectors('queries', queries)
  const key = { k, index: await describeFile(path), queries: describeVectors(queries) }
  const file = `${path}.truth-${new Checksum().update(new TextEncoder().encode(JSON.stringify(key))).digest()}`
  const kept = await readTruth(file, key, queries.rows)
  if (kept) return { truth: kept, file, state: 'read' }
  const truth = await kind.truth(index, queries, { ...options, k })
  return { truth, file, state: (await writeTruth(file, key, truth, options.signal)) ? 'written' : 'not written' }
}

async function describeFile(path: string): Promise<JsonObject> {
  return withFile(path, async (read, bytes) => {
    const header = await readHeader(read, bytes, path)
    return { checksum: header.checksum, bytes }
  })
}

function describeVectors(vectors: Vectors): JsonObject {
  if (vectors instanceof TextRows) {
    const bytes = new TextEncoder().encode(JSON.stringify(vectors.texts))
    return { checksum: new Checksum().update(bytes).digest(), rows: vectors.rows }
  }
  const { rows, columns, values } = vectors
  const checksum = new Checksum().update(bytesOf(values))
  if (vectors instanceof SparseMatrix) checksum.update(bytesOf(vectors.offsets)).update(bytesOf(vectors.indices))
  return { checksum: checksum.digest(), rows, columns, values: values.constructor.name }
}

/** What is cached under the same key; undefined if there is nothing, or nothing readable. */
async function readTruth(file: string, key: JsonObject, queries: number): Promise<NeighborArrays | undefined> {
  const contents = await readModel(file).catch(error => {
    if (error instanceof EngineError && error.code !== 'INTERNAL') return undefined
    throw error
  })
  if (contents?.method !== method || JSON.stringify(contents.meta.key) !== JSON.stringify(key)) return undefined
  const { rows, distances, counts } = contents.tensors
  // Written by us, as the checksum and the key say.
  return {
    queries,
    k: rows.shape[1],
    rows: rows.array as Uint32Array,
    distances: distances.array as Float32Array,
    counts: counts.array as Uint32Array,
  }
}

/** False if the folder is not writable. */
async function writeTruth(
  file: string,
  key: JsonObject,
  { queries, k, rows, distances, counts }: NeighborArrays,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const shape = [queries, k]
  const tensors = {
    rows: { array: rows, shape },
    distances: { array: distances, shape },
    counts: tensor1d(counts),
  }
  const contents = { method, options: {}, meta: { key }, tensors }
  try {
    await writeModel(file, contents, { overwrite: true, signal })
    return true
  } catch (error) {
    if (error instanceof EngineError && (error.code === 'FILE_ACCESS' || error.code === 'FILE_NOT_FOUND')) return false
    throw error
  }
}
