import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { Random } from '../../random.ts'
import { growerNames } from '../../trees/growers.ts'
import { describeVectors } from '../vector.cases.ts'
import { ForestClassifier } from './forest-classifier.ts'

describeVectors('ForestClassifier, chronological', {
  fit: (dataset, options) =>
    ForestClassifier.fit(dataset, { ...options, grower: 'chronological', trees: 20, leafSize: 2 }),
  load: path => ForestClassifier.load(path),
  denseOnly: true,
})

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Rows spread out in eight columns; the sign of the first and the fourth make the label. */
function spreadRows(count: number): Dataset {
  const random = new Random(5)
  const rows = Array.from({ length: count }, () => Array.from({ length: 8 }, () => random.normal()))
  const labels = rows.map(row => [Number(row[0]! > 0) + 2 * Number(row[3]! > 0)])
  return { name: 'spread', rows: count, features: DenseMatrix.from(rows), labels: LabelMatrix.from(labels, 4) }
}

describe.each(growerNames)('a forest on dense vectors, grown by %s', grower => {
  const options = { grower, trees: 12, leafSize: 3, engine } as const

  it('leads every training row to the leaf it was grown into: leaves that lost all their rows name no label', async () => {
    const data = spreadRows(300)
    const model = await ForestClassifier.fit(data, options)
    // Rows are taken out of the leaves they reach: with one that was not theirs, counts of others would be left over.
    expect(model.remove(Array.from({ length: 299 }, (_, i) => i))).toBe(299)
    const [last] = data.labels!.row(299)
    for (let i = 0; i < 299; i += 7) {
      const labels = model.predict(data.features!.row(i)).map(({ label }) => label)
      expect(labels.filter(label => label !== String(last))).toEqual([])
    }
    model.free()
  })

  it('explains with the way to the leaf that was reached', async () => {
    const data = spreadRows(300)
    for (const reading of [{}, { probes: 5, blend: 0.5 }, { rule: 'voting' as const }]) {
      const model = await ForestClassifier.fit(data, { ...options, ...reading })
      for (let i = 0; i < 300; i += 60) {
        const item = data.features!.row(i)
        const [best] = model.predict(item)
        const { score, paths, neighbors } = model.explain(item, best!.label)
        expect(score).toBeCloseTo(best!.score, 5)
        expect(paths).toHaveLength(12)
        const leaves = paths!.reduce((sum, { share }) => sum + share, 0)
        expect(leaves).toBeLessThanOrEqual(score + 1e-6)
        expect(neighbors.every(({ similarity }) => similarity <= 1 && similarity >= -1)).toBe(true)
      }
      model.free()
    }
  })

  it('describes its trees by the columns', async () => {
    const model = await ForestClassifier.fit({ ...spreadRows(100), featureNames: [...'abcdefgh'] }, options)
    const { split } = model.describeTree(0)
    expect([...'abcdefgh']).toContain(split!.terms[0]!.feature)
    expect(split!.left.rows + split!.right.rows).toBe(100)
    model.free()
  })
})

describe('ForestClassifier on dense vectors', () => {
  it.each([['weighting', { weighting: 'idf' as const }, 'dense vectors cannot be weighted']])(
    'refuses the option %s',
    async (_name, options, message) => {
      await expect(ForestClassifier.fit(spreadRows(20), { ...options, engine })).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining(message),
      })
    },
  )

  it('names the distance and the scaling it has chosen', async () => {
    const model = await ForestClassifier.fit(spreadRows(60), { engine, trees: 4 })
    expect(model.options).toMatchObject({ distance: expect.stringMatching(/cosine|euclidean/), weighting: 'none' })
    expect(model.options.scaling).not.toBe('auto')
    model.free()
  })

  it('finds options for dense vectors', async () => {
    const { classifier, value } = await ForestClassifier.tune(spreadRows(300), { metric: 'p@1', grower: 'kd', trees: 10, engine }) // biome-ignore format: one call
    expect(value).toBeGreaterThan(0.7) // measured below
    classifier.free()
  })
})
