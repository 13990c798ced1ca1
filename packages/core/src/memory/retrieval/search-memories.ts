// From a key to the best memories that pass. Candidates come from the leaves of the trees and from the index; the scorer ranks them.
// If a filter leaves too few, looks at more, until there are k or no more.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { QuerySettings, Rewarded } from '../memory-query.ts'
import type { MemoryState } from '../memory-state.ts'
import { Passing, type QueryScope } from './passing.ts'
import { nearest, rescored, type Scored, similarityLogit } from './rescore.ts'
import type { Ranked, Retrieval } from './retrieval.ts'

/** What to look for. */
export interface Wanted extends Pick<QuerySettings, 'k' | 'probes' | 'minScore'>, QueryScope {
  /** Compares all dense keys, because what is learned must not depend on when a forest took over. Default false. */
  readonly isExact?: boolean
}

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
export function searchMemories(state: MemoryState, retrieval: Retrieval, row: SparseRow, wanted: Wanted): Scored[] {
  const { k, minScore } = wanted
  const passing = new Passing(state.table, wanted, slot => retrieval.valueOf(slot))
  const few = passing.few()
  const most = k === 'all' ? Number.POSITIVE_INFINITY : k
  const best = (ranked: readonly Ranked[]) => reaching(state, rescored(state, retrieval, row, ranked), minScore)
  if (few) return best(retrieval.ranked(row, few)).slice(0, most)
  for (let round = 0; ; round++) {
    const { slots, leading, areAll } = candidates(state, retrieval, row, wanted, passing, round)
    // A filter is asked only as far as needed.
    const limit = Math.max(nearest, most) * widening ** round
    const isWhole = leading !== undefined || passing.isSelective || k === 'all'
    const ranked = retrieval.ranked(row, slots, isWhole ? 'all' : limit)
    const near = passed(ranked, passing, limit)
    const last = leading && ranked.findLast(({ slot }) => leading.has(slot))
    const unseen = areAll ? Number.NEGATIVE_INFINITY : last?.sum
    const found = best(near)
    const isCut = near.length >= limit
    if (isEnough(state, { found, near, isCut, unseen }, wanted, most)) return found.slice(0, most)
  }
}

/** How much near memories with the same value speak for a rewarded one: as its hit says, or else as a query would find it now. */
export function supportOf(
  state: MemoryState,
  retrieval: Retrieval,
  { query, support }: Rewarded,
  slot: number,
): number | null {
  if (support !== undefined) return support
  const { reader, table, now } = state
  const { namespace } = table.at(slot)
  const scope = { now: now(), ...(namespace !== undefined && { namespace }) }
  const wanted = { k: nearest, probes: 0, minScore: 0, isExact: true, ...scope }
  const near = searchMemories(state, retrieval, reader.read(query.key), wanted)
  return near.find(one => one.slot === slot)?.support ?? null
}

/** The first `count` that pass. */
function passed(ranked: readonly Ranked[], passing: Passing, most: number): Ranked[] {
  const found: Ranked[] = []
  for (const candidate of ranked) {
    if (found.length >= most) break
    if (passing.has(candidate.slot)) found.push(candidate)
  }
  return found
}

function reaching({ scorer }: MemoryState, scored: readonly Scored[], minScore: number): readonly Scored[] {
  return minScore === 0 ? scored : scored.filter(({ logit }) => scorer.score(logit) >= minScore)
}

/** What a round has found. */
interface Round {
  /** Best first, those that reach `minScore`. */
  readonly found: readonly Scored[]
  /** The most similar ones that pass; whether more of those that were looked at may pass. */
  readonly near: readonly Ranked[]
  readonly isCut: boolean
  /** No memory that was not looked at has a higher sum; undefined: nothing is certain of a tree. */
  readonly unseen: number | undefined
}

/** Whether looking further cannot change the best. */
function isEnough(
  { scorer }: MemoryState,
  { found, near, isCut, unseen }: Round,
  { k, minScore }: Wanted,
  most: number,
): boolean {
  // Of a tree 'all' are those that were looked at.
  if (unseen === undefined) return k === 'all' || found.length >= most
  const least = near.length < nearest ? Number.NEGATIVE_INFINITY : near[nearest - 1].sum
  if (least < unseen) return false
  // Beyond the nearest, memories rank by similarity alone.
  const highest = isCut ? Math.max(unseen, near[near.length - 1].sum) : unseen
  if (highest === Number.NEGATIVE_INFINITY) return true
  const bound = similarityLogit(scorer, highest)
  return found.length >= most ? found[most - 1].logit >= bound : minScore > 0 && scorer.score(bound) < minScore
}

function candidates(
  state: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  { k, probes, namespace, isExact = false }: Wanted,
  passing: Passing,
  round: number,
): Candidates {
  const { index, trees, table } = state
  // Looking at every candidate took a sixteenth of a query.
  const areOwn = table.areAllOf(namespace)
  const isOwn = (slot: number) => areOwn || table.at(slot).namespace === namespace
  if (!index) {
    const { slots, areAll } = retrieval.near(row, (probes + 1) * widening ** round - 1)
    return { slots: areOwn ? slots : slots.filter(isOwn), leading: undefined, areAll }
  }
  const all = index.countOf(namespace)
  const few = (Math.max(nearest, k === 'all' ? all : k) + spare) * (passing.isSelective ? widening : 1)
  const count = Math.min(all, few * widening ** round)
  const leading = new Set(retrieval.indexed(row, namespace, { k: count, isExact }))
  const near = trees.length === 0 ? [] : retrieval.near(row, probes).slots
  const others = near.filter(slot => !leading.has(slot) && isOwn(slot))
  return { slots: [...leading, ...others], leading, areAll: count === all }
}
