// Finds the distance that suits the data, by any measure, on training rows that are held out; the gap is chosen within each trial.

import type { Dataset } from '../../data/dataset.ts'
import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import type { MetricName } from '../../evaluate/metrics.ts'
import { metricNamesFor } from '../../nets/metrics/named-metrics.ts'
import { checkedLater, optionTable } from '../../options.ts'
import type { Classifier } from '../classifier.ts'
import { type FitOptions, fitChecks } from '../options.ts'
import type { TuningResult } from '../tuning/result.ts'
import { tuneByFitting } from '../tuning/tune-by-fitting.ts'
import { givenTextOptions } from './items.ts'
import { type MarginOptions, resolveMarginOptions } from './options.ts'

/** Options of `tune`. Options you set are kept; the others are tuned. */
export interface MarginTuningOptions extends MarginOptions, FitOptions {
  /** What to improve. */
  readonly metric: MetricName
}

const tuningOptions = optionTable<Omit<MarginTuningOptions, keyof MarginOptions>>({
  metric: checkedLater,
  ...fitChecks,
})

export async function tuneMargin(
  items: LabeledItems,
  options: MarginTuningOptions,
  fitOn: (rows: Dataset, options: MarginOptions & FitOptions) => Promise<Classifier>,
): Promise<TuningResult<MarginOptions>> {
  const { seed, text } = resolveMarginOptions(options, tuningOptions)
  const { metric, threads: _threads, engine: _engine, signal, onProgress, ...fixed } = options
  const dataset = await labeledInTurns(items, options)
  const [first, ...others] = distancesFor(dataset, givenTextOptions(text).length > 0)
  const start = fixed.distance === undefined ? { distance: first, ...fixed } : fixed
  const axes = fixed.distance === undefined ? [others.map(distance => ({ distance }))] : []
  const fit = (rows: Dataset, point: MarginOptions) => fitOn(rows, { ...point, signal })
  const result = await tuneByFitting(dataset, { metric, seed, start, axes, fit }, { signal, onProgress })
  // The distance was chosen on rows that the model is then fitted on, so its bound has to account for the choice.
  const distancesTried = (options.distancesTried ?? 1) * result.table.length
  return { ...result, options: { ...result.options, distancesTried } }
}

/** Texts are compared by spelling or, if text options are given, by words; vectors by metrics that accept their signs. */
function distancesFor({ texts, features }: Dataset, byWords: boolean): string[] {
  if (texts) return byWords ? ['angle'] : [...metricNamesFor('text'), 'angle']
  const negative = features?.values.some(value => value < 0) ?? false
  return ['euclidean', 'manhattan', 'chebyshev', 'angle', ...(negative ? [] : ['jaccard'])]
}
