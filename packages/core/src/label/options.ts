// Options that all classifiers share: how texts become features, what features weigh, and how scores become sets.

import { resolveTextOptions, type TextOptions } from '../data/text/text-options.ts'
import { type ThresholdKind, thresholdDefaults, thresholdKinds } from '../evaluate/thresholds.ts'
import { checkEngine, type Engine } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import {
  checkNumber,
  checkThreads,
  checkWhole,
  checkWord,
  fillOptions,
  type OptionTable,
  optionTable,
  refuse,
  workChecks,
} from '../options.ts'

export const weightings = ['none', 'idf', 'chi2', 'learned'] as const

/** How features are weighted. */
export type Weighting = (typeof weightings)[number]

export interface CommonOptions {
  /**
   * Which scores make a predicted set: a number from 0 to 1, or how thresholds are chosen (see `ThresholdKind`), on
   * training rows that are left out in turn. Default 'cardinality'. 'priors' and 'f1' find more rare labels.
   */
  readonly threshold?: number | ThresholdKind
  /** Predict this many times as many labels as training rows have on average; above 0. Default 1. Lower it for a low Hamming loss. */
  readonly thresholdFactor?: number
  /** For 'f1': rows at which a label's own threshold and the shared one have the same weight; 0 or more. Default 5. */
  readonly thresholdTrust?: number
  /** How many training rows to choose the thresholds on, at least 1. Default 4,000. Each costs one prediction in `fit`. */
  readonly thresholdRows?: number
  /** Whether a predicted set may be empty. Default false: it always has the best label. */
  readonly allowEmpty?: boolean
  /** Same seed and same data give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** How texts become features, if the data has texts. Default: see `textDefaults`. */
  readonly text?: TextOptions
  /** Whether to keep the training texts, to show them as reasons. Default true. Models are smaller without them. */
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

/** How to run the fit. These options do not change the model. */
export interface FitOptions extends LongWork {
  /** Number of worker threads. Default: one per core. The model is the same for any number. */
  readonly threads?: number
  /** The engine whose memory holds the model. Default: the shared engine. */
  readonly engine?: Engine
}

export const fitChecks = Object.freeze({ threads: checkThreads, engine: checkEngine, ...workChecks })
export const fitOptions = optionTable<FitOptions>(fitChecks)

/** The given options with defaults filled in, frozen. Refuses names that are neither a default nor in `others`. */
export function fillSettings<Settings extends { readonly text: TextOptions }>(
  defaults: Settings,
  options: Readonly<Record<string, unknown>>,
  others: OptionTable = fitOptions,
): Settings {
  const settings = fillOptions(defaults, options, others)
  checkTextPart(settings.text)
  return Object.freeze({ ...settings, text: Object.freeze({ ...settings.text }) })
}

/** Refuses text options that no text pipeline would take, also if there are no texts. */
function checkTextPart(text: TextOptions): void {
  if (typeof text !== 'object' || text === null) refuse('text', text, 'an object of text options')
  resolveTextOptions(text)
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
