// The options of an inverted index, and what each may be.

import type { Id } from '../../ids/id.ts'
import { checkEngine, type Engine } from '../../kernels/engine.ts'
import type { LongWork } from '../../long-work.ts'
import { checkBoolean, checkedLater, checkThreads, optionTable, workChecks } from '../../options.ts'
import { checkFilter, type Filter } from '../neighbor.ts'
import type { Algorithm } from '../sparse/layout.ts'
import type { SparseMetric } from '../sparse/metric.ts'

/** Options of `InvertedIndex.fit`. */
export interface InvertedOptions {
  /** 'cosine' (default): rows and queries are scaled to length 1. 'dot': their products as they are. */
  readonly metric?: SparseMetric
  /** Your ids, one per row, all different. Default: the ids of the items, or the row numbers. */
  readonly ids?: readonly Id[]
  /** The engine whose memory holds the index. Default: the shared engine. */
  readonly engine?: Engine
  /** For 'partitioned' alone: rows with one of this many highest values of a feature come first. The paper's m. Default 100. */
  readonly partitionBest?: number
  /** Taken for the sake of all indexes, and ignored: the lists are made on this thread. */
  readonly threads?: number
}

/** Options of `InvertedIndex.search`. */
export interface SparseSearchOptions {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /** How to find them: the answer is the same. Default 'auto', the fastest. */
  readonly algorithm?: Algorithm
  /**
   * Which items may be returned. Default: all. A function that lets few pass is called for every item in every search: prepare it with
   * `filter()` if you use it again.
   */
  readonly filter?: Filter
}

/** Options of `InvertedIndex.searchBatch`. */
export interface SparseBatchOptions extends LongWork {
  /** How many neighbors of each query. Default 10. */
  readonly k?: number
  readonly algorithm?: Algorithm
  /** Worker threads. Default: one per core. The answer does not depend on it. */
  readonly threads?: number
  /** Query i is row i of the index, and not its own neighbor: for leave-one-out. Default false. */
  readonly excludeSelf?: boolean
}

export const invertedFitOptions = optionTable<InvertedOptions & LongWork>({
  ...{
    metric: checkedLater,
    ids: checkedLater,
    engine: checkEngine,
    partitionBest: checkedLater,
    threads: checkThreads,
  },
  ...workChecks,
})
export const sparseSearchOptions = optionTable<SparseSearchOptions>({
  ...{ k: checkedLater, algorithm: checkedLater, filter: checkFilter },
})
export const sparseBatchOptions = optionTable<SparseBatchOptions>({
  ...{ k: checkedLater, algorithm: checkedLater, threads: checkThreads, excludeSelf: checkBoolean },
  ...workChecks,
})
