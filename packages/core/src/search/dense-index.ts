// What every index over dense rows can do. Rows are never renumbered behind the caller's back: an added row gets the next
// number, a removed one leaves a hole until compact().

import type { DenseItems, VectorItem } from '../data/given/rows.ts'
import type { Id } from '../ids/id.ts'
import { checkEngine, type Engine } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import type { DenseVector } from '../matrix/given-vector.ts'
import { checkedLater, checkThreads, optionTable, workChecks } from '../options.ts'
import type { AtomicWriteOptions } from '../store/files/write-options.ts'
import type { ModelContents } from '../store/header.ts'
import type { PreparedFilter } from './filters/prepared-filter.ts'
import { checkFilter, type Filter, type ItemFilter, type Neighbor } from './neighbor.ts'
import type { NeighborBatch } from './neighbor-batch.ts'

/** Options of `fit` of every dense index. */
export interface DenseFitOptions extends LongWork {
  /** Default 'euclidean'. 'cosine' refuses rows and queries of zeros: they have no direction. */
  readonly metric?: DenseMetric
  /** Your ids, one per row, all different. Default: the ids of the items, or the row numbers. */
  readonly ids?: readonly Id[]
  /** The engine whose memory holds the index. Default: the shared engine. */
  readonly engine?: Engine
  /** Number of worker threads. Default: one per core. The index is the same for any number. */
  readonly threads?: number
}

/** Options of `search` of dense indexes. */
export interface DenseSearchOptions {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /**
   * Which items may be returned. Default: all. A function that lets few pass is called for every item in every search: prepare it with
   * `filter()` if you use it again.
   */
  readonly filter?: Filter
}

/** Options of `searchBatch` of dense indexes. */
export interface DenseBatchOptions extends LongWork {
  /** How many neighbors of each query. Default 10. */
  readonly k?: number
  /** Worker threads. Default: one per core. The answer does not depend on it. */
  readonly threads?: number
}

export const denseFitChecks = Object.freeze({
  metric: checkedLater,
  ids: checkedLater,
  engine: checkEngine,
  threads: checkThreads,
  ...workChecks,
})
export const denseFitOptions = optionTable<DenseFitOptions>(denseFitChecks)
export const denseSearchOptions = optionTable<DenseSearchOptions>({ k: checkedLater, filter: checkFilter })
export const denseBatchOptions = optionTable<DenseBatchOptions>({
  ...{ k: checkedLater, threads: checkThreads },
  ...workChecks,
})

/** What every index of dense vectors can do. */
export interface DenseIndex {
  /** The name of the method, as stored in the model file: 'exact', 'forest'. */
  readonly kind: string
  readonly metric: DenseMetric
  /** Dimensions of rows and queries. */
  readonly dims: number
  /** Number of rows, without removed ones. */
  readonly rows: number
  /** Internal row numbers in use, including the holes of removed rows. Every row number is below this. */
  readonly rowNumbers: number
  /** The id of an internal row; undefined if it was removed. */
  idOf(row: number): Id | undefined
  /** The internal row of an id; undefined if the id is unknown. */
  rowOf(id: Id): number | undefined
  /** The k nearest items, best first; ties in row order. Returns fewer if the index has fewer. */
  search(query: DenseVector, options?: DenseSearchOptions): Neighbor[]
  /**
   * Evaluates a filter on all items once, so that later searches do not have to. Use it for filters you use again. Items added later are
   * evaluated when they are first searched. A set is copied.
   */
  filter(filter: ItemFilter): PreparedFilter
  /**
   * `search` for many queries, in worker threads. You may change the index in the meantime: answers are for the state when the call began.
   */
  searchBatch(queries: DenseItems, options?: DenseBatchOptions): Promise<NeighborBatch>
  /** Adds a vector or `{ id, vector }` and returns its id (default: its row number). The next search can find it. */
  add(row: DenseVector | VectorItem<DenseVector>, id?: Id): Id
  /** Removes an item. Returns false if the id is unknown. */
  remove(id: Id): boolean
  /** Renumbers rows to close the holes of removed ones. Returns the new number of every old row, or 2³² − 1 if it was removed. */
  compact(): Uint32Array
  /** Everything a model file stores. */
  contents(): ModelContents
  /** Writes a model file. Throws if the file exists, unless you ask to overwrite it. */
  save(path: string, options?: AtomicWriteOptions): Promise<void>
  /** The bytes that `save` would write, to store in IndexedDB or to send. Read them with `fromBytes`. */
  toBytes(): Uint8Array<ArrayBuffer>
  /** Frees the memory, after any running batches. Every later call throws. */
  free(): void
}
