import { describe, expect, it } from 'vitest'
import { Vocabulary } from '../data/vocabulary/vocabulary.ts'
import { LcifClassifier } from '../label/lcif/lcif-classifier.ts'
import { measureQuality } from './quality.ts'

const items = [
  { text: 'red apples', labels: ['fruit'] },
  { text: 'green apples', labels: ['fruit'] },
  { text: 'fast cars', labels: ['cars'] },
  { text: 'old cars', labels: ['cars', 'history'] },
]

describe('measureQuality', () => {
  it('gives metrics, a report for each label by name, and bins of scores', async () => {
    using model = await LcifClassifier.fit(items)
    model.nameLabels(Vocabulary.create([{ id: 'cars', names: { en: 'Cars', fi: 'autot' } }]))
    const quality = await measureQuality(model, [
      { text: 'apples', labels: ['fruit'] },
      { text: 'cars', labels: ['cars'] },
      { text: 'red cars', labels: ['unheard of'] },
    ])
    expect(quality.n).toBe(3)
    expect(quality.metrics['p@1']).toBeCloseTo(2 / 3)
    expect(quality.millisPerItem).toBeGreaterThan(0)
    const byLabel = new Map(quality.perLabel.map(report => [report.label, report]))
    expect(byLabel.get('cars')).toMatchObject({ name: 'Cars', support: 1, recall: 1 })
    expect(byLabel.get('unheard of')).toMatchObject({ support: 1, predicted: 0, recall: 0 })
    const counted = quality.reliability.reduce((sum, { count }) => sum + count, 0)
    expect(counted).toBeGreaterThanOrEqual(3)
  })

  it('leaves out labels that are neither true nor predicted', async () => {
    using model = await LcifClassifier.fit(items)
    const { perLabel } = await measureQuality(model, [{ text: 'apples', labels: ['fruit'] }])
    expect(perLabel.map(({ label }) => label)).toEqual(['fruit'])
  })
})
