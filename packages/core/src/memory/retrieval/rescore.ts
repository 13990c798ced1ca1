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
  const supports = supportsOf(
    near,
    near.map(({ slot }) => table.meaningOf(slot)),
  )
  const opinions = scorer.hasOpinions
    ? retrieval.opinions(
        row,
        near.map(({ slot }) => table.topicOf(slot)),
      )
    : undefined
  const scored = ranked.map(({ slot, sum }, i): Scored => {
    if (i >= near.length) return { slot, sum, support: null, logit: similarityLogit(scorer, sum) }
    const support = supports[i]
    return { slot, sum, support, logit: scorer.logit({ sum, support, opinion: opinions?.[i] ?? 0 }) }
  })
  // Nothing moves until something was learned.
  return isInOrder(scored) ? scored : scored.sort((a, b) => b.logit - a.logit)
}

function isInOrder(scored: readonly Scored[]): boolean {
  for (let i = 1; i < scored.length; i++) if (!(scored[i].logit <= scored[i - 1].logit)) return false
  return true
}

/** The log odds of a memory that is not among the nearest. */
export function similarityLogit(scorer: Scorer, sum: number): number {
  return scorer.logit({ sum, support: 0, opinion: 0 })
}

/** Of each memory: the share of the others with its value, each counted by the square of its similarity. `near` is best first. */
export function supportsOf(near: readonly Pick<Ranked, 'sum'>[], values: readonly string[]): number[] {
  const shares = near.map(({ sum }) => (sum > 0 ? sum * sum : 0))
  const ofValue = new Map<string, number>()
  let all = 0
  for (let i = 0; i < shares.length; i++) {
    all += shares[i]
    ofValue.set(values[i], (ofValue.get(values[i]) ?? 0) + shares[i])
  }
  // Subtracting may leave a rounding error of either sign.
  return shares.map((share, i) => {
    const others = (ofValue.get(values[i]) ?? 0) - share
    return others > all * 1e-12 ? others / all : 0
  })
}
