// Options that all classifiers share: how texts become features, what features weigh, and how scores become sets.

import type { TextOptions } from '../data/text/text-options.ts'
import { type ThresholdKind, thresholdDefaults, thresholdKinds } from '../evaluate/thresholds.ts'
import { checkNumber, checkWhole, checkWord, fillOptions, refuse } from '../options.ts'

export const weightings = ['none', 'idf', 'chi2', 'learned'] as const
export type Weighting = (typeof weightings)[number]

export interface CommonOptions {
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
  /** Same seed and same data give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** How texts become features, where the data has texts. Default: see `textDefaults`. */
  readonly text?: TextOptions
  /** Whether the training texts are kept, to be shown as reasons. Default true. Without them models are smaller. */
  readonly keepTexts?: boolean
}

export const commonDefaults: Required<CommonOptions> = Object.freeze({
  threshold: 'cardinality',
  thresholdFactor: thresholdDefaults.factor,
  thresholdTrust: thresholdDefaults.trust,
  thresholdRows: 4000,
  allowEmpty: false,
  seed: 1,
  text: Object.freeze({}),
  keepTexts: true,
})

/** What `fit` and `tune` take beside the options themselves. */
export const workNames = ['threads', 'engine', 'signal', 'onProgress']

/** The given options, others as their defaults, frozen; a name that is neither a default nor in `others` is refused. */
export function fillSettings<Settings extends { readonly text: TextOptions }>(
  defaults: Settings,
  options: Readonly<Record<string, unknown>>,
  others: readonly string[] = workNames,
): Settings {
  const settings = fillOptions(defaults, options, others)
  if (typeof settings.text !== 'object') refuse('text', settings.text, 'an object of text options')
  return Object.freeze({ ...settings, text: Object.freeze({ ...settings.text }) })
}

export function checkCommon(settings: Required<CommonOptions>): void {
  checkWhole('thresholdRows', settings.thresholdRows, 1, 2 ** 32)
  checkWhole('seed', settings.seed, 0, Number.MAX_SAFE_INTEGER)
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
}

function checkThreshold(threshold: unknown): void {
  const expected = 'a number from 0 to 1, or a way to choose it'
  if (typeof threshold !== 'number') checkWord('threshold', threshold, thresholdKinds)
  else checkNumber('threshold', threshold, value => value >= 0 && value <= 1, expected)
}
