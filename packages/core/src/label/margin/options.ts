// The options of MarginClassifier, their defaults and their checks. Words for the paper's symbols: gap is 2 / L, tolerance η,
// uncertainty δ, rademacherConstant c_D.

import type { TextOptions } from '../../data/text/text-options.ts'
import type { LongWork } from '../../long-work.ts'
import { checkOwnMetric, type Metric } from '../../nets/metrics/metric.ts'
import { type MetricItem, netMetrics } from '../../nets/metrics/named-metrics.ts'
import { checkNumber, checkWhole, checkWord, type OptionTable, optionTable } from '../../options.ts'
import { type FitOptions, fillSettings, fitChecks } from '../options.ts'

/** Options of `MarginClassifier`. */
export interface MarginOptions {
  /**
   * The distance. Default 'auto': 'levenshtein' for texts, 'euclidean' for vectors. 'levenshtein' and
   * 'levenshtein-normalized' compare texts as they are; for other distances, texts go through the text pipeline first.
   */
  readonly distance?: string
  /**
   * Rows without a common label that are nearer to each other than this are in conflict, and at least one of each such pair is
   * dropped (2 / L in the paper). 0 drops nothing: the plain nearest neighbor. Default 'chosen', see `select`. If it is too
   * large, whole labels are dropped; if it is too small, mislabeled rows are kept.
   */
  readonly gap?: number | 'chosen'
  /**
   * How the gap is chosen: 'validation' (default) by the error on held-out rows; 'bound' by the proven bound on the error, structural
   * risk minimization as in the paper. If no bound beats always answering the most frequent label, held-out rows decide.
   */
  readonly select?: (typeof selections)[number]
  /**
   * How much farther than the nearest a neighbor may be: 0.1 for a tenth (η). Default 0, exact. Higher is faster, with a slightly higher
   * bound.
   */
  readonly tolerance?: number
  /**
   * How far rows may be moved on average, as a share of the largest distance, so that the data has fewer distinct places (α / n of
   * an (α, β)-perturbation). Default 0: rows stay where they are. You cannot remove rows from such a model.
   */
  readonly perturb?: number
  /**
   * Labels with a smaller margin are not predicted, so that predicted sets may be empty. From 0 to 1. Default 0: labels with a
   * positive margin are predicted, or else the best one.
   */
  readonly minMargin?: number
  /** The probability that the bound does not hold (δ). Default 0.05. */
  readonly uncertainty?: number
  /**
   * How many distances you tried on these rows before you chose this one: the bound accounts for it. Default 1. `tune` sets it.
   */
  readonly distancesTried?: number
  /** The constant of the paper's Rademacher bound (c_D), for an estimate; the paper does not print it. Default 0: not reported. */
  readonly rademacherConstant?: number
  /** How many rows are held out to choose the gap, at most a fifth of all. Default 4,000. */
  readonly validationRows?: number
  /** Same seed and same data give the same bytes on every machine. Default 1. */
  readonly seed?: number
  /** How texts become features, for distances between vectors. Default: see `textDefaults`. */
  readonly text?: TextOptions
}

/** Your own distance: between texts, or between vectors as the model stores them (dense if few numbers are zero). */
export type OwnDistance = Metric<MetricItem>

/** Options that can carry your own distance function. Files cannot hold it, so pass it again when you load the model. */
export interface OwnDistanceOption {
  /**
   * Your own distance instead of `distance`. It is checked on triples of rows, and refused if it is not a metric. Texts are compared as
   * they are.
   */
  readonly ownDistance?: OwnDistance
}

/** Options of `MarginClassifier.load` and `fromBytes`. */
export interface MarginLoadOptions extends OwnDistanceOption, Pick<LongWork, 'signal'> {}

/** All options, defaults filled in. */
export type MarginSettings = Required<MarginOptions>

export const selections = ['validation', 'bound'] as const

/** The default options. */
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

/** What `fit` takes in addition to the options that shape the model. */
export const marginFitOptions = optionTable<FitOptions & OwnDistanceOption>({
  ...fitChecks,
  ownDistance: checkOwnMetric,
})

/** All options, checked, with defaults filled in. Names in `others` are allowed, and left to the caller. */
export function resolveMarginOptions(options: MarginOptions, others: OptionTable = marginFitOptions): MarginSettings {
  // An interface has no index signature, but its fields are options by name.
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
