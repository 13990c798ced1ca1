import { describe, expect, it } from 'vitest'
import { type MetricName, metricNames } from '../../evaluate/metrics.ts'
import type { Progress } from '../../long-work.ts'
import { shelf, vectors } from '../shelf.cases.ts'
import { LcifClassifier } from './lcif-classifier.ts'
import { tuneLcif } from './tuning.ts'
import { type LcifGrid, lcifPaperGrid } from './tuning-grid.ts'

describe('tuneLcif', () => {
  it('returns the best of all points it has tried', async () => {
    for (const metric of ['microF1', 'hammingLoss', 'p@1'] as const) {
      const { options, value, table } = await tuneLcif(shelf, { metric, weighting: 'none' })
      const values = table.map(point => point.value)
      expect(value).toBe(metric === 'hammingLoss' ? Math.min(...values) : Math.max(...values))
      expect(table.find(point => point.value === value)?.options).toEqual(options)
      expect(new Set(table.map(point => JSON.stringify(point.options))).size).toBe(table.length)
    }
  })

  it('takes every measure as its goal', async () => {
    const fixed = {
      weighting: 'none',
      featureShare: 1,
      neighbors: 3,
      neighborPower: 1,
      featurePower: 1,
      mix: 0.5,
    } as const
    for (const metric of metricNames) {
      const { value } = await tuneLcif(shelf, { metric, ...fixed })
      expect([metric, value >= 0 && value <= 1]).toEqual([metric, true])
    }
  })

  it('keeps the options that are given', async () => {
    const fixed = {
      method: 'instance',
      weighting: 'idf',
      neighborPower: 3,
      threshold: 'priors',
      featureShare: 1,
    } as const
    const { options, table } = await tuneLcif(shelf, { metric: 'accuracy', ...fixed })
    expect(options).toMatchObject(fixed)
    for (const point of table) expect(point.options).toMatchObject(fixed)
    // Only the number of neighbors is left.
    expect(new Set(table.map(point => point.options.neighbors)).size).toBe(table.length)
  })

  it('tries the values of a grid, the first of them first', async () => {
    const grid = { neighbors: [3, 1], neighborPower: [1.5], featurePower: [2], mix: [0.25, 1] }
    const { options, table } = await tuneLcif(shelf, { metric: 'p@1', weighting: 'none', featureShare: 1, grid })
    expect(table[0].options).toMatchObject({ neighbors: 3, neighborPower: 1.5, featurePower: 2, mix: 0.25 })
    const tried = (name: 'neighbors' | 'mix') => new Set(table.map(point => point.options[name]))
    expect([tried('neighbors'), tried('mix')]).toEqual([new Set([3, 1]), new Set([0.25, 1])])
    expect(options).not.toHaveProperty('grid')
  })

  it('has the grids of the paper: 9 numbers of neighbors, 4 powers each, 11 mixes', async () => {
    const sizes = Object.values(lcifPaperGrid).map(values => new Set(values).size)
    expect(sizes).toEqual([9, 4, 4, 11])
    const { options } = await tuneLcif(shelf, { metric: 'p@1', weighting: 'none', grid: lcifPaperGrid })
    for (const [name, values] of Object.entries(lcifPaperGrid))
      expect(values).toContain(options[name as keyof LcifGrid])
  })

  it('tries no thresholds for a measure of rankings', async () => {
    const { table } = await tuneLcif(shelf, { metric: 'ndcg@3', weighting: 'none' })
    expect(new Set(table.map(({ options }) => `${options.threshold} ${options.thresholdFactor}`)).size).toBe(1)
  })

  it('finds the same on one thread and on two', async () => {
    const [one, two] = await Promise.all(
      [1, 2].map(threads => tuneLcif(vectors, { metric: 'microF1', threads, folds: 2 })),
    )
    expect(two).toEqual(one)
  })

  it('tells how far it is, and never goes back', async () => {
    const reports: Progress[] = []
    await tuneLcif(shelf, { metric: 'p@1', weighting: 'none', onProgress: report => reports.push(report) })
    const tuning = reports.filter(({ what }) => what === 'tuning')
    expect(tuning.at(-1)).toMatchObject({ done: tuning[0]?.total })
    tuning.forEach(({ done, total }, i) => {
      expect(done).toBeGreaterThanOrEqual(tuning[i - 1]?.done ?? 0)
      expect(done).toBeLessThanOrEqual(total ?? 0)
    })
  })

  it('stops when told to', async () => {
    const controller = new AbortController()
    const tuned = tuneLcif(shelf, { metric: 'p@1', signal: controller.signal })
    setImmediate(() => controller.abort())
    await expect(tuned).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it.each<[Record<string, unknown>, string]>([
    [{ metric: 'f1' }, 'UNKNOWN_NAME'],
    [{ metric: 'p@1', neighbours: 3 }, 'UNKNOWN_NAME'],
    [{ metric: 'p@1', folds: 1 }, 'INVALID_OPTION'],
    [{ metric: 'p@1', sample: 0 }, 'INVALID_OPTION'],
    [{ metric: 'p@1', grid: { neighbors: [] } }, 'INVALID_OPTION'],
    [{ metric: 'p@1', grid: { neighbors: 5 } }, 'INVALID_OPTION'],
    [{ metric: 'p@1', grid: { mix: [0.5, 1.5] } }, 'INVALID_OPTION'],
    [{ metric: 'p@1', grid: { mix: [0.5] }, mix: 0.5 }, 'INVALID_OPTION'],
    [{ metric: 'p@1', grid: { threshold: ['f1'] } }, 'UNKNOWN_NAME'],
  ])('refuses %o', async (options, code) => {
    await expect(tuneLcif(shelf, options as { metric: MetricName })).rejects.toMatchObject({ code })
  })
})

describe('LcifClassifier.tune', () => {
  it('fits with what it has found', async () => {
    const { classifier, options } = await LcifClassifier.tune(shelf, { metric: 'microF1', weighting: 'none' })
    expect(classifier.options).toMatchObject(options)
    expect(classifier.predict('sailing ships')[0]?.label).toBe('shipping')
    classifier.free()
  })
})

describe('a row of zeros, which cosine cannot compare', () => {
  const rows = [
    { vector: [0, 0, 0], labels: ['a'] },
    { vector: [1, 2, 3], labels: ['b'] },
    { vector: [1, 2, 4], labels: ['b'] },
    { vector: [9, 2, 4], labels: ['a'] },
    { vector: [8, 2, 4], labels: ['a'] },
  ]

  it('does not stop tuning: spaces that some trial cannot have are not tried', async () => {
    const { options, table } = await tuneLcif(rows, { metric: 'microF1' })
    expect(table.filter(point => point.options.distance === 'cosine' && point.options.scaling === 'none')).toEqual([])
    const model = await LcifClassifier.fit(rows, options)
    expect(model.predict([9, 2, 5])[0].label).toBe('a')
    model.free()
  })

  it('is still refused where cosine is asked for', async () => {
    const refused = { code: 'BAD_DATA', message: expect.stringContaining('it has no direction, which cosine needs') }
    await expect(tuneLcif(rows, { metric: 'microF1', distance: 'cosine', scaling: 'none' })).rejects.toMatchObject(
      refused,
    )
  })
})
