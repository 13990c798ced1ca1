// What every index over dense rows can do. Rows are never renumbered behind the caller's back: an added row gets the next
// number, a removed one leaves a hole until compact().

import type { DenseItems, VectorItem } from '../data/given/rows.ts'
import type { Id } from '../ids/id.ts'
import { checkEngine, type Engine } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import type { DenseVector } from '../matrix/given-vector.ts'
import { checkedLater, checkThreads, optionTable, workChecks } from '../options.ts'
import type { AtomicWriteOptions } from '../store/atomic-file.ts'
import type { ModelContents } from '../store/header.ts'
import type { PreparedFilter } from './filters/prepared-filter.ts'
import { checkFilter, type Filter, type ItemFilter, type Neighbor } from './neighbor.ts'
import type { NeighborBatch } from './neighbor-batch.ts'

/** What every dense index takes when it is fitted. */
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
  /** The method's name, as in its model file: 'exact', 'forest'. */
  readonly kind: string
  readonly metric: DenseMetric
  /** Numbers in every row and query. */
  readonly dims: number
  /** Rows that can be found: those removed do not count. */
  readonly rows: number
  /** Internal row numbers in use, holes of removed rows included: all are below this. */
  readonly rowNumbers: number
  /** The id of an internal row; undefined if it was removed. */
  idOf(row: number): Id | undefined
  /** The internal row of an id; undefined if it is not there. */
  rowOf(id: Id): number | undefined
  /** The k nearest items, best first, ties by row; fewer where there are fewer. */
  search(query: DenseVector, options?: DenseSearchOptions): Neighbor[]
  /**
   * Asks a filter about all items once, so that searches it is passed to need not: for a filter that is used again. Items added later
   * are asked about when they are first searched; a set is copied.
   */
  filter(filter: ItemFilter): PreparedFilter
  /**
   * `search` for many queries, in worker threads. The index may be changed meanwhile: the answers are of before.
   */
  searchBatch(queries: DenseItems, options?: DenseBatchOptions): Promise<NeighborBatch>
  /** Adds a vector, or `{ id, vector }`, which counts at once; returns its id: by default the number of its row. */
  add(row: DenseVector | VectorItem<DenseVector>, id?: Id): Id
  /** Takes an item out, at once; false if there is none with this id. */
  remove(id: Id): boolean
  /** Closes the holes of removed rows. Returns for every old row its new number, 2³² − 1 where it was removed. */
  compact(): Uint32Array
  /** Everything a model file needs. */
  contents(): ModelContents
  /** Writes a model file; refuses to overwrite one unless asked. */
  save(path: string, options?: AtomicWriteOptions): Promise<void>
  /** The bytes of that file: to keep in IndexedDB, or to send. `fromBytes` of the class reads them. */
  toBytes(): Uint8Array<ArrayBuffer>
  /** Gives the memory back; batches under way are finished first. Every other call is refused afterwards. */
  free(): void
}
