// What InvertedIndex and SparseForestIndex run.

import { wasm } from '../generated/sparse.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What InvertedIndex and SparseForestIndex run. They take byte addresses and counts, and check nothing. */
export interface SparseKernels {
  /** Answers sparse queries [from, to); all the rest is in the blocks (see search/sparse/layout.ts). Returns rows computed. */
  readonly invertedSearch: (scratch: number, index: number, batch: number, from: number, to: number) => number
  /** Bytes of scratch for it; `block` is roomBytes bytes to work with. */
  readonly invertedScratchBytes: (block: number, index: number, k: number, terms: number) => number
  /** The same by a forest (see search/sparse-forest/finder.ts); the scratch begins as zeros. Returns how many candidates there were. */
  readonly sparseForestSearch: (scratch: number, finder: number, batch: number, from: number, to: number) => number
  /** The leaf of each tree for one sparse query, a block of its own. */
  readonly sparseLeaves: (forest: number, query: number, leaves: number) => void
  /** Bytes of scratch for sparseForestSearch; `block` is roomBytes bytes to work with. */
  readonly sparseForestBytes: (block: number, finder: number, k: number, terms: number) => number
}

/** For `engine.exactKernels` and `pool.run`. */
export const sparseKernels: KernelSet<SparseKernels> = { name: 'sparse', first: 'invertedSearch', plain: wasm }
