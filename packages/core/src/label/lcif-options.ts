// The options of LcifClassifier, their defaults, and the check at the door. Words for the paper's symbols: neighbors is k,
// neighborPower α, featurePower β, mix λ, threshold t, featureShare s.

import type { TextOptions } from '../data/text/text-options.ts'
import { EngineError } from '../errors.ts'
import { type ThresholdKind, thresholdDefaults, thresholdKinds } from '../evaluate/thresholds.ts'

export const lcifMethods = ['lcif', 'instance', 'feature'] as const
export type LcifMethod = (typeof lcifMethods)[number]

export const weightings = ['none', 'idf', 'chi2', 'learned'] as const
export type Weighting = (typeof weightings)[number]

export interface LcifOptions {
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
   * 2 where no weights are learned. Too high, and the nearest row alone decides.
   */
  readonly neighborPower?: number | 'learned'
  /** How much stronger similarities of feature and label outweigh weaker ones (β), above 0. Default 2. */
  readonly featurePower?: number
  /** The share of the instance score in the sum (λ), from 0, features alone, to 1, neighbors alone. Default 0.5. */
  readonly mix?: number
  /**
   * Which scores make a predicted set: a number from 0 to 1, or how thresholds are chosen (see `ThresholdKind`), on
   * training rows that are left out in turn. Default 'cardinality'. 'priors' and 'f1' find more rare labels.
   */
  readonly threshold?: number | ThresholdKind
  /** Predict this many times as many labels as the training rows have; above 0. Default 1. Lower it for a low Hamming loss. */
  readonly thresholdFactor?: number
  /** For 'f1': rows at which a label's own threshold and the single one weigh the same; 0 or more. Default 5. */
  readonly thresholdTrust?: number
  /** How many training rows the thresholds are chosen on, at least 1. Default 4,000. Costs one prediction each in `fit`. */
  readonly thresholdRows?: number
  /** Whether a set may be empty. Default false: the best label stays, whatever its score. */
  readonly allowEmpty?: boolean
  /**
   * What features weigh. 'none': what the data says; 'idf': rare ones more; 'chi2': those that go with labels more;
   * 'learned': what makes neighbors share labels, starting from 'chi2' where all values are 1 and from 'none' elsewhere.
   * Default 'learned'. Learning is most of the time of `fit`; below some 1,000 rows it may learn accidents.
   */
  readonly weighting?: Weighting
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
  /** Same seed and same data give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** How texts become features, where the data has texts. Default: see `textDefaults`. */
  readonly text?: TextOptions
  /** Whether the training texts are kept, to be shown as reasons. Default true. Without them models are smaller. */
  readonly keepTexts?: boolean
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
  threshold: 'cardinality',
  thresholdFactor: thresholdDefaults.factor,
  thresholdTrust: thresholdDefaults.trust,
  thresholdRows: 4000,
  allowEmpty: false,
  weighting: 'learned',
  featureShare: 1,
  featureLabelBudget: 50_000_000,
  seed: 1,
  text: Object.freeze({}),
  keepTexts: true,
})

const optionNames = Object.keys(lcifDefaults) as readonly (keyof LcifOptions)[] // Object.keys forgets the names

/** What `fit` and `tune` take beside the options themselves. */
const workNames = ['threads', 'engine', 'signal', 'onProgress']

/** All options, checked: what is not given is the default. Names in `others` belong to somebody else. */
export function resolveLcifOptions(options: LcifOptions, others: readonly string[] = workNames): LcifSettings {
  for (const name of Object.keys(options)) checkName(name, others)
  const entries = optionNames.map(name => [name, options[name] ?? lcifDefaults[name]])
  const settings = Object.fromEntries(entries) as LcifSettings // one entry a name; the values are checked next
  checkValues(settings)
  return Object.freeze({ ...settings, text: Object.freeze({ ...settings.text }) })
}

function checkName(name: string, others: readonly string[]): void {
  if ((optionNames as readonly string[]).includes(name) || others.includes(name)) return
  throw new EngineError('UNKNOWN_NAME', `no option is called "${name}"`, { hint: `Known: ${optionNames.join(', ')}.` })
}

function checkValues(settings: LcifSettings): void {
  checkWord('method', settings.method, lcifMethods)
  checkWord('weighting', settings.weighting, weightings)
  checkWhole('neighbors', settings.neighbors, 1, 10_000)
  checkWhole('thresholdRows', settings.thresholdRows, 1, 2 ** 32)
  checkWhole('featureLabelBudget', settings.featureLabelBudget, 1, 2 ** 28)
  checkWhole('seed', settings.seed, 0, Number.MAX_SAFE_INTEGER)
  if (settings.neighborPower !== 'learned') checkPower('neighborPower', settings.neighborPower, " or 'learned'")
  checkPower('featurePower', settings.featurePower)
  checkNumber('mix', settings.mix, value => value >= 0 && value <= 1, 'a number from 0 to 1')
  checkNumber('featureShare', settings.featureShare, value => value > 0 && value <= 1, 'a number above 0 and at most 1')
  checkNumber(
    'thresholdFactor',
    settings.thresholdFactor,
    value => value > 0 && value <= 100,
    'a number above 0 and at most 100',
  )
  checkNumber('thresholdTrust', settings.thresholdTrust, value => value >= 0 && value <= 1e9, 'a number of at least 0')
  checkThreshold(settings.threshold)
  for (const name of ['allowEmpty', 'keepTexts'] as const) {
    if (typeof settings[name] !== 'boolean') refuse(name, settings[name], 'true or false')
  }
  if (typeof settings.text !== 'object') refuse('text', settings.text, 'an object of text options')
}

function checkThreshold(threshold: unknown): void {
  const expected = 'a number from 0 to 1, or a way to choose it'
  if (typeof threshold !== 'number') checkWord('threshold', threshold, thresholdKinds)
  else checkNumber('threshold', threshold, value => value >= 0 && value <= 1, expected)
}

function checkPower(name: string, value: unknown, otherwise = ''): void {
  checkNumber(name, value, power => power > 0 && power <= 100, `a number above 0 and at most 100${otherwise}`)
}

function checkWord(name: string, value: unknown, known: readonly string[]): void {
  if (known.includes(value as string)) return // includes compares, whatever the value is
  throw new EngineError('UNKNOWN_NAME', `${name} is ${shown(value)}, expected ${known.join(', ')}`)
}

function checkWhole(name: string, value: unknown, from: number, to: number): void {
  if (typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to) return
  refuse(name, value, `a whole number from ${from} to ${to}`)
}

function checkNumber(name: string, value: unknown, allowed: (value: number) => boolean, expected: string): void {
  if (typeof value !== 'number' || !allowed(value)) refuse(name, value, expected)
}

function refuse(name: string, value: unknown, expected: string): never {
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(value)}, expected ${expected}`)
}

function shown(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
