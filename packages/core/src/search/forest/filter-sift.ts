// Whether and how to sift the rows that pass a filter by their codes, instead of comparing all of them.

import { exactMicros } from '../dense/exact-cost.ts'
import { fewerNearFor, nearFor } from '../filters/row-filter.ts'
import { type SearchedShape, siftMicros } from './cost.ts'
import type { Sift } from './search.ts'
import type { TunedSift } from './sift-tuning.ts'

/** With its estimated microseconds. */
export interface SiftPlan extends Sift {
  readonly micros: number
}

/** All rows that are looked at, to see how far the rows that pass are: this share of those, and enough to find this many nearer ones. */
const sampledShare = 1 / 4
const fewestNearer = 4

/** Undefined if comparing all that pass takes no longer, or if codes are not good enough. */
export function siftPlan(
  tuned: readonly TunedSift[],
  k: number,
  passing: number,
  shape: SearchedShape,
): SiftPlan | undefined {
  const { rows } = shape
  const last = tuned.at(-1)
  if (last === undefined || k === 0 || passing <= k) return undefined
  if (fewerNearFor(k, passing / rows) > last.k) return undefined
  const wide = Math.min(last.k, nearFor(k, passing / rows))
  const place = tuned.findIndex(step => step.k >= wide)
  // Where a larger share passes nearby, codes need only be good enough for fewer neighbors; but these may need more of them.
  const factor = Math.max(...tuned.slice(0, place + 1).map(step => step.rerank / step.k))
  const rerank = Math.ceil(factor * k + 2 * Math.sqrt(factor * k))
  const sampled = Math.min(rows, Math.ceil(Math.max(sampledShare * passing, (fewestNearer * rows) / last.k)))
  const micros = siftMicros(passing + sampled, rerank, shape)
  if (micros >= exactMicros({ ...shape, rows: passing })) return undefined
  return { rerank, sampled, mostNearer: Math.floor((sampled * last.k) / rows), micros }
}
