// The block that assembly/forest/sparse-search.ts reads: a forest whose labels are the rows of an inverted index, and how
// thoroughly to search them. 4 bytes a field, in the order of Finder there.

import { floatBits } from '../../kernels/float-bits.ts'

/** How thoroughly a query is answered: what costs time, and finds more. */
export interface SparseEffort {
  /** Trees asked, from the first on. */
  readonly trees: number
  /** Leaves visited beside each tree's own, the nearest of all trees first; at most 4096. */
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

export function finderBlock({ forest, index, effort, wanted, scales }: Finder): Uint32Array {
  const { trees, probes, threshold, candidates } = effort
  return Uint32Array.of(forest, index, trees, probes, floatBits(threshold), candidates, wanted, scales ? 1 : 0)
}
