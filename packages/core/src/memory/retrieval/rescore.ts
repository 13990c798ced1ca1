// What the scorer knows of the nearest memories beside their similarity: the support of near memories with the same value, and its opinion
// of that value for this query. Both count for the nearest few only. The others follow by similarity, so that an index that
// knows no values can tell when nothing better is left.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Scorer } from '../learning/scorer.ts'
import type { MemoryState } from '../memory-state.ts'
import type { Ranked, Retrieval } from './retrieval.ts'

/** A memory with all that ranks it. */
export interface Scored extends Ranked {
  /** From 0 to 1; null for a memory that is not among the nearest. */
  readonly support: number | null
  /** The log odds of a reward. */
  readonly logit: number
}

/** How many memories support each other. More were hardly better on held-out rows. */
export const nearest = 16

/** Memories that pass, best first by similarity, in the order of the scorer. */
export function rescored(
  { scorer, table }: MemoryState,
  retrieval: Retrieval,
  row: SparseRow,
  ranked: readonly Ranked[],
): Scored[] {
  const near = ranked.slice(0, nearest)
  const values = near.map(({ slot }) => table.meaningOf(slot))
  const supports = supportsOf(near, values)
  const topics = near.map(({ slot }) => table.topicOf(slot))
  const opinions = scorer.hasOpinions ? retrieval.opinions(row, topics) : topics.map(() => 0)
  const scored: Scored[] = near.map(({ slot, sum }, i) => {
    const support = supports[i]
    return { slot, sum, support, logit: scorer.logit({ sum, support, opinion: opinions[i] }) }
  })
  for (let i = near.length; i < ranked.length; i++) {
    const { slot, sum } = ranked[i]
    scored.push({ slot, sum, support: null, logit: similarityLogit(scorer, sum) })
  }
  return scored.sort((a, b) => b.logit - a.logit)
}

/** The log odds of a memory that is not among the nearest. */
export function similarityLogit(scorer: Scorer, sum: number): number {
  return scorer.logit({ sum, support: 0, opinion: 0 })
}

/** Of each memory: the share of the others with its value, each counted by the square of its similarity. `near` is best first. */
export function supportsOf(near: readonly Pick<Ranked, 'sum'>[], values: readonly string[]): number[] {
  const shares = near.map(({ sum }) => Math.max(0, sum) ** 2)
  const all = shares.reduce((total, share) => total + share, 0)
  if (all === 0) return shares
  const ofValue = new Map<string, number>()
  for (const [i, value] of values.entries()) ofValue.set(value, (ofValue.get(value) ?? 0) + shares[i])
  // Subtracting may leave a rounding error of either sign.
  return values.map((value, i) => {
    const others = (ofValue.get(value) ?? 0) - shares[i]
    return others > all * 1e-12 ? others / all : 0
  })
}
