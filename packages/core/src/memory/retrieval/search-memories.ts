// From a key to the best memories that pass. Candidates come from the leaves of the trees and from the index; the scorer ranks them.
// If a filter leaves too few, looks at more, until there are k or no more.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { QuerySettings } from '../memory-query.ts'
import type { MemoryState } from '../memory-state.ts'
import { Passing, type QueryScope } from './passing.ts'
import type { Ranked, Retrieval } from './retrieval.ts'

/** What to look for. */
export type Wanted = Pick<QuerySettings, 'k' | 'probes' | 'minScore'> & QueryScope

/** More than are wanted: the scorer may put them in another order than the index does. */
const spare = 16
/** Every round looks at this many times more memories. */
const widening = 8

interface Candidates {
  readonly slots: readonly number[]
  /** Those that are certainly better than all that were not looked at; undefined: nothing is certain of a tree. */
  readonly leading: ReadonlySet<number> | undefined
  /** Whether there is nothing more to look at. */
  readonly areAll: boolean
}

/** The best k that pass, best first, ties in insertion order. */
export function searchMemories(state: MemoryState, retrieval: Retrieval, row: SparseRow, wanted: Wanted): Ranked[] {
  const { k, minScore } = wanted
  const passing = new Passing(state.table, wanted, slot => retrieval.valueOf(slot))
  const few = passing.few()
  const most = k === 'all' ? Number.POSITIVE_INFINITY : k
  if (few) return passed(state, retrieval.ranked(row, few), passing, minScore, most)
  for (let round = 0; ; round++) {
    const { slots, leading, areAll } = candidates(state, retrieval, row, wanted, passing, round)
    const first = leading || passing.isSelective ? 'all' : k
    const ranked = retrieval.ranked(row, slots, first)
    const found = passed(state, ranked, passing, minScore, most)
    if (areAll || isEnough(state, found, ranked, leading, wanted, most)) return found
  }
}

/** The first so many that pass. */
function passed(
  { scorer }: MemoryState,
  ranked: readonly Ranked[],
  passing: Passing,
  minScore: number,
  most: number,
): Ranked[] {
  const found: Ranked[] = []
  for (const candidate of ranked) {
    if (found.length >= most || (minScore > 0 && scorer.score(candidate.sum) < minScore)) break
    if (passing.has(candidate.slot)) found.push(candidate)
  }
  return found
}

function isEnough(
  { scorer }: MemoryState,
  found: readonly Ranked[],
  ranked: readonly Ranked[],
  leading: ReadonlySet<number> | undefined,
  { k, minScore }: Wanted,
  most: number,
): boolean {
  // Of a tree 'all' are those that were looked at.
  if (!leading) return k === 'all' || found.length >= most
  if (found.filter(({ slot }) => leading.has(slot)).length >= most) return true
  // All that were not looked at are below the last of the leading ones.
  const last = ranked.findLast(({ slot }) => leading.has(slot))
  return minScore > 0 && last !== undefined && scorer.score(last.sum) < minScore
}

function candidates(
  state: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  { k, probes, namespace }: Wanted,
  passing: Passing,
  round: number,
): Candidates {
  const { index, trees, table } = state
  const isOwn = (slot: number) => table.at(slot).namespace === namespace
  if (!index) {
    const { slots, areAll } = retrieval.near(row, (probes + 1) * widening ** round - 1)
    return { slots: slots.filter(isOwn), leading: undefined, areAll }
  }
  const all = index.countOf(namespace)
  const few = ((k === 'all' ? all : k) + spare) * (passing.isSelective ? widening : 1)
  const count = Math.min(all, few * widening ** round)
  const leading = new Set(retrieval.indexed(row, namespace, count))
  const near = trees.length === 0 ? [] : retrieval.near(row, probes).slots
  const others = near.filter(slot => !leading.has(slot) && isOwn(slot))
  return { slots: [...leading, ...others], leading, areAll: count === all }
}
