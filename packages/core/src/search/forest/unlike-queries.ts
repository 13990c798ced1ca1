// Queries unlike the rows. An effort is chosen on rows held out of growing, and holds for queries like them. A query that lies far from
// all rows may be led anywhere. Such a query is recognized by its nearest row, which is farther away than that of nearly all rows held out. It is
// searched again with four times the effort, until that finds nothing else; if this takes too long, all rows are compared instead.

import { mostProbes } from '../../forest/forest-contents.ts'
import { wholeMicros } from '../dense/exact-cost.ts'
import type { FoundRows } from '../filters/row-filter.ts'
import type { Effort } from './block.ts'
import type { TriedEffort } from './trials/effort-trials.ts'

/** How far a query's nearest row is. For products (larger is nearer) it is divided by the query's length, which does not matter there. */
export function reachOf(query: Float32Array, raw: number, products: boolean): number {
  if (!products) return raw
  const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? 0 : -raw / length
}

/** What searching again may add to the time of all queries that are like the rows. */
const mostExtra = 0.1
/** If no held-out row is that far, a query must be farther than all of them by this factor. */
const slack = 0.1
/** How much wider each further search is, and the share of comparing all rows that the last of them may take. */
const wider = 4
const widest = wider ** 3
const mostShare = 1 / 4
/** Walks do not lead from one cluster of rows to the next: wider searches start from all trees, and from more leaves. */
const probesPerFactor = 8

/** From which reach on a query counts as unlike the rows. `reaches` are those of the rows held out. */
export function farthestReach(reaches: Float64Array, micros: { effort: number; unlike: number }): number {
  const descending = reaches.toSorted().reverse()
  const allowed = Math.floor(((mostExtra * micros.effort) / micros.unlike) * descending.length)
  const reach = descending[Math.min(allowed, descending.length - 1)]
  return allowed > 0 ? reach : reach + slack * Math.abs(reach)
}

interface Shape {
  readonly rows: number
  readonly dims: number
}

/** What a query unlike the rows tries before all rows are compared. `chosen` says what an effort costs. */
export function widerEfforts(
  effort: Effort,
  chosen: TriedEffort | undefined,
  shape: Shape & { trees: number },
): Effort[] {
  if (!chosen || effort.walk === 0 || chosen.effort.walk === 0) return []
  const micros = (chosen.cost * effort.walk) / chosen.effort.walk
  const most = mostShare * wholeMicros(shape)
  const { trees } = shape
  const efforts: Effort[] = []
  // The cost is from a file: it may be anything.
  for (let factor = wider; micros > 0 && factor <= widest && factor * micros <= most; factor *= wider) {
    const probes = Math.min(mostProbes, factor * (probesPerFactor + effort.probes))
    efforts.push({ ...effort, trees, probes, walk: factor * effort.walk, rerank: factor * effort.rerank })
  }
  return efforts
}

/** Estimated microseconds of a query unlike the rows: two wider searches, or comparing all rows. */
export function unlikeMicros(chosen: TriedEffort, shape: Shape): number {
  const exact = wholeMicros(shape)
  const isWidened = widerEfforts(chosen.effort, chosen, { ...shape, trees: chosen.effort.trees }).length > 0
  return isWidened ? Math.min(exact, (wider + wider ** 2) * chosen.cost) : exact
}

/** What the first wider search finds that finds the same as the one before; undefined if none does. */
export function settle<T extends FoundRows>(
  found: FoundRows,
  efforts: readonly Effort[],
  search: (effort: Effort) => T,
): T | undefined {
  // The next search overwrites what this one found.
  let before = found.raw.slice()
  for (const effort of efforts) {
    const more = search(effort)
    if (isSame(more.raw, before)) return more
    before = more.raw.slice()
  }
  return undefined
}

/** Whether two searches found equally near rows. */
export function isSame(raw: Float32Array, other: Float32Array): boolean {
  return raw.length === other.length && raw.every((value, i) => value === other[i])
}
