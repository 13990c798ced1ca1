// What leaves count, packed: an entry is label << countBits | count, a leaf's entries ascend by label.

import { EngineError } from '../errors.ts'
import type { Slice } from '../kernels/arena.ts'

/** Leaves of all trees, numbered through. */
export interface LeafCounts {
  /** u32 [leaves + 1]: where each leaf's entries begin. */
  readonly offsets: Slice<Uint32Array>
  readonly entries: Slice<Uint32Array>
  /** u32 [leaves]: training rows of each. */
  readonly rows: Slice<Uint32Array>
  readonly countBits: number
}

/** Bits that hold the numbers up to `most`. */
export function bitsFor(most: number): number {
  return 32 - Math.clz32(most)
}

export function checkPacking(labels: number, countBits: number): void {
  if (bitsFor(Math.max(1, labels - 1)) + countBits <= 32) return
  throw new EngineError('OUT_OF_MEMORY', `${labels} labels with counts of ${countBits} bits do not fit in 32 bits`, {
    hint: 'Grow deeper trees (a smaller leafSize), or split the rows over several indexes.',
  })
}
