// A forest whose labels are the rows of an inverted index, and how thoroughly to search them: a block of
// assembly/blocks/sparse-search.ts.

import type { FinderBlock } from '../../kernels/generated/blocks/sparse-search.ts'

/** How thoroughly to search: more effort finds more and takes longer. */
export interface SparseEffort {
  /** Trees asked, from the first on. */
  readonly trees: number
  /** Leaves visited in addition to each tree's own, the nearest of all trees first; at most 4096. */
  readonly probes: number
  /** Rows that score above it are candidates (τ). */
  readonly threshold: number
  /** So many of these at most, those with the best scores: all of them are compared exactly. */
  readonly candidates: number
}

export interface Finder {
  /** Addresses of their blocks. */
  readonly forest: number
  readonly index: number
  readonly effort: SparseEffort
  /** Where fewer neighbors are found, the lists of the index are asked. */
  readonly wanted: number
  /** Whether trees see queries at length 1, though they are not. */
  readonly scales: boolean
}

export function finderFields({ forest, index, effort, wanted, scales }: Finder): FinderBlock {
  const { trees, probes, threshold, candidates } = effort
  return { forest, index, trees, probes, threshold, candidates, wanted, scales: scales ? 1 : 0 }
}
