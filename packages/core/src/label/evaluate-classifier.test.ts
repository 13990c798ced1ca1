import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { labelPropensities } from '../evaluate/propensity.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { evaluateClassifier } from './evaluate-classifier.ts'
import { ForestClassifier } from './forest/forest-classifier.ts'
import { LcifClassifier } from './lcif/lcif-classifier.ts'
import { MarginClassifier } from './margin/margin-classifier.ts'
import { MemoryClassifier } from './memory/memory-classifier.ts'

const texts = ['red apple', 'green apple', 'red car', 'fast car', 'fast train']
const training = LabelMatrix.from([[0], [0], [1, 2], [1], [1]])
const labelNames = ['fruit', 'traffic', 'red']

let model: LcifClassifier
beforeAll(async () => {
  const dataset = { name: 'train', rows: 5, texts, labels: training, labelNames }
  model = await LcifClassifier.fit(dataset, { weighting: 'none', neighbors: 2 })
})
afterAll(() => model.free())

/** Other numbers than the model's, and a label it does not know. */
const test = {
  name: 'test',
  rows: 2,
  texts: ['apple', 'train'],
  labels: LabelMatrix.from([[1], [0, 2]]),
  labelNames: ['traffic', 'fruit', 'rails'],
}

/** Of labels that this many of the five training rows carry. */
const propensities = (...counts: number[]) => labelPropensities({ rows: 5, counts: () => Float64Array.from(counts) })

describe('evaluateClassifier', () => {
  it('refuses a model that changes meanwhile, instead of mixing answers of two models', async () => {
    const other = await LcifClassifier.fit([{ text: 'red apple', labels: ['fruit'] }], { weighting: 'none' })
    const evaluating = evaluateClassifier(other, [{ text: 'apple', labels: ['fruit'] }], { threads: 1 })
    other.partialFit([{ text: 'red car', labels: ['traffic'] }])
    await expect(evaluating).rejects.toThrow('the classifier changed while it was being evaluated')
    other.free()
  })

  it('notices that a row was replaced by another with the same labels', async () => {
    const rows = [{ id: 'a', text: 'red apple', labels: ['fruit'] }]
    for (const method of [LcifClassifier, ForestClassifier, MarginClassifier, MemoryClassifier]) {
      const other = await method.fit(rows)
      const evaluating = evaluateClassifier(other, [{ text: 'apple', labels: ['fruit'] }], { threads: 1 })
      other.remove(['a'])
      other.partialFit([{ id: 'b', text: 'green apple', labels: ['fruit'] }])
      await expect(evaluating).rejects.toThrow('the classifier changed while it was being evaluated')
      other.free()
    }
  })

  it('measures what the model answers against the labels of the same name', async () => {
    const { metrics, truth, predicted, millisPerItem } = await evaluateClassifier(model, test, { threads: 1 })
    expect(truth.labelNames).toEqual(['fruit', 'traffic', 'red', 'rails'])
    // Both first labels are right, and of the three labels one is never found.
    expect([metrics['p@1'], metrics['p@3'], metrics.microRecall]).toEqual([1, 2 / 6, 2 / 3])
    const [fruit, traffic, rails] = propensities(2, 3, 0)
    expect(metrics['psp@1']).toBeCloseTo((1 / fruit! + 1 / traffic!) / (1 / fruit! + 1 / rails!))
    expect([predicted.columns, millisPerItem > 0]).toEqual([4, true])
  })

  it('takes the constants of the propensities', async () => {
    const usual = await evaluateClassifier(model, test)
    const other = await evaluateClassifier(model, test, { exponent: 0.5, shift: 0.4 })
    expect(other.metrics['psp@3']).not.toBe(usual.metrics['psp@3'])
    expect(other.metrics['p@3']).toBe(usual.metrics['p@3'])
  })

  it('measures a model of two rows, which have no propensities', async () => {
    const rows = [
      { text: 'ships', labels: ['sea'] },
      { text: 'trees', labels: ['land'] },
    ]
    const small = await LcifClassifier.fit(rows)
    const { metrics, pspMissing } = await evaluateClassifier(small, rows)
    expect([metrics['p@1'], metrics.microF1, metrics['psp@1']]).toEqual([1, 1, undefined])
    expect(pspMissing).toBe('propensities need at least 3 training rows, got 2')
    small.free()
    expect((await evaluateClassifier(model, test)).pspMissing).toBeUndefined()
  })

  it('refuses data of another kind', async () => {
    const { texts: _, ...untold } = test
    await expect(evaluateClassifier(model, untold)).rejects.toMatchObject({ code: 'BAD_DATA' })
  })
})
