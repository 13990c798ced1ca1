// Finds the options of MemoryClassifier that suit the data.

import type { Dataset } from '../../data/dataset.ts'
import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import type { MetricName } from '../../evaluate/metrics.ts'
import { checkedLater, optionTable } from '../../options.ts'
import type { Classifier } from '../classifier.ts'
import { type FitOptions, fitChecks } from '../options.ts'
import { isDenseData } from '../reading/vector-layout.ts'
import type { TuningResult } from '../tuning/result.ts'
import { tuneByFitting } from '../tuning/tune-by-fitting.ts'
import { type MemoryClassifierOptions, resolveMemoryClassifier } from './options.ts'

/** Options of `tune`. Options you set are kept; the others are tuned. */
export interface MemoryTuningOptions extends MemoryClassifierOptions, FitOptions {
  /** What to improve. */
  readonly metric: MetricName
}

/** Does not try trees and probes: more of either is better and slower. */
const axes: readonly (readonly MemoryClassifierOptions[])[] = [
  [{ weighting: 'idf' }, { weighting: 'chi2' }],
  [{ passes: 2 }, { passes: 5 }],
  [{ balance: 0.8 }, { balance: 0.95 }],
]

const tuningOptions = optionTable<Omit<MemoryTuningOptions, keyof MemoryClassifierOptions>>({
  metric: checkedLater,
  ...fitChecks,
})

export async function tuneMemory(
  items: LabeledItems,
  options: MemoryTuningOptions,
  fitOn: (rows: Dataset, options: MemoryClassifierOptions & FitOptions) => Promise<Classifier>,
): Promise<TuningResult<MemoryClassifierOptions>> {
  const { seed } = resolveMemoryClassifier(options, tuningOptions)
  const { metric, threads, engine, signal, onProgress, ...fixed } = options
  const dataset = await labeledInTurns(items, options)
  const place = { ...(threads !== undefined && { threads }), ...(engine && { engine }), signal }
  const fit = (rows: Dataset, point: MemoryClassifierOptions) => fitOn(rows, { ...point, ...place })
  const open = axes.map(axis => axis.filter(point => !Object.keys(point).some(name => name in fixed)))
  const dense = isDenseData(dataset)
  return tuneByFitting(
    dataset,
    {
      metric,
      seed,
      start: fixed,
      axes: dense ? open.filter(axis => !axis.some(({ weighting }) => weighting)) : open,
      fit,
    },
    { signal, onProgress },
  )
}
