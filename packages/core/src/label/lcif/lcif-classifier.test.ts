import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { tensor1d } from '../../store/tensor.ts'
import { describeClassifier } from '../classifier.cases.ts'
import { shelf, vectors } from '../shelf.cases.ts'
import { LcifClassifier } from './lcif-classifier.ts'
import { lcifMethods } from './options.ts'

/** p@1 on the titles; measured: 0.519, 0.514, 0.519. */
const floors = { lcif: 0.5, instance: 0.5, feature: 0.5 }

for (const method of lcifMethods) {
  describeClassifier(`LcifClassifier, ${method}`, {
    fit: (dataset, options) => LcifClassifier.fit(dataset, { ...options, method }),
    load: path => LcifClassifier.load(path),
    titlesFloor: floors[method],
  })
}

it('LcifClassifier gives the labels of an item lower scores if no label fits an item like it', async () => {
  using model = await LcifClassifier.fit([
    { text: 'sailing ships', labels: ['ships'] },
    { text: 'garden birds', labels: ['birds'] },
  ])
  const score = () => model.predict('ships')[0]?.score
  const before = score()
  model.partialFit([{ text: 'ships', labels: [] }])
  expect(score()).toBeLessThan(0.9 * (before ?? 0))
})

/** One row to the east, one to the north; a query of (3, 4) has cosines 0.6 and 0.8 with them. */
const compass: Dataset = {
  name: 'compass',
  rows: 2,
  features: SparseMatrix.from([[[0, 1]], [[1, 1]]], 2), // biome-ignore format: rows as rows
  featureNames: ['east', 'north'],
  labels: LabelMatrix.from([[0], [1]], 2),
  labelNames: ['sunrise', 'cold'],
}
const query = SparseMatrix.from([[[0, 3], [1, 4]]]).row(0) // biome-ignore format: rows as rows
const plain = { weighting: 'none', neighborPower: 1, featurePower: 1 } as const

describe('LcifClassifier', () => {
  it('scores by the definitions of the paper', async () => {
    // Neighbors: 0.6 and 0.8 over their sum. Features: each goes with one label alone, so 3 and 4 over their sum.
    const model = await LcifClassifier.fit(compass, { ...plain, mix: 0.5 })
    expect(model.predict(query)).toEqual([
      { label: 'cold', score: expect.closeTo(4 / 7, 6) },
      { label: 'sunrise', score: expect.closeTo(3 / 7, 6) },
    ])
    model.free()
    // Squared: 0.36 and 0.64 of the vote.
    const squared = await LcifClassifier.fit(compass, { ...plain, neighborPower: 2, mix: 1 })
    expect(squared.predict(query).map(({ score }) => score)).toEqual([0.64, 0.36].map(x => expect.closeTo(x, 6)))
    squared.free()
  })

  it('gives neighbors and features as reasons, with their names and parts', async () => {
    const model = await LcifClassifier.fit(compass, { ...plain, mix: 0.25 })
    expect(model.explain(query, 'sunrise')).toEqual({
      label: 'sunrise',
      score: expect.closeTo(3 / 7, 6),
      neighbors: [{ id: 0, similarity: expect.closeTo(0.6, 6), share: expect.closeTo(0.25 * (3 / 7), 6) }],
      features: [{ feature: 'east', share: expect.closeTo(0.75 * (3 / 7), 6) }],
    })
    model.free()
  })

  it('shows the texts of neighbors and the words that spoke, unless texts are not kept', async () => {
    const model = await LcifClassifier.fit(shelf)
    const reasons = model.explain('roses', 'gardens')
    expect(reasons.neighbors[0]).toMatchObject({ id: 'g1', text: 'growing roses' })
    expect(reasons.features[0]?.feature).toBe('roses')
    model.free()
    const bare = await LcifClassifier.fit(shelf, { keepTexts: false })
    expect(bare.explain('roses', 'gardens').neighbors[0]).not.toHaveProperty('text')
    bare.free()
  })

  it('takes dense features, negative ones too', async () => {
    const dense = { ...compass, features: DenseMatrix.from([[1, 0], [0, 1]]) } // biome-ignore format: rows as rows
    const model = await LcifClassifier.fit(dense, plain)
    expect(model.predict(query)[0]?.label).toBe('cold')
    model.free()
    const negative = { ...compass, features: DenseMatrix.from([[1, 0], [0, -1]]) } // biome-ignore format: rows as rows
    const signed = await LcifClassifier.fit(negative, plain)
    expect(signed.predict([0.1, -0.9])[0]?.label).toBe('cold')
    signed.free()
  })

  it('leaves sets empty where that is asked for', async () => {
    const options = { ...plain, mix: 1, threshold: 0.9 }
    const strict = await LcifClassifier.fit(compass, { ...options, allowEmpty: true })
    const items = SparseMatrix.from([[[0, 3], [1, 4]]], 2) // biome-ignore format: rows as rows
    expect((await strict.predictSets(items)).entries).toBe(0)
    expect(strict.predict(query, { thresholded: true })).toEqual([])
    strict.free()
    const model = await LcifClassifier.fit(compass, options)
    expect([...(await model.predictSets(items)).row(0)]).toEqual([1])
    model.free()
  })

  it('keeps the features that are in some rows and not in others', async () => {
    // Feature 4 is in half of the rows; of five features, two are kept.
    const model = await LcifClassifier.fit(vectors, { ...plain, featureShare: 0.4 })
    expect(model.predict(SparseMatrix.from([[[3, 1]]], 5).row(0))).toEqual([])
    expect(model.predict(SparseMatrix.from([[[4, 1]]], 5).row(0)).length).toBeGreaterThan(0)
    model.free()
  })

  it('stops fitting when told to', async () => {
    const signal = AbortSignal.abort()
    await expect(LcifClassifier.fit(shelf, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
  })

  it('gives all memory back', async () => {
    const engine = new Engine()
    const model = await LcifClassifier.fit(shelf, { engine })
    model.predict('ships')
    await model.predictSets(['ships'])
    model.partialFit({ ...shelf, ids: shelf.ids!.map(id => `again ${id}`) })
    model.free()
    expect(engine.arena.usedBytes).toBe(0)
    await expect(LcifClassifier.fit({ ...shelf, ids: Array(12).fill('same') }, { engine })).rejects.toThrow('same')
    expect(engine.arena.usedBytes).toBe(0)
    await engine.close()
  })

  it('refuses contents that do not fit together', async () => {
    const model = await LcifClassifier.fit(shelf)
    const contents = model.contents()
    model.free()
    const { weights, labels, ...rest } = contents.tensors
    const damaged = [
      { ...contents, tensors: rest },
      { ...contents, tensors: { ...contents.tensors, weights: { array: new Float32Array(3), shape: [3] } } },
      { ...contents, tensors: { ...contents.tensors, labels: tensor1d(labels!.array.map(() => 99) as Uint32Array) } },
      { ...contents, meta: { ...contents.meta, threshold: 'high' } },
      { ...contents, options: { neighbors: -1 } },
      { ...contents, meta: {} },
    ]
    for (const wrong of damaged) {
      expect(() => LcifClassifier.fromContents(wrong)).toThrow(expect.objectContaining({ code: 'MODEL_DAMAGED' }))
    }
    expect(weights?.array.length).toBeGreaterThan(0)
  })
})

it('gives no score above 1, however many neighbors agree', async () => {
  const rows = Array.from({ length: 200 }, (_, i) => ({
    vector: [i % 2 ? 1 : -1, Math.sin(i)],
    labels: [i % 2 ? 'odd' : 'even', 'all'],
  }))
  const model = await LcifClassifier.fit(rows)
  const scores = rows.flatMap(({ vector }) => model.predict(vector).map(({ score }) => score))
  expect(Math.max(...scores)).toBe(1)
  model.free()
})
