// What the margin classifier claims about its error, tried on whole models.

import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { Random } from '../../random.ts'
import { MarginClassifier } from './margin-classifier.ts'
import type { MarginOptions } from './options.ts'

type Point = readonly number[]

function dataset(points: readonly Point[], labels: readonly number[]): Dataset {
  const count = Math.max(2, ...labels.map(label => label + 1))
  const matrix = LabelMatrix.from(labels.map(label => [label]), count) // biome-ignore format: one idea
  return { name: 'points', rows: points.length, features: DenseMatrix.from(points.map(point => [...point])), labels: matrix } // biome-ignore format: one dataset
}

/** Two places, far apart, one label each. */
const clear = dataset(
  Array.from({ length: 300 }, (_, i) => [10 * (i % 2)]),
  Array.from({ length: 300 }, (_, i) => i % 2),
)

describe('what the margin classifier proves', () => {
  it.each<[string, MarginOptions]>([
    ['by the bound', { select: 'bound' }],
    ['by rows held out', {}],
    ['with a tolerance', { select: 'bound', tolerance: 0.3 }],
    ['with places', { gap: 0, perturb: 0.02 }],
  ])('holds for coin-flip labels in as many runs as it says, %s', async (_, options) => {
    const [runs, uncertainty] = [40, 0.2]
    let held = 0
    for (let seed = 1; seed <= runs; seed++) {
      const random = new Random(seed)
      // Spread out, heaped up with copies, or with an outlier.
      const draw = [() => random.float(), () => random.below(5), () => random.normal() * 10 ** random.below(4)][
        seed % 3
      ]
      const points = Array.from({ length: 50 }, () => [draw(), seed % 2 === 0 ? 0 : draw()])
      const data = dataset(points, points.map(() => random.below(2))) // biome-ignore format: one idea
      const model = await MarginClassifier.fit(data, { ...options, uncertainty, seed })
      // Whatever it says, half of new items are errors.
      if ((model.report.bound.total ?? 1) >= 0.5) held++
    }
    expect(held / runs).toBeGreaterThanOrEqual(1 - uncertainty)
  })

  it('is far from vacuous if labels are clearly apart, two clusters or ten', async () => {
    for (const [clusters, most] of [
      [2, 0.032],
      [10, 0.085],
    ] as const) {
      const random = new Random(clusters)
      const labels = Array.from({ length: 800 }, (_, i) => i % clusters)
      const data = dataset(labels.map(label => [5 * label + random.float(), random.float()]), labels) // biome-ignore format: one idea
      for (const options of [{}, { select: 'bound' }] as const) {
        const { bound } = (await MarginClassifier.fit(data, options)).report
        expect(bound.vacuous).toBe(false)
        expect(bound.total).toBeLessThan(most) // measured: 0.029 and 0.08
      }
    }
  })

  it('is no longer claimed once rows were added or removed, by a saved model neither', async () => {
    const fitted = await MarginClassifier.fit(clear)
    expect(fitted.report.bound.total).toBeLessThan(0.2)
    const reason = 'rows were added or removed after fitting'
    const [added, removed] = [await MarginClassifier.fit(clear), await MarginClassifier.fit(clear)]
    added.partialFit(dataset([[0], [10]], [1, 0]))
    expect(removed.remove(['nobody'])).toBe(0)
    expect(removed.report).toEqual(fitted.report)
    removed.remove([3])
    for (const model of [added, removed, MarginClassifier.fromContents(added.contents())]) {
      expect(model.report.bound).toMatchObject({ total: null, vacuous: true, compressed: null, reason })
    }
  })

  it('is higher if the distance was the best of several, which tune says', async () => {
    const one = await MarginClassifier.fit(clear, { distance: 'euclidean' })
    const { options, table } = await MarginClassifier.tune(clear, { metric: 'p@1' })
    expect([options.distancesTried, table.length]).toEqual([5, 5])
    const best = await MarginClassifier.fit(clear, { ...options, distance: 'euclidean' })
    expect(best.report.bound.total).toBeGreaterThan(one.report.bound.total ?? 1)
    // Two rows stand for 300: ln 5 nats more over 298 rows.
    const nats = (total: number | null) => -Math.log(1 - (total ?? 1))
    expect(nats(best.report.bound.total) - nats(one.report.bound.total)).toBeCloseTo(Math.log(5) / 298, 6)
    expect((await MarginClassifier.tune(clear, { metric: 'p@1', distance: 'manhattan' })).options.distancesTried).toBe(
      1,
    )
  })
})

describe('structural risk minimization', () => {
  it('ends within a factor of 4 of the best of all gaps (formula 14), on clusters, noise and outliers', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = new Random(seed)
      const [apart, noise] = [[3, 10][seed % 2], [0, 0.1, 0.25][seed % 3]]
      const truths = Array.from({ length: 150 }, () => random.below(2))
      const points = truths.map(truth => [apart * truth + random.float() ** 2, random.float()])
      if (seed % 4 === 0) points[0] = [1e4, 0]
      const labels = truths.map(truth => (random.float() < noise ? 1 - truth : truth))
      const data = dataset(points, labels)
      const { bound, selectedBy } = (await MarginClassifier.fit(data, { select: 'bound' })).report
      if (selectedBy !== 'bound') continue
      let best = 1
      for (let gap = 0.05; gap < 20; gap *= 1.1) {
        const { total } = (await MarginClassifier.fit(data, { gap })).report.bound
        best = Math.min(best, total ?? 1)
      }
      expect(bound.total ?? 1).toBeLessThanOrEqual(4 * best)
      expect(bound.total ?? 1).toBeLessThanOrEqual(1.3 * best) // measured: 1.05 at most
    }
  })
})
