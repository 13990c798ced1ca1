// What the demo learns, and what it measures.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BatchOptions, type Classifier, type Dataset, evaluate, findMethod, type Metrics } from '@vicinal/core'
import { alignLabels, itemsOf } from '@vicinal/core/internals'
import { fileBytes } from '../files/output-file.ts'
import type { Titles } from './data.ts'

export interface DemoModel {
  readonly model: Classifier
  /** What learning took. */
  readonly seconds: number
  /** On the test titles. */
  readonly metrics: Metrics
  readonly millisPerItem: number
  /** Size as a file. */
  readonly modelBytes: number
}

/** Learned weights take most of a minute, and gain nothing on these titles; thresholds are for sets, which are not shown. */
const options = { weighting: 'none', thresholdRows: 500 } as const

export async function learnTitles(titles: Titles, work: BatchOptions, seed: number | undefined): Promise<DemoModel> {
  const start = performance.now()
  const model = await findMethod('lcif').fit(titles.train, { ...options, ...(seed !== undefined && { seed }), ...work })
  const seconds = (performance.now() - start) / 1000
  return {
    model,
    seconds,
    ...(await measure(model, titles.test, work)),
    modelBytes: await storedBytes(model, work.signal),
  }
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

async function storedBytes(model: Classifier, signal: AbortSignal | undefined): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vicinal-demo-'))
  try {
    const file = join(folder, 'titles.model')
    await model.save(file, { signal })
    return await fileBytes(file)
  } finally {
    await rm(folder, { recursive: true })
  }
}
