import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { finish } from '../../long-work.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { LcifClassifier } from '../lcif/lcif-classifier.ts'
import { lcifDefaults } from '../lcif/options.ts'
import { Trial } from '../lcif/trial.ts'
import { crossValidate, holdOut, leaveOneOut, type Split } from '../tuning/splits.ts'

const engine = new Engine()
const columns = 5
const labelCount = 4

const someRows = fc.array(
  fc.tuple(
    fc.uniqueArray(fc.tuple(fc.nat(columns - 1), fc.integer({ min: 1, max: 4 })), { selector: ([f]) => f }),
    fc.uniqueArray(fc.nat(labelCount - 1), { minLength: 1 }),
  ),
  { minLength: 3, maxLength: 8 },
)

const options = { neighbors: 3, neighborPower: 1.5, featurePower: 2, mix: 0.4 }

/** Scores of one row by a model fitted on others, the slow way: label → score. */
async function fitAndAsk(features: SparseMatrix, labels: LabelMatrix, training: number[], asked: number) {
  const dataset = {
    name: 'rest',
    rows: training.length,
    features: features.select(training),
    labels: labels.select(training),
  }
  if (dataset.labels.entries === 0) return {}
  const model = await LcifClassifier.fit(dataset, { ...options, weighting: 'none', threshold: 0, engine })
  const scores = model.predict(features.row(asked), { top: labelCount })
  model.free()
  return Object.fromEntries(scores.map(({ label, score }) => [label, score]))
}

async function expectSame(features: SparseMatrix, labels: LabelMatrix, splits: Split[]): Promise<void> {
  const settings = { ...lcifDefaults, weighting: 'none' as const }
  const trial = await Trial.prepare(features, labels, splits, { settings, k: options.neighbors, engine, threads: 1 })
  const ranked = finish(trial.rank(options, labelCount))
  const all = Array.from({ length: features.rows }, (_, row) => row)
  const asked = splits.flatMap(({ queries, training }) => [...queries].map(query => ({ query, training })))
  for (const [i, { query, training }] of asked.entries()) {
    const expected = await fitAndAsk(
      features,
      labels,
      training ? [...training] : all.filter(row => row !== query),
      query,
    )
    const found = Array.from({ length: ranked.counts[i] }, (_, rank) => i * ranked.top + rank)
    const scores = Object.fromEntries(found.map(e => [ranked.labels[e], ranked.scores[e]]))
    const close = Object.entries(expected).map(([label, score]) => [label, expect.closeTo(score, 4)])
    expect(scores).toEqual(Object.fromEntries(close))
    expect([...trial.truth.row(i)]).toEqual([...labels.row(query)])
  }
}

describe('Trial', () => {
  it('scores rows as models would that were fitted without them', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.nat(1000), async (rows, seed) => {
        const features = SparseMatrix.from(rows.map(([pairs]) => pairs), columns) // biome-ignore format: one matrix a line
        const labels = LabelMatrix.from(rows.map(([, carried]) => carried), labelCount) // biome-ignore format: one matrix a line
        const ways = [leaveOneOut(rows.length, 99, new Random(seed)), crossValidate(rows.length, 2, new Random(seed))]
        for (const splits of ways) await expectSame(features, labels, splits)
      }),
      { numRuns: 15 },
    )
  })

  it('divides rows without losing or repeating any', () => {
    const [{ queries, training }] = holdOut(90, 20, new Random(1)) as [Split]
    expect([...queries, ...training!].sort((a, b) => a - b)).toEqual(Array.from({ length: 90 }, (_, row) => row))
    expect([queries.length, holdOut(30, 20, new Random(1))[0]?.queries.length]).toEqual([20, 10])
    const folds = crossValidate(10, 3, new Random(1))
    expect(folds.flatMap(fold => [...fold.queries]).sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    for (const fold of folds) expect(fold.queries.length + fold.training!.length).toBe(10)
  })
})
