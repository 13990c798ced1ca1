// Trains and measures the model of the demo.

import { type BatchOptions, type Classifier, type Dataset, evaluate, findMethod, type Metrics } from '@vicinal/core'
import { alignLabels, itemsOf } from '@vicinal/core/internals'
import type { Titles } from './data.ts'

export interface DemoModel {
  readonly model: Classifier
  /** Time to learn. */
  readonly seconds: number
  /** On the test titles. */
  readonly metrics: Metrics
  readonly millisPerItem: number
  /** Size as a file. */
  readonly modelBytes: number
}

/** Learning weights takes most of a minute and gains nothing on these titles. Thresholds are for sets, which the demo does not show. */
const options = { weighting: 'none', thresholdRows: 500 } as const

export async function learnTitles(titles: Titles, work: BatchOptions, seed: number | undefined): Promise<DemoModel> {
  const { model, seconds } = await fitTitles(titles, work, seed)
  return {
    model,
    seconds,
    ...(await measure(model, titles.test, work)),
    modelBytes: model.toBytes().length,
  }
}

export async function fitTitles(
  { train }: Pick<Titles, 'train'>,
  work: BatchOptions,
  seed: number | undefined,
): Promise<Pick<DemoModel, 'model' | 'seconds'>> {
  const start = performance.now()
  const model = await findMethod('lcif').fit(train, { ...options, ...(seed !== undefined && { seed }), ...work })
  return { model, seconds: (performance.now() - start) / 1000 }
}

async function measure(
  model: Classifier,
  test: Dataset,
  work: BatchOptions,
): Promise<Pick<DemoModel, 'metrics' | 'millisPerItem'>> {
  const start = performance.now()
  const ranked = await model.predictBatch(itemsOf(test, model), { ...work, top: 5 })
  const millisPerItem = (performance.now() - start) / test.rows
  return { metrics: evaluate(alignLabels(test, model.labelNames).labels, ranked), millisPerItem }
}
