// Tunes by fitting: holds out some training rows, tries one option after another on the rest, and keeps the best so far. For methods that
// are quick to fit; others have their own tuners, which reuse work between trials.

import { sparingly } from '../../data/bytes/sparing-progress.ts'
import { type Dataset, selectRows } from '../../data/dataset.ts'
import { EngineError, throwIfAborted } from '../../errors.ts'
import { checkMetricName, isBetter, type MetricName } from '../../evaluate/metrics.ts'
import type { LongWork } from '../../long-work.ts'
import { Random } from '../../random.ts'
import type { Classifier } from '../classifier.ts'
import { evaluateClassifier } from '../evaluate-classifier.ts'
import { checkTraining } from '../training-data.ts'
import type { TunedPoint, TuningResult } from './result.ts'
import { holdOut } from './splits.ts'

export interface FittingTrial<Options extends object> {
  readonly metric: MetricName
  readonly seed: number
  /** Options to begin with: the caller's, which are kept, and first values for the others. */
  readonly start: Options
  /** Values to try, one list per option. */
  readonly axes: readonly (readonly Partial<Options>[])[]
  fit(dataset: Dataset, options: Options): Promise<Classifier>
}

/** Rows that are held out, at most; and at most a third of all. */
const sample = 4000

export async function tuneByFitting<Options extends object>(
  dataset: Dataset,
  trial: FittingTrial<Options>,
  { signal, onProgress }: LongWork,
): Promise<TuningResult<Options>> {
  const metric = checkMetricName(trial.metric)
  checkTraining(dataset)
  if (dataset.rows < 3) throw new EngineError('EMPTY_DATA', `tuning needs at least 3 rows, got ${dataset.rows}`)
  const [{ queries, training }] = holdOut(dataset.rows, sample, new Random(trial.seed))
  const [learned, asked] = [selectRows(dataset, training ?? []), selectRows(dataset, queries)]
  const total = trial.axes.reduce((sum, { length }) => sum + length, 1)
  const report = sparingly(onProgress)
  const table: TunedPoint<Options>[] = []
  const attempt = async (options: Options): Promise<TunedPoint<Options>> => {
    throwIfAborted(signal)
    const model = await trial.fit(learned, options)
    try {
      const { metrics, pspMissing } = await evaluateClassifier(model, asked, { signal })
      const value = (metrics as Partial<Record<MetricName, number>>)[metric] // each measure has its name
      if (value === undefined) throw new EngineError('EMPTY_DATA', `${metric} cannot be tuned: ${pspMissing}`)
      table.push({ options, value })
      report({ what: 'tuning', done: table.length, total })
      return { options, value }
    } finally {
      model.free()
    }
  }
  let best = await attempt(trial.start)
  for (const axis of trial.axes) {
    for (const point of axis) {
      const tried = await attempt({ ...best.options, ...point })
      if (isBetter(metric, tried.value, best.value)) best = tried
    }
  }
  return { ...best, table }
}
