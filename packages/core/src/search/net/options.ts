// The options of a net index, and what each may be.

import type { Id } from '../../ids/id.ts'
import type { LongWork } from '../../long-work.ts'
import { checkOwnMetric, type Metric } from '../../nets/metrics/metric.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import {
  checkedLater,
  checkSignal,
  checkText,
  checkThreads,
  checkWhole,
  optionTable,
  workChecks,
} from '../../options.ts'
import { checkFilter, type Filter } from '../neighbor.ts'

/** Options of `NetIndex.fit`. */
export interface NetOptions<Item = MetricItem> extends LongWork {
  /**
   * A name, or your own metric. Vectors: 'euclidean' (default), 'manhattan', 'chebyshev', 'angle', 'jaccard'; dense vectors
   * also 'earth-mover'. Texts: 'levenshtein' (default), 'levenshtein-normalized'.
   */
  readonly metric?: string | Metric<Item>
  /** How many triples of items to check your own metric on; see `metricFault`. Default 300; 0 skips the check. */
  readonly triples?: number
  /** Your ids, one per item, all different. Default: the row numbers. */
  readonly ids?: readonly Id[]
}

export type OwnNetOptions<Item> = NetOptions<Item> & { readonly metric: Metric<Item> }

/** Options of `NetIndex.search`. */
export interface NetSearchOptions {
  /** Number of neighbors. Default 10. */
  readonly k?: number
  /** How much farther than the true neighbors answers may be: 0.1 for a tenth (η). Default 0, exact. Higher is faster. */
  readonly tolerance?: number
  /**
   * Which items may be returned. Default: all. A function that lets few pass is called for every item in every search: prepare it with
   * `filter()` if you use it again.
   */
  readonly filter?: Filter
}

/** Options of `NetIndex.searchBatch`. */
export interface NetBatchOptions extends Omit<NetSearchOptions, 'filter'>, LongWork {
  /** Accepted, but has no effect: distances may be your own functions, so they are computed on this thread. */
  readonly threads?: number
}

/** Options of `NetIndex.load` and `fromBytes`. */
export interface NetLoadOptions<Item = MetricItem> extends Pick<LongWork, 'signal'> {
  /** Your own metric, if the index was fitted with one. */
  readonly metric?: Metric<Item>
}

export const netFitOptions = optionTable<NetOptions>({
  ...{ metric: checkMetricOption, ids: checkedLater },
  triples: (name, value) => checkWhole(name, value, 0, 2 ** 32),
  ...workChecks,
})
export const netSearchOptions = optionTable<NetSearchOptions>({
  ...{ k: checkedLater, tolerance: checkedLater, filter: checkFilter },
})
export const netBatchOptions = optionTable<NetBatchOptions>({
  ...{ k: checkedLater, tolerance: checkedLater, threads: checkThreads },
  ...workChecks,
})
export const netLoadOptions = optionTable<NetLoadOptions<unknown>>({ metric: checkOwnMetric, signal: checkSignal })
export const netContentsOptions = optionTable<{ readonly name?: string; readonly metric?: Metric<unknown> }>({
  ...{ name: checkText, metric: checkOwnMetric },
})

/** A name, which is checked later, or a metric supplied by the caller. */
function checkMetricOption(name: string, value: unknown): void {
  if (typeof value !== 'string') checkOwnMetric(name, value)
}
