// The learning scorer f(x, z): the expected reward of memory z for query x, as log odds. It adds up:
// - similarity: the products of the features that both keys have, each weighted by 1 + the learned weight of the feature. Before the first
//   reward that is the cosine, which orders keys of length 1 as −‖x − z‖ does;
// - support: how much of what is near has the same value as the memory;
// - opinion: what rewards have taught about this value and the features of this query.
// The last two begin at 0. A plain model, which only knows the similarity, runs beside it. Whichever predicted recent rewards better ranks
// memories, so that learning from meaningless rewards does no lasting harm.

import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import { type KeyAt, LinearModel, type LinearModelPlace } from './linear-model.ts'

/** What a scorer knows, beside its weights. */
export interface Calibration {
  readonly slope: number
  readonly intercept: number
  /** What full support adds to the log odds. */
  readonly supportWeight: number
  readonly plainSlope: number
  readonly plainIntercept: number
  /** How much better the learned predictions were recently than the plain ones: a mean difference of squared errors. */
  readonly lead: number
  /** Rewards it has learned from. */
  readonly rewards: number
}

/** The learned weights: of features, and of features together with a value. */
export interface ScorerModels {
  readonly weights: LinearModel
  readonly opinions: LinearModel
}

/** What is known about a query and a memory. */
export interface Evidence {
  /** The weighted sum of the features they share. */
  readonly sum: number
  /** From 0 to 1. */
  readonly support: number
  readonly opinion: number
}

/** A query and a memory that was rewarded for it. */
export interface RewardedPair extends Omit<Evidence, 'opinion'> {
  /** The features they share, with the products of their values; and how much the memory's length makes of them. */
  readonly shared: KeyAt
  readonly pivot: number
  /** The sum as it would be without learned weights. */
  readonly plainSum: number
  /** The query's features together with the memory's value, and the sum of their absolute values. */
  readonly crossed: KeyAt
  readonly crossedLength: number
}

const startBits = 8
// Chosen on held-out training rows of clinc150 (bench/memory-learning.ts).
const weightRate = 0.05
const opinionRate = 0.8
/** Makes the first steps small if the surprise is small. */
const opinionPrior = 0.02
const supportRate = 0.1
const calibrationRate = 0.02
/** More similar never means less rewarded. */
const leastSlope = 0.5
/** How many recent rewards the lead averages over. */
const leadMemory = 256
/** Below this lead, plain similarity ranks. Not 0, because of noise. */
const leastLead = -0.002

/** A cosine of 1 means an expected reward of 0.95, 0.5 means 0.5, and 0 means 0.05. */
const [startSlope, startIntercept] = [6, -3]

export const startCalibration: Calibration = Object.freeze({
  ...{ slope: startSlope, intercept: startIntercept, supportWeight: 0 },
  ...{ plainSlope: startSlope, plainIntercept: startIntercept, lead: 0, rewards: 0 },
})

/** Weights before anything was learned. */
export function newScorerModel(place: LinearModelPlace): LinearModel {
  return new LinearModel(place, startBits)
}

export class Scorer {
  readonly #kernels: MemoryKernels
  readonly #models: ScorerModels
  #calibration: Calibration

  constructor(place: LinearModelPlace, models?: ScorerModels, calibration = startCalibration) {
    this.#kernels = place.kernels
    this.#models = models ?? { weights: newScorerModel(place), opinions: newScorerModel(place) }
    this.#calibration = calibration
  }

  get calibration(): Calibration {
    return this.#calibration
  }

  /** Whether the learned model ranks, not the plain one. */
  get isTrusted(): boolean {
    return this.#calibration.lead >= leastLead
  }

  /** Whether opinions were learned and are used. */
  get hasOpinions(): boolean {
    return this.#calibration.rewards > 0 && this.isTrusted
  }

  /** Writes the query's values times their weights to `out`: a product with a memory's key is then the learned sum. */
  weigh(query: KeyAt, out: number): void {
    this.#models.weights.weigh(query, out)
  }

  /** What was learned about a value for a query; `crossed` has the query's features paired with the value. */
  opinion(crossed: KeyAt): number {
    return this.#models.opinions.sum(crossed)
  }

  /** The log odds of a reward. */
  logit(evidence: Evidence): number {
    const { plainSlope, plainIntercept } = this.#calibration
    return this.isTrusted ? this.#learnedLogit(evidence) : plainSlope * evidence.sum + plainIntercept
  }

  /** The current weights of similarity and support. */
  get factors(): { readonly slope: number; readonly intercept: number; readonly supportWeight: number } {
    const { slope, intercept, supportWeight, plainSlope, plainIntercept } = this.#calibration
    if (this.isTrusted) return { slope, intercept, supportWeight }
    return { slope: plainSlope, intercept: plainIntercept, supportWeight: 0 }
  }

  /** From 0 to 1: the expected reward. */
  score(logit: number): number {
    return this.#kernels.logistic(logit)
  }

  learn(pair: RewardedPair, reward: number): void {
    const { sum, support, plainSum, crossed, crossedLength, shared, pivot } = pair
    const { slope, intercept, supportWeight, plainSlope, plainIntercept, lead, rewards } = this.#calibration
    const { weights, opinions } = this.#models
    const gradient = this.score(this.#learnedLogit({ sum, support, opinion: this.opinion(crossed) })) - reward
    const plainGradient = this.score(plainSlope * plainSum + plainIntercept) - reward
    weights.step(shared, gradient * pivot, weightRate, { biased: false })
    // A first step moves the opinion by the same amount however many features the query has.
    opinions.step(crossed, gradient, opinionRate / crossedLength, { biased: false, prior: opinionPrior })
    this.#calibration = {
      slope: Math.max(leastSlope, slope - calibrationRate * gradient * sum),
      intercept: intercept - calibrationRate * gradient,
      supportWeight: Math.max(0, supportWeight - supportRate * gradient * support),
      plainSlope: Math.max(leastSlope, plainSlope - calibrationRate * plainGradient * plainSum),
      plainIntercept: plainIntercept - calibrationRate * plainGradient,
      lead: lead + (plainGradient * plainGradient - gradient * gradient - lead) / leadMemory,
      rewards: rewards + 1,
    }
  }

  /** What it has learned, to be stored. */
  get models(): ScorerModels {
    return this.#models
  }

  #learnedLogit({ sum, support, opinion }: Evidence): number {
    const { slope, intercept, supportWeight } = this.#calibration
    return slope * sum + intercept + supportWeight * support + opinion
  }
}
