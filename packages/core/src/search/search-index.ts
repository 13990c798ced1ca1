// What every index can do with any rows: for code that does not know which index it has. Methods take dense or
// sparse rows, or texts; an index takes one of these. If you hold an index of unknown kind, call `requireVectors` first.

import type { NetRows } from '../data/given/net-rows.ts'
import type { DenseItems, SparseItems } from '../data/given/rows.ts'
import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { LongWork } from '../long-work.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { DenseVector, SparseVector } from '../matrix/given-vector.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { TextRows } from '../matrix/text-rows.ts'
import {
  checkedLater,
  checkFunction,
  checkObject,
  checkText,
  checkThreads,
  checkWord,
  optionTable,
  refuse,
  workChecks,
} from '../options.ts'
import type { AtomicWriteOptions } from '../store/files/write-options.ts'
import type { ModelContents } from '../store/header.ts'
import type { Neighbor } from './neighbor.ts'
import type { NeighborBatch } from './neighbor-batch.ts'

/** How the numbers of a row are kept: all of them, or those that are not zero. Or it is a text, and has none. */
export type VectorLayout = 'dense' | 'sparse' | 'text'
/** One row, of any layout. */
export type Vector = DenseVector | SparseVector | string
/** Rows of any layout. */
export type Vectors = DenseMatrix | SparseMatrix | TextRows
/** Rows in any form you may have them: arrays of vectors or texts, objects with ids, or a data set. */
export type VectorItems = Vectors | DenseItems | SparseItems | NetRows

/** Options of one search, by name: `k`, and those that trade recall for time. */
export type QueryOptions = Readonly<Record<string, unknown>> & { readonly k?: number }

/** Options of `searchBatch` of any index. */
export interface VectorBatchOptions extends LongWork {
  /** How many neighbors of each query. Default 10. */
  readonly k?: number
  /** Worker threads. Default: one per core. The answer does not depend on it. */
  readonly threads?: number
}

export const vectorBatchOptions = optionTable<VectorBatchOptions>({
  ...{ k: checkedLater, threads: checkThreads },
  ...workChecks,
})

/** What every index can do, for programs that do not know which one they hold. */
export interface SearchIndex {
  readonly metric: string
  /** The layout of its rows, if that differs between indexes of its kind. */
  readonly layout?: string
  /** Rows that can be found. */
  readonly rows: number
  /** Internal row numbers in use, holes included. */
  readonly rowNumbers: number
  /** The id of an internal row; undefined if it was removed. */
  idOf(row: number): Id | undefined
  /** The internal row of an id; undefined if the id is unknown. */
  rowOf(id: Id): number | undefined
  /** The nearest items of one query, nearest first. */
  search(query: Vector, options?: QueryOptions): Neighbor[]
  /**
   * How many candidate rows `search` compares with these options. Absent if it compares all, or does not report it.
   */
  searchCandidates?(query: Vector, options?: QueryOptions): number
  /** The nearest items of many queries. */
  searchBatch(queries: VectorItems, options?: VectorBatchOptions): Promise<NeighborBatch>
  /** Everything a model file stores. */
  contents(): ModelContents
  /** Writes the index to a file. */
  save(path: string, options?: AtomicWriteOptions): Promise<void>
  /** The bytes that `save` would write, to store in IndexedDB or to send. Read them with `fromBytes`. */
  toBytes(): Uint8Array<ArrayBuffer>
  /** Frees the memory. Every later call throws. */
  free(): void
}

/** Refuses anything that is not an index, such as one that was not awaited. */
export function checkIndex(index: SearchIndex): void {
  checkObject('index', index, 'an index')
  for (const part of ['search', 'searchBatch', 'rowOf', 'contents'] as const)
    checkFunction(`index.${part}`, index[part])
}

/** Refuses what are not vectors in a matrix. */
export function checkVectors(name: string, vectors: unknown): void {
  const known = [DenseMatrix, SparseMatrix, TextRows].some(type => vectors instanceof type)
  if (!known) refuse(name, vectors, 'a DenseMatrix, a SparseMatrix or TextRows')
}

const layoutHints: Readonly<Record<VectorLayout, string>> = {
  dense: 'Give all numbers of each vector, for example [1, 0, 2].',
  sparse: 'Give sparse vectors: { indices, values } or [feature, value] pairs.',
  text: 'Give texts.',
}

/** Whether vectors are dense, sparse or texts. */
export function layoutOf(vectors: Vectors): VectorLayout {
  checkVectors('vectors', vectors)
  if (vectors instanceof TextRows) return 'text'
  return vectors instanceof SparseMatrix ? 'sparse' : 'dense'
}

/**
 * Dense vectors as 32-bit floats, sparse ones as they are. Refuses the layout that `taker` does not take; `what` is what
 * the message calls the vectors.
 */
export function requireVectors(
  vectors: Vectors,
  layout: VectorLayout,
  taker: string,
  what: string = 'the vectors',
): Vectors {
  checkWord('layout', layout, ['dense', 'sparse', 'text'])
  checkText('taker', taker)
  checkText('what', what)
  if (layoutOf(vectors) !== layout) {
    throw new EngineError('BAD_DATA', `${what} are ${layoutOf(vectors)}, ${taker} takes ${layout} ones`, {
      hint: layoutHints[layout],
    })
  }
  if (!(vectors instanceof DenseMatrix) || vectors.values instanceof Float32Array) return vectors
  return new DenseMatrix(vectors.rows, vectors.columns, vectors.toFloat32())
}
