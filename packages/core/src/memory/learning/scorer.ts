// The learning scorer f(x, z): how much reward memory z promises to query x. It sees the features that both keys have: the sum of
// their products, each weighted by 1 + what was learned of the feature. Before the first reward that is the cosine, which orders
// keys of length 1 as −‖x − z‖ does. A slope and an intercept, learned too, make a probability of it: that is the score of a hit.

import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import { type KeyAt, LinearModel, type LinearModelPlace } from './linear-model.ts'

/** What a scorer knows, beside its weights. */
export interface Calibration {
  readonly slope: number
  readonly intercept: number
  /** Rewards it has learned from. */
  readonly rewards: number
}

const startBits = 8
const weightRate = 0.1
const calibrationRate = 0.02
/** More similar never means less rewarded. */
const leastSlope = 0.5

/** A cosine of 1 promises 0.95, of 0.5 one half, of 0 0.05. */
const start: Calibration = { slope: 6, intercept: -3, rewards: 0 }

export class Scorer {
  readonly #kernels: MemoryKernels
  readonly #weights: LinearModel
  #calibration: Calibration

  constructor(place: LinearModelPlace, weights = new LinearModel(place, startBits), calibration = start) {
    this.#kernels = place.kernels
    this.#weights = weights
    this.#calibration = calibration
  }

  get calibration(): Calibration {
    return this.#calibration
  }

  /** Writes the query's values times their weights to `out`: a product with a memory's key is then `sum`. */
  weigh(query: KeyAt, out: number): void {
    this.#weights.weigh(query, out)
  }

  /** From 0 to 1: the reward that is expected of a memory whose weighted product with the query is `sum`. */
  score(sum: number): number {
    return this.#kernels.logistic(this.#calibration.slope * sum + this.#calibration.intercept)
  }

  /** Learns that a reward came where the products were `shared`, and their weighted sum was `sum`, `pivot` included. */
  learn(shared: KeyAt, sum: number, reward: number, pivot = 1): void {
    const gradient = this.score(sum) - reward
    const { slope, intercept, rewards } = this.#calibration
    this.#weights.step(shared, gradient * pivot, weightRate, false)
    this.#calibration = {
      slope: Math.max(leastSlope, slope - calibrationRate * gradient * sum),
      intercept: intercept - calibrationRate * gradient,
      rewards: rewards + 1,
    }
  }

  /** The weights as they are stored. */
  words(): Uint32Array {
    return this.#weights.words()
  }
}
