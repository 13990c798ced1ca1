// The options of MarginClassifier, their defaults, and the check at the door. Words for the paper's symbols: gap is 2 / L, tolerance η,
// uncertainty δ, rademacherConstant c_D.

import type { TextOptions } from '../../data/text/text-options.ts'
import { checkOwnMetric, type Metric } from '../../nets/metrics/metric.ts'
import { type MetricItem, netMetrics } from '../../nets/metrics/named-metrics.ts'
import { checkNumber, checkWhole, checkWord, type OptionTable, optionTable } from '../../options.ts'
import { type FitOptions, fillSettings, fitChecks } from '../options.ts'

/** Options of `MarginClassifier`. */
export interface MarginOptions {
  /**
   * What distance means. Default 'auto': 'levenshtein' for texts, 'euclidean' for vectors. Texts are compared as they are by
   * 'levenshtein' and 'levenshtein-normalized'; by any metric of vectors they first go through the text pipeline.
   */
  readonly distance?: string
  /**
   * Rows without a common label that are nearer to each other than this are in conflict, and of each such pair one at least is
   * dropped (2 / L in the paper). 0 drops nothing: the plain nearest neighbor. Default 'chosen', see `select`. Too large, and
   * whole labels are dropped; too small, and rows that are labeled wrong keep speaking.
   */
  readonly gap?: number | 'chosen'
  /**
   * How the gap is chosen: 'validation' (default) by the error on rows held out; 'bound' by the proven bound on the error, structural
   * risk minimization as in the paper. If no bound is below what the most frequent label alone gets wrong, rows held out decide.
   */
  readonly select?: (typeof selections)[number]
  /** How much farther than the nearest a neighbor may be: 0.1 for a tenth (η). Default 0, exact. Computes fewer distances; the bound is a little higher. */
  readonly tolerance?: number
  /**
   * How far rows may be moved on average, as a share of the largest distance, so that fewer places and dimensions are left (α / n of
   * an (α, β)-perturbation). Default 0: they stay. Rows of such a model cannot be removed.
   */
  readonly perturb?: number
  /**
   * A label whose margin is less than this is no prediction: sets may then be empty. From 0 to 1. Default 0: labels whose margin is
   * above it are in sets, or else the best one.
   */
  readonly minMargin?: number
  /** The probability with which the bound may fail (δ). Default 0.05. */
  readonly uncertainty?: number
  /**
   * How many distances you tried on these rows before you chose this one: the bound pays for the choice. Default 1. `tune` fills it in.
   */
  readonly distancesTried?: number
  /** The constant of the paper's Rademacher bound (c_D), for an estimate; the paper does not print it. Default 0: not reported. */
  readonly rademacherConstant?: number
  /** How many rows are held out to choose the gap, at most a fifth of all. Default 4,000. */
  readonly validationRows?: number
  /** Same seed and same data give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** How texts become features, by a metric of vectors; refused by others. Default: see `textDefaults`. */
  readonly text?: TextOptions
}

/** A distance of the caller's own: of texts, or of vectors as the model keeps them, dense where few numbers are zeros. */
export type OwnDistance = Metric<MetricItem>

/** What no file can hold, so that who loads the model gives it again. */
export interface OwnDistanceOption {
  /** In the place of `distance`: tried on triples of rows, and refused where it is no metric. Texts are compared as they are. */
  readonly ownDistance?: OwnDistance
}

/** Every option with its value. */
export type MarginSettings = Required<MarginOptions>

export const selections = ['validation', 'bound'] as const

/** What each option is where it is not given. */
export const marginDefaults: MarginSettings = Object.freeze({
  distance: 'auto',
  gap: 'chosen',
  select: 'validation',
  tolerance: 0,
  perturb: 0,
  minMargin: 0,
  uncertainty: 0.05,
  distancesTried: 1,
  rademacherConstant: 0,
  validationRows: 4000,
  seed: 1,
  text: Object.freeze({}),
})

/** What `fit` takes beside the options that shape the model. */
export const marginFitOptions = optionTable<FitOptions & OwnDistanceOption>({
  ...fitChecks,
  ownDistance: checkOwnMetric,
})

/** All options, checked: what is not given is the default. Names in `others` are allowed, and left to the caller. */
export function resolveMarginOptions(options: MarginOptions, others: OptionTable = marginFitOptions): MarginSettings {
  // An interface has no index signature; its fields are options by name all the same.
  const settings = fillSettings(marginDefaults, options as Readonly<Record<string, unknown>>, others)
  const { gap } = settings
  checkWord('distance', settings.distance, ['auto', ...netMetrics])
  checkWord('select', settings.select, selections)
  if (gap !== 'chosen') checkNumber('gap', gap, isAmount, "a finite number of at least 0, or 'chosen'")
  for (const name of ['tolerance', 'rademacherConstant'] as const) {
    checkNumber(name, settings[name], isAmount, 'a finite number of at least 0')
  }
  checkNumber('perturb', settings.perturb, value => value >= 0 && value <= 1, 'a number from 0 to 1')
  checkNumber('minMargin', settings.minMargin, value => value >= 0 && value <= 1, 'a number from 0 to 1')
  checkNumber('uncertainty', settings.uncertainty, value => value > 0 && value < 1, 'a number above 0 and below 1')
  checkWhole('distancesTried', settings.distancesTried, 1, 2 ** 32)
  checkWhole('validationRows', settings.validationRows, 1, 2 ** 32)
  checkWhole('seed', settings.seed, 0, Number.MAX_SAFE_INTEGER)
  return settings
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY
}
