// One-against-some (paper 002, section 4.3): a small logistic model for every label, asked only about the labels of the memories that
// were retrieved. Besides the item's features, each sees the share of the memories' weight that supports its label; the weight of that
// share is learned for all labels together.

import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import { type KeyAt, LinearModel, type LinearModelPlace } from '../../memory/learning/linear-model.ts'

/** What votes count, and the sum of its squared gradients. */
export interface VoteWeight {
  readonly weight: number
  readonly squares: number
}

const labelBits = 4
const labelRate = 0.2
const voteRate = 0.5
/**
 * Votes never weigh less than at the start. A training row does not see its own memory, so if most labels occur once, votes look always
 * wrong: a weight below 0 would then speak against the labels of every row that is stored.
 */
const start: VoteWeight = { weight: 4, squares: 0 }

export class OneAgainstSome {
  readonly #place: LinearModelPlace
  readonly #kernels: MemoryKernels
  /** By label; absent before the first learning step. */
  readonly #models: (LinearModel | undefined)[]
  #votes: VoteWeight

  constructor(place: LinearModelPlace, models: (LinearModel | undefined)[] = [], votes: VoteWeight = start) {
    this.#place = place
    this.#kernels = place.kernels
    this.#models = models
    this.#votes = votes
  }

  get votes(): VoteWeight {
    return this.#votes
  }

  /** By label; some labels have none. */
  get models(): readonly (LinearModel | undefined)[] {
    return this.#models
  }

  /** From 0 to 1. `vote` is the share of the memories' weight that supports the label. */
  score(label: number, key: KeyAt, vote: number): number {
    return this.#kernels.logistic((this.#models[label]?.sum(key) ?? 0) + this.#votes.weight * vote)
  }

  /** What a key adds to the label's sum; the label has learned at least once, or it is 0. */
  term(label: number, key: KeyAt): number {
    const model = this.#models[label]
    return model ? model.sum(key) - model.sum({ ...key, count: 0 }) : 0
  }

  learn(label: number, key: KeyAt, vote: number, isCarried: boolean): void {
    const gradient = this.score(label, key, vote) - Number(isCarried)
    this.#models[label] ??= new LinearModel(this.#place, labelBits)
    this.#models[label].step(key, gradient, labelRate)
    const own = gradient * vote
    if (own === 0) return
    const squares = this.#votes.squares + own * own
    const weight = this.#votes.weight - (voteRate * own) / Math.sqrt(squares)
    this.#votes = { weight: Math.max(start.weight, weight), squares }
  }
}
