// What LcifClassifier runs.

import { wasm } from '../generated/label.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What LcifClassifier runs. They take byte addresses and counts, and check nothing. */
export interface LabelKernels {
  /** Learning feature weights (assembly/label/learning.ts has the block): begins with weights f32 [features]. */
  readonly weightsStart: (learning: number, weights: number) => void
  /** Learns from the rows at [from, to) of the block's order; returns the sum of their losses. */
  readonly weightsLearn: (learning: number, from: number, to: number, rate: number) => number
  /** The sum of the losses of the same rows with another sharpness; adds to the block's hits, learns nothing. */
  readonly weightsLoss: (learning: number, from: number, to: number, sharpness: number) => number
  /** Writes the weights as they are now, f32 [features]; returns the sharpness. */
  readonly weightsNow: (learning: number, out: number) => number
  /** out[i] = log(values[i]) + shift: f64 in, f32 out. */
  readonly logarithms: (values: number, count: number, shift: number, out: number) => void
  /**
   * The best labels of queries [from, to): mix · the nearest rows' score, by similarity ^ power, + (1 − mix) · the features'.
   * The blocks are those of assembly/label/scores.ts. The scratch begins as zeros.
   */
  readonly labelScores: (
    scratch: number,
    model: number,
    batch: number,
    from: number,
    to: number,
    power: number,
    mix: number,
  ) => void
  /** Bytes of scratch for it. */
  readonly labelScratchBytes: (labels: number, top: number) => number
  /** x ^ power for x of at least 0, the same bits on every machine. */
  readonly powerOf: (x: number, power: number) => number
}

/** For `engine.exactKernels` and `pool.run`. */
export const labelKernels: KernelSet<LabelKernels> = { name: 'label', first: 'weightsStart', plain: wasm }
