// What ExactIndex runs.

import { wasm } from '../generated/exact.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What ExactIndex runs. They take byte addresses and counts, and check nothing. */
export interface ExactSearchKernels {
  /** Answers dense queries [from, to) by computing all rows; the rest is in the block (see search/dense/exact-search.ts). */
  readonly exactSearch: (scratch: number, job: number, from: number, to: number) => void
  /** Bytes of scratch for it, with this many queries per job. */
  readonly exactScratchBytes: (k: number, queries: number) => number
}

/** For `engine.exactKernels` and `pool.run`. */
export const exactSearchKernels: KernelSet<ExactSearchKernels> = { name: 'exact', first: 'exactSearch', plain: wasm }
