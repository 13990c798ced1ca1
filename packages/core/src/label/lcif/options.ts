// The options of LcifClassifier, their defaults, and the check at the door. Words for the paper's symbols: neighbors is k,
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

/** What LCIF scores: neighbors, features, or both. */
export type LcifMethod = (typeof lcifMethods)[number]

/** Options of `LcifClassifier`. */
export interface LcifOptions extends CommonOptions, DistanceOption, ScalingOption {
  /**
   * What is scored: 'instance', the labels of the nearest rows; 'feature', the labels that go with the features; 'lcif',
   * both. Default 'lcif'. 'feature' answers fastest, and is the weakest on most data.
   */
  readonly method?: LcifMethod
  /**
   * How many nearest rows speak (k), from 1 to 10,000. Default 100. More cost time and give frequent labels more weight:
   * too many where rare labels are never found, too few where scores jump between items that are alike.
   */
  readonly neighbors?: number
  /**
   * How much nearer rows outweigh farther ones (α), above 0. Default 'learned': the power found along with the weights, or
   * 2 if no weights are learned. Too high, and the nearest row alone decides.
   */
  readonly neighborPower?: number | 'learned'
  /** How much stronger similarities of feature and label outweigh weaker ones (β), above 0. Default 2. */
  readonly featurePower?: number
  /**
   * The share of the instance score in the sum (λ), from 0, features alone, to 1, neighbors alone. Default 0.5; 1 for dense
   * vectors, whose columns all go with all labels.
   */
  readonly mix?: number
  /**
   * What features weigh. 'none': what the data says; 'idf': rare ones more; 'chi2': those that go with labels more;
   * 'learned': what makes neighbors share labels, starting from 'chi2' where all values are 1 and from 'none' elsewhere.
   * Default 'auto': 'learned' for more than 20,000 rows; for fewer, 'none', 'chi2' or 'learned', by cross-validation, the simpler
   * one unless the other is better by more than chance. The fitted model's options say which. Learning is most of the time of
   * `fit`.
   */
  readonly weighting?: Weighting | 'auto'
  /**
   * The share of the features that is kept (s), above 0, at most 1: those whose presence is least certain (highest
   * entropy). Default 1. Lower it for speed; rare features go first, and with them rare labels.
   */
  readonly featureShare?: number
  /**
   * Most similarities of features and labels that are kept, 16 bytes each, at least 1. Default 50,000,000. Where there are
   * more, features with many labels keep the most similar ones.
   */
  readonly featureLabelBudget?: number
}

/** Every option with its value. */
export type LcifSettings = Required<LcifOptions>

/** What each option is where it is not given. */
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

/** All options, checked: what is not given is the default. Names in `others` belong to somebody else. */
export function resolveLcifOptions(options: LcifOptions, others?: OptionTable): LcifSettings {
  // An interface has no index signature; its fields are options by name all the same.
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
