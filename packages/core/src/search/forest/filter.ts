// Filtered searches of a forest. If many rows pass, the forest is asked for more neighbors, and the filter is applied to those only. If
// fewer pass, all of them are sifted by their codes, or compared. Counted costs decide.

import { mostProbes } from '../../forest/forest-contents.ts'
import type { IdTable } from '../../ids/id-table.ts'
import { exactMicros } from '../dense/exact-cost.ts'
import { type FoundRows, fewerNearFor, firstPassing, nearFor, type RowFilter } from '../filters/row-filter.ts'
import type { RowMask } from '../query-block.ts'
import type { Effort } from './block.ts'
import { filteredMicros, type SearchedShape } from './cost.ts'
import { effortFor } from './efforts.ts'
import { type SiftPlan, siftPlan } from './filter-sift.ts'
import type { ForestEffort, ForestSettings } from './options.ts'
import type { ForestQueryBuffers, Sift } from './search.ts'
import type { ForestTuning } from './tuning.ts'

/** An index as a filtered search sees it. */
export interface FilteredForest {
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
  readonly settings: ForestSettings
  readonly turnover: number
  readonly shape: SearchedShape
  /** Candidates in the order of their codes. */
  near(size: number, effort: Effort): Uint32Array
  /** The nearest of some rows, compared as candidates are. */
  rank(k: number, rows: Uint32Array): FoundRows
  /** The same of rows that codes choose; undefined if the rows are too far from the query for that. */
  sift(k: number, rows: Uint32Array, sift: Sift): FoundRows | undefined
  /** Whether the nearest row found is so far away that the query is unlike the rows: efforts were not tuned on such queries. */
  isUnlike(found: FoundRows): boolean
}

/** What a query finds in an index whose rows have `ids`. The mask is asked for at each search: filters may search the index meanwhile. */
export function candidatesOf(
  buffers: ForestQueryBuffers,
  query: Float32Array,
  ids: Pick<IdTable, 'rows' | 'live'>,
  visible: () => RowMask,
): Pick<FilteredForest, 'near' | 'rank' | 'sift'> {
  return {
    near: (size, effort) => buffers.near(query, size, effort, visible()),
    rank: (k, rows) => buffers.rank(query, k, rows),
    sift: (k, rows, sift) => {
      // Rows are sampled by their numbers; removed rows keep theirs.
      const sampled = Math.ceil((sift.sampled * ids.rows) / ids.live)
      return buffers.sift(query, k, rows, { ...sift, sampled }, visible())
    },
  }
}

/** Asked twice, the forest has shown that the rows that pass are elsewhere. */
const mostAsked = 2

/** The k nearest rows that pass, found at the recall that `given`, or else the index's own effort, has without a filter. */
export function nearestPassing(index: FilteredForest, k: number, given: ForestEffort, filter: RowFilter): FoundRows {
  const { shape } = index
  const most = filter.listNanos / 1000 + passingMicros(index, k, given, filter.share * shape.rows)
  let { share } = filter
  for (let asked = 0; asked < mostAsked; asked++) {
    const wide = wideFor(index, k, share)
    const effort = wide < shape.rows ? wideEffort(index, given, k, wide) : undefined
    if (!effort || filteredMicros(effort, share, filter.askNanos, shape) > most) break
    const near = index.near(Math.max(wide, effort.rerank), effort)
    const places = firstPassing(near, filter)
    // The k-th place says how many neighbors that do not pass are nearer: not more than were asked for.
    if (places.length >= k && places[k - 1] < wide) {
      const nearest = Uint32Array.from(places, i => near[i])
      const found = index.rank(k, nearest)
      return index.isUnlike(found) ? compareListed(index, k, filter.rows()) : found
    }
    // Fewer pass nearby than in general.
    share = Math.min(share / 2, Math.max(1, places.length) / Math.max(1, near.length))
  }
  return nearestListed(index, k, given, filter.rows())
}

function nearestListed(index: FilteredForest, k: number, given: ForestEffort, listed: Uint32Array): FoundRows {
  const plan = planFor(index, k, given, listed.length)
  const found = plan && index.sift(k, listed, plan)
  return found && !index.isUnlike(found) ? found : compareListed(index, k, listed)
}

function compareListed(index: FilteredForest, k: number, listed: Uint32Array): FoundRows {
  return index.rank(Math.min(k, listed.length), listed)
}

function passingMicros(index: FilteredForest, k: number, given: ForestEffort, passing: number): number {
  return planFor(index, k, given, passing)?.micros ?? exactMicros({ ...index.shape, rows: passing })
}

/** How to sift this many rows that pass; undefined if comparing them is as fast, or an effort was given. */
function planFor(
  { tuning, shape }: FilteredForest,
  k: number,
  given: ForestEffort,
  passing: number,
): SiftPlan | undefined {
  return isGiven(given) || !tuning?.reached ? undefined : siftPlan(tuning.sift, k, passing, shape)
}

function isGiven({ trees, threshold, probes, rerank, walk, exact }: ForestEffort): boolean {
  return [trees, threshold, probes, rerank, walk, exact].some(value => value !== undefined)
}

/** How many neighbors to ask for. If there is no effort for a larger number, the last one that has one may be enough. */
function wideFor({ tuning }: FilteredForest, k: number, share: number): number {
  const wide = nearFor(k, share)
  const last = tuning?.larger.at(-1)?.k ?? 0
  return last < wide && fewerNearFor(k, share) <= last ? last : wide
}

/** The effort that finds `wide` neighbors as surely as the given one, or the index's own, finds k; undefined if only comparing all does. */
function wideEffort(index: FilteredForest, given: ForestEffort, k: number, wide: number): Effort | undefined {
  const tuned = { ...index, rows: index.shape.rows }
  if (!isGiven(given) && index.tuning?.reached) {
    const effort = effortFor(tuned, {}, wide)
    return effort.exact ? undefined : effort
  }
  const own = effortFor(tuned, given, k)
  const factor = wide / k
  const probes = own.probes + (factor - 1) * (own.trees + own.probes)
  return {
    ...{ trees: own.trees, threshold: own.threshold / factor, probes: Math.min(mostProbes, Math.ceil(probes)) },
    ...{ rerank: Math.ceil(factor * own.rerank), walk: Math.ceil(factor * own.walk), exact: false },
  }
}
