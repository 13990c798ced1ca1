// The options of LcifClassifier, their defaults and their checks. Words for the paper's symbols: neighbors is k,
// neighborPower α, featurePower β, mix λ, threshold t, featureShare s.

import { checkNumber, checkPower, checkWhole, checkWord, type OptionTable } from '../../options.ts'
import {
  type CommonOptions,
  checkCommon,
  commonDefaults,
  fillSettings,
  type Weighting,
  weightings,
} from '../options.ts'
import {
  checkVectorOptions,
  type DistanceOption,
  type ScalingOption,
  vectorDefaults,
} from '../reading/vector-options.ts'

export const lcifMethods = ['lcif', 'instance', 'feature'] as const

/** What LCIF scores labels by: neighbors, features, or both. */
export type LcifMethod = (typeof lcifMethods)[number]

/** Options of `LcifClassifier`. */
export interface LcifOptions extends CommonOptions, DistanceOption, ScalingOption {
  /**
   * What scores labels: 'instance', the nearest rows; 'feature', the features of the item; 'lcif', both. Default 'lcif'.
   * 'feature' is the fastest, and the least accurate on most data.
   */
  readonly method?: LcifMethod
  /**
   * How many nearest rows to use (k), from 1 to 10,000. Default 100. More neighbors take longer and favor frequent labels.
   * It is too high if rare labels are never found, too low if similar items get very different scores.
   */
  readonly neighbors?: number
  /**
   * How much nearer rows outweigh farther ones (α), above 0. Default 'learned': the power learned along with the weights, or
   * 2 if no weights are learned. If it is too high, the nearest row alone decides.
   */
  readonly neighborPower?: number | 'learned'
  /** How much stronger feature–label similarities outweigh weaker ones (β), above 0. Default 2. */
  readonly featurePower?: number
  /**
   * The weight of the neighbors in the score (λ), from 0 (features only) to 1 (neighbors only). Default 0.5; 1 for dense
   * vectors, because every column occurs with every label.
   */
  readonly mix?: number
  /**
   * How to weight features. 'none': as in the data; 'idf': rare features more; 'chi2': features that go with labels more;
   * 'learned': weights that make neighbors share labels, starting from 'chi2' if all values are 1, otherwise from 'none'.
   * Default 'auto': 'learned' for more than 20,000 rows; for fewer, cross-validation chooses 'none', 'chi2' or 'learned', and
   * prefers the simpler one unless the other is significantly better. The model's options say which one was chosen.
   * Learning takes most of the time of `fit`.
   */
  readonly weighting?: Weighting | 'auto'
  /**
   * The share of features to keep (s), above 0, at most 1: those with the highest entropy. Default 1. Lower it for speed;
   * rare features are dropped first, and rare labels with them.
   */
  readonly featureShare?: number
  /**
   * The most feature–label similarities to keep, 16 bytes each, at least 1. Default 50,000,000. If there are more, features
   * with many labels keep the strongest.
   */
  readonly featureLabelBudget?: number
}

/** All options, defaults filled in. */
export type LcifSettings = Required<LcifOptions>

/** The default options. */
export const lcifDefaults: LcifSettings = Object.freeze({
  method: 'lcif',
  neighbors: 100,
  neighborPower: 'learned',
  featurePower: 2,
  mix: 0.5,
  weighting: 'auto',
  featureShare: 1,
  featureLabelBudget: 50_000_000,
  ...vectorDefaults,
  ...commonDefaults,
})

/** All options, checked, with defaults filled in. Names in `others` are allowed, and left to the caller. */
export function resolveLcifOptions(options: LcifOptions, others?: OptionTable): LcifSettings {
  // An interface has no index signature, but its fields are options by name.
  const settings = fillSettings(lcifDefaults, options as Readonly<Record<string, unknown>>, others)
  checkWord('method', settings.method, lcifMethods)
  checkWord('weighting', settings.weighting, [...weightings, 'auto'])
  checkWhole('neighbors', settings.neighbors, 1, 10_000)
  checkWhole('featureLabelBudget', settings.featureLabelBudget, 1, 2 ** 28)
  if (settings.neighborPower !== 'learned') checkPower('neighborPower', settings.neighborPower, " or 'learned'")
  checkPower('featurePower', settings.featurePower)
  checkNumber('mix', settings.mix, value => value >= 0 && value <= 1, 'a number from 0 to 1')
  checkNumber('featureShare', settings.featureShare, value => value > 0 && value <= 1, 'a number above 0 and at most 1')
  checkVectorOptions(settings)
  checkCommon(settings)
  return settings
}
