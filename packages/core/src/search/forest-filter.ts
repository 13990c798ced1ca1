// Filtered searches of a forest. Where many rows pass, the forest is asked for more neighbors, and the filter about those only; where
// few pass, all that do are compared. Counted costs decide between the two.

import { mostProbes } from '../forest/forest-store.ts'
import type { Effort } from './forest-block.ts'
import { exactMicros, type SearchedShape, walkMicros } from './forest-cost.ts'
import { effortFor } from './forest-efforts.ts'
import type { ForestEffort, ForestSettings } from './forest-options.ts'
import type { ForestTuning } from './forest-tuning.ts'
import { type FoundRows, firstPassing, nearFor, type RowFilter } from './row-filter.ts'

/** An index as a filtered search sees it. */
export interface FilteredForest {
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
  readonly settings: ForestSettings
  readonly shape: SearchedShape
  /** Candidates in the order of their codes. */
  near(size: number, effort: Effort): Uint32Array
  /** The nearest of some rows, compared as candidates are. */
  rank(k: number, rows: Uint32Array): FoundRows
}

/** Asked twice, the forest has shown that the rows that pass are elsewhere. */
const mostAsked = 2

/** The k nearest rows that pass, found at the recall that `given`, or else the index's own effort, has without a filter. */
export function nearestPassing(index: FilteredForest, k: number, given: ForestEffort, filter: RowFilter): FoundRows {
  const { shape } = index
  let { share } = filter
  for (let asked = 0; asked < mostAsked; asked++) {
    const most = filter.listNanos / 1000 + exactMicros({ rows: filter.share * shape.rows, dims: shape.dims })
    const wide = nearFor(k, share)
    const effort = wide < shape.rows ? wideEffort(index, given, k, wide) : undefined
    if (!effort || walkMicros(effort, share, filter.askNanos, shape) > most) break
    const near = index.near(Math.max(wide, effort.rerank), effort)
    const places = firstPassing(near, filter)
    // The k-th place says how many neighbors that do not pass are nearer: not more than were asked for.
    if (places.length >= k && places[k - 1] < wide)
      return index.rank(
        k,
        Uint32Array.from(places, i => near[i]),
      )
    // Nearby fewer pass than in general.
    share = Math.min(share / 2, Math.max(1, places.length) / Math.max(1, near.length))
  }
  const listed = filter.rows()
  return index.rank(Math.min(k, listed.length), listed)
}

/** What finds `wide` neighbors as surely as the given effort, or the index's own, finds k; undefined where only comparing all does. */
function wideEffort(index: FilteredForest, given: ForestEffort, k: number, wide: number): Effort | undefined {
  const { trees, threshold, probes: leaves, rerank, exact } = given
  const isGiven = [trees, threshold, leaves, rerank, exact].some(value => value !== undefined)
  if (!isGiven && index.tuning?.reached) {
    const tuned = effortFor(index, {}, wide)
    return tuned.exact ? undefined : tuned
  }
  const own = effortFor(index, given, k)
  const factor = wide / k
  const probes = own.probes + (factor - 1) * (own.trees + own.probes)
  return {
    ...{ trees: own.trees, threshold: own.threshold / factor, probes: Math.min(mostProbes, Math.ceil(probes)) },
    ...{ rerank: Math.ceil(factor * own.rerank), exact: false },
  }
}
