// Why a memory was a hit: the words or features that query and key share, each with its part of the scorer's sum, and how much of that
// was learned from rewards.

import type { SparseRow } from '../matrix/sparse-matrix.ts'
import type { KeyReader, MemoryKey } from './memory-key.ts'
import type { Retrieval } from './retrieval/retrieval.ts'

/** A feature that query and memory share. */
export interface SharedFeature {
  /** The word, where keys are texts; else the number of the feature. */
  readonly feature: string | number
  /** What it adds to the sum. */
  readonly part: number
  /** How much of the part was learned from rewards. */
  readonly learned: number
}

/** Why a memory was a hit. */
export interface HitExplanation {
  /** The expected reward, as of now. */
  readonly score: number
  /** The cosine of the two keys, from −1 to 1. */
  readonly similarity: number
  /** What query and memory share, the largest part first. */
  readonly shared: readonly SharedFeature[]
  /** What rewards have added to the sum of all parts, or taken from it. */
  readonly learned: number
  /** The memory's own rewards so far, and their mean. */
  readonly rewards: number
  readonly reward: number | null
  /** Milliseconds since the memory was inserted. */
  readonly ageMs: number
}

/** The parts of a memory's sum; the memory supplies the rest. */
export function explainSum(
  retrieval: Retrieval,
  reader: KeyReader,
  key: MemoryKey,
  row: SparseRow,
  slot: number,
): Pick<HitExplanation, 'similarity' | 'shared' | 'learned'> {
  const { cosine, parts } = retrieval.partsOf(row, slot)
  const words = typeof key === 'string' ? reader.wordsOf(key) : undefined
  const shared = parts.map(({ feature, part, learned }) => ({ feature: words?.get(feature) ?? feature, part, learned }))
  return {
    similarity: cosine,
    shared: shared.sort((a, b) => b.part - a.part),
    learned: shared.reduce((sum, { learned }) => sum + learned, 0),
  }
}
