// `tune` is the same call on every classifier, and gives the same kind of answer.

import { expect, it } from 'vitest'
import type { LabeledItems } from '../../data/given/labeled.ts'
import { EngineError } from '../../errors.ts'
import type { MetricName } from '../../evaluate/metrics.ts'
import type { Progress } from '../../long-work.ts'
import type { Classifier } from '../classifier.ts'
import { ForestClassifier } from '../forest/forest-classifier.ts'
import { LcifClassifier } from '../lcif/lcif-classifier.ts'
import { MarginClassifier } from '../margin/margin-classifier.ts'
import { MemoryClassifier } from '../memory/memory-classifier.ts'
import type { Tuned } from './result.ts'

const items = Array.from({ length: 60 }, (_, i) => ({
  text: `word${i % 3} other${i % 7} more${i % 5}`,
  labels: [`l${i % 3}`],
}))

interface TuneOptions {
  readonly metric: MetricName
  readonly seed?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}
type Tune = (items: LabeledItems, options: TuneOptions) => Promise<Tuned<{ readonly seed?: number }, Classifier>>

/** Forests of a few trees, as these are quick. The floors stand below P@1 of 1, 1, 0.8 and 1. */
const kinds: [name: string, tune: Tune, floor: number][] = [
  ['LcifClassifier', LcifClassifier.tune, 0.95],
  ['ForestClassifier', (rows, options) => ForestClassifier.tune(rows, { ...options, trees: 3, tuningTrees: 2 }), 0.95],
  ['MarginClassifier', MarginClassifier.tune, 0.75],
  ['MemoryClassifier', MemoryClassifier.tune, 0.95],
]

it.each(kinds)('%s finds the best of what it tried, and fits with it', async (_name, tune, floor) => {
  const seen: Progress[] = []
  const tuned = await tune(items, { metric: 'p@1', seed: 3, onProgress: progress => seen.push(progress) })
  expect(tuned.table.length).toBeGreaterThan(1)
  expect(tuned.value).toBe(Math.max(...tuned.table.map(({ value }) => value)))
  expect(tuned.value).toBeGreaterThan(floor)
  expect(tuned.options.seed).toBe(3)
  expect(tuned.table.every(({ options }) => options.seed === 3)).toBe(true)
  expect(tuned.classifier.options).toMatchObject({ seed: 3 })
  expect(tuned.classifier.rows).toBe(60)
  expect(tuned.classifier.predict('word1')[0]?.label).toBe('l1')
  expect(seen.length).toBeGreaterThan(0)
  tuned.classifier.free()
})

it.each(kinds)('%s refuses a measure, an option and a signal that it cannot work with', async (_name, tune) => {
  await expect(tune(items, { metric: 'accuray' as MetricName })).rejects.toBeInstanceOf(EngineError)
  await expect(tune(items, { metric: 'p@1', sed: 1 } as TuneOptions)).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
  const aborted = { metric: 'p@1', signal: AbortSignal.abort() } as const
  await expect(tune(items, aborted)).rejects.toMatchObject({ code: 'ABORTED' })
})
