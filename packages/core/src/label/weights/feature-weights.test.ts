import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDataset } from '../../data/read-dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { InvertedIndex } from '../../search/inverted/inverted-index.ts'
import { learnWeights } from './feature-weights.ts'
import type { WeightOptions } from './weight-options.ts'
import { weightFeatures } from './weight-rounds.ts'

interface Rows {
  readonly features: SparseMatrix
  readonly labels: LabelMatrix
}

const informative = 30

/** Each of ten labels has three features of its own; a row has one of these and twelve of seventy that mean nothing. */
function generated(rows: number, seed: number): Rows {
  const random = new Random(seed)
  const labels = Array.from({ length: rows }, () => random.below(10))
  const features = labels.map(label => {
    const own = [3 * label + random.below(3)]
    const noise = Array.from(random.sample(70, 12), feature => informative + feature)
    return [...own, ...noise].map((feature): [number, number] => [feature, 1])
  })
  return { features: SparseMatrix.from(features, 100), labels: LabelMatrix.from(labels.map(label => [label])) }
}

async function medical(): Promise<Rows> {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'data', 'xmc')
  const { features, labels } = await readDataset(join(folder, 'medical-train.txt.gz'))
  return { features: features as SparseMatrix, labels: labels as LabelMatrix } // the format has both
}

/** Share of rows whose first label, by the vote of the ten nearest other rows, is one of their own. */
async function leaveOneOut({ features, labels }: Rows, weights: Float32Array): Promise<number> {
  const weighted = weightFeatures(features, weights)
  const index = await InvertedIndex.fit(weighted)
  const { rows, similarities, counts } = await index.nearestBatch(weighted, { k: 10, excludeSelf: true, threads: 1 })
  index.free()
  let hits = 0
  for (let row = 0; row < features.rows; row++) {
    const scores = new Float64Array(labels.columns)
    for (let n = 10 * row; n < 10 * row + counts[row]; n++) {
      for (const label of labels.row(rows[n])) scores[label] += similarities[n] ** 4
    }
    if (labels.row(row).includes(scores.indexOf(Math.max(...scores)))) hits++
  }
  return hits / features.rows
}

const ones = (rows: Rows): Float32Array => new Float32Array(rows.features.columns).fill(1)

describe('learnWeights', () => {
  it('finds the features that tell labels apart, from a start that knows nothing', async () => {
    const rows = generated(400, 1)
    const { weights, losses } = await learnWeights(rows.features, rows.labels, { start: 'none', rate: 0.05 })
    const mean = (part: Float32Array): number => part.reduce((sum, weight) => sum + weight, 0) / part.length
    expect(mean(weights.subarray(0, informative))).toBeGreaterThan(3 * mean(weights.subarray(informative)))
    expect(losses).toHaveLength(6)
    expect(losses.at(-1)).toBeLessThan(0.1 * losses[0])
  })

  it('labels rows it never saw better', async () => {
    const [train, test] = [generated(400, 1), generated(400, 2)]
    const { weights } = await learnWeights(train.features, train.labels, { start: 'none', rate: 0.05 })
    // Measured: 0.35 without weights, 1 with them.
    expect(await leaveOneOut(test, ones(test))).toBeLessThan(0.5)
    expect(await leaveOneOut(test, weights)).toBeGreaterThan(0.95)
  })

  it('lowers the loss and raises P@1 on real data', async () => {
    const rows = await medical()
    const { weights, losses } = await learnWeights(rows.features, rows.labels)
    // Measured: 0.94, then 0.82.
    expect(losses.at(-1)).toBeLessThan(0.9 * losses[0])
    // Measured: 0.68 without weights, 0.89 with them.
    expect(await leaveOneOut(rows, ones(rows))).toBeLessThan(0.75)
    expect(await leaveOneOut(rows, weights)).toBeGreaterThan(0.85)
  })

  it('gives the same bytes for one thread and two, for every engine, and others for another seed', async () => {
    const rows = generated(300, 3)
    const learn = (options: WeightOptions) =>
      learnWeights(rows.features, rows.labels, { start: 'none', sample: 200, ...options })
    const once = await learn({ threads: 1 })
    const engine = new Engine({ shared: false })
    expect(await learn({ threads: 2 })).toEqual(once)
    expect(await learn({ engine })).toEqual(once)
    expect(engine.arena.usedBytes).toBe(0)
    expect((await learn({ seed: 2 })).weights).not.toEqual(once.weights)
  })

  it('goes back to the start, and ends, where rows that it did not learn from are labeled worse', async () => {
    const { features, labels } = await medical()
    const start = await learnWeights(features, labels, { learn: false })
    // Steps this large learn the rows by heart.
    const { weights, isLearned, losses, checks } = await learnWeights(features, labels, { rate: 1, rounds: 10 })
    expect([weights, isLearned]).toEqual([start.weights, false])
    expect(losses).toHaveLength(2)
    expect(checks[1]).toBeGreaterThan(checks[0])
  })

  it('stays with the start where it may not learn, or where no row has a label', async () => {
    const { features } = generated(5, 1)
    const unlabeled = LabelMatrix.from([[], [], [], [], []], 3)
    const ones = new Float32Array(100).fill(1)
    const start = { weights: ones, sharpness: 4, isLearned: false, losses: [], checks: [] }
    expect(await learnWeights(features, unlabeled, { start: 'none' })).toEqual(start)
    expect(await learnWeights(features, generated(5, 1).labels, { start: 'none', learn: false })).toEqual(start)
  })

  it('takes rows without features, values of zero and rows without neighbors', async () => {
    const features = SparseMatrix.from([[], [[0, 0]], [[1, 1]], [[2, 1]], [[2, 2], [3, 1]]], 4) // biome-ignore format: rows as rows
    const labels = LabelMatrix.from([[0], [0], [1], [1], [0]])
    const { weights, losses } = await learnWeights(features, labels)
    expect([...weights, ...losses].every(Number.isFinite)).toBe(true)
  })

  it('stops when it is told to, and frees what it used', async () => {
    const engine = new Engine()
    const { features, labels } = generated(100, 1)
    const stopped = learnWeights(features, labels, { engine, signal: AbortSignal.abort() })
    await expect(stopped).rejects.toThrow(expect.objectContaining({ code: 'ABORTED' }))
    expect(engine.arena.usedBytes).toBe(0)
  })

  it.each<[WeightOptions, string]>([
    [{ neighbors: 0 }, 'neighbors is 0, expected a whole number from 1 to 10000'],
    [{ rounds: 1.5 }, 'rounds is 1.5, expected a whole number from 1 to 100'],
    [{ epochs: 101 }, 'epochs is 101, expected a whole number from 1 to 100'],
    [{ sample: 0 }, 'sample is 0, expected a whole number from 1 to 16777216'],
    [{ rate: 0 }, 'rate is 0, expected more than 0 and at most 1'],
    [{ seed: Number.NaN }, 'seed is NaN, expected a whole number'],
    [{ start: 'tf' as 'idf' }, "start is 'tf', expected one of auto, none, idf, chi2"],
  ])('refuses %o', async (options, message) => {
    const { features, labels } = generated(5, 1)
    await expect(learnWeights(features, labels, options)).rejects.toThrow(message)
  })

  it('refuses labels of other rows', async () => {
    const [five, six] = [generated(5, 1), generated(6, 1)]
    await expect(learnWeights(five.features, six.labels)).rejects.toThrow('features have 5 rows, labels 6')
  })
})

describe('weightFeatures', () => {
  it('multiplies every value by its weight and leaves the matrix as it was', () => {
    const features = SparseMatrix.from([[[0, 2], [1, 3]], [[1, 1]]]) // biome-ignore format: rows as rows
    expect([...weightFeatures(features, Float32Array.of(10, 0.5)).values]).toEqual([20, 1.5, 0.5])
    expect([...features.values]).toEqual([2, 3, 1])
  })

  it('refuses weights of another number', () => {
    expect(() => weightFeatures(SparseMatrix.from([[[0, 1]]]), new Float32Array(2))).toThrow(
      'you gave 2 weights for 1 features',
    )
  })
})
