// What the words of a Collection run.

import { wasm } from '../generated/text.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What the words of a Collection run. They take byte addresses and counts, and check nothing. */
export interface TextKernels {
  /** The k best rows by BM25; all the rest is in the block (see assembly/blocks/text.ts). Returns how many there are. */
  readonly textSearch: (scratch: number, block: number) => number
  /** Bytes of scratch for it, which begin as zeros. */
  readonly textScratchBytes: (k: number, terms: number) => number
  /** out[i · terms + t] = what term t adds to the score of rows[i], f32; 0 if the row does not have it. */
  readonly textMatches: (block: number, rows: number, count: number, out: number) => void
}

/** For `engine.exactKernels`. */
export const textKernels: KernelSet<TextKernels> = { name: 'text', first: 'textSearch', plain: wasm }
