// What ForestClassifier runs.

import { wasm } from '../generated/forest-label.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What ForestClassifier runs. They take byte addresses and counts, and check nothing. */
export interface ForestLabelKernels {
  /** Labels of sparse queries [from, to) by a forest (see label/forest/scores.ts); the scratch begins as zeros. */
  readonly forestLabels: (scratch: number, labeler: number, asked: number, from: number, to: number) => void
  /** The leaves that one query reaches: u32 pairs (tree, leaf) at `out`; returns how many. */
  readonly forestReach: (scratch: number, labeler: number, asked: number, i: number, out: number) => number
  /** Bytes of scratch for both, with this many queries in a run; `room` is roomBytes bytes to work with. */
  readonly forestLabelBytes: (room: number, labeler: number, top: number, queries: number) => number
}

/** For `engine.exactKernels` and `pool.run`. */
export const forestLabelKernels: KernelSet<ForestLabelKernels> = {
  name: 'forest-label',
  first: 'forestLabels',
  plain: wasm,
}
