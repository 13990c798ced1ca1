import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { selectRows } from '../../data/dataset.ts'
import { readDataset } from '../../data/read-dataset.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { evaluateClassifier } from '../evaluate-classifier.ts'
import { Comparison, chooseWeighting } from './choose-weighting.ts'
import { LcifClassifier } from './lcif-classifier.ts'
import { type LcifOptions, resolveLcifOptions } from './options.ts'

const engine = new Engine()
const place = { engine, threads: 1 }
const choose = (features: SparseMatrix, labels: LabelMatrix, options: LcifOptions = {}) =>
  chooseWeighting(features, labels, resolveLcifOptions(options), place)

/** Rows of eight of fifty features, all at random; each has one of ten labels that no feature tells. */
function noise(rows: number, seed: number): [SparseMatrix, LabelMatrix] {
  const random = new Random(seed)
  const features = Array.from({ length: rows }, () =>
    Array.from(random.sample(50, 8).sort(), (feature): [number, number] => [feature, 1]),
  )
  return [
    SparseMatrix.from(features, 50),
    LabelMatrix.from(
      features.map(() => [random.below(10)]),
      10,
    ),
  ]
}

/** A row has one feature of three that tell its label, and twelve of seventy that tell nothing. */
function telling(rows: number, seed: number): [SparseMatrix, LabelMatrix] {
  const random = new Random(seed)
  const labels = Array.from({ length: rows }, () => random.below(10))
  const features = labels.map(label => {
    const others = Array.from(random.sample(70, 12).sort(), feature => 30 + feature)
    return [3 * label + random.below(3), ...others].map((feature): [number, number] => [feature, 1])
  })
  return [
    SparseMatrix.from(features, 100),
    LabelMatrix.from(
      labels.map(label => [label]),
      10,
    ),
  ]
}

describe('a comparison of weightings', () => {
  const values = (...lists: number[][]) => {
    const comparison = new Comparison()
    comparison.add(lists.map(list => Float64Array.from(list)))
    return comparison
  }

  it('keeps the simpler one unless the gain is larger than its standard error', () => {
    // Gains of 1, −1, 1 and 0: the mean is 0.25, its standard error 0.48.
    expect(values([0, 1, 0, 1], [1, 0, 1, 1]).best).toBe(0)
    // Gains of 1, 0, 1 and 1: 0.75 and 0.25.
    expect(values([0, 1, 0, 0], [1, 1, 1, 1]).best).toBe(1)
    expect(values([1, 1, 0], [1, 1, 0]).best).toBe(0)
  })

  it('goes from the simplest to the best in steps, each of which has to pay', () => {
    expect(values([0, 0, 0, 0], [0.5, 0.5, 0.5, 0.4], [1, 0.9, 1, 1]).best).toBe(2)
    expect(values([0, 0, 0, 0], [0.5, 0.5, 0.5, 0.4], [0.5, 0.6, 0.4, 0.4]).best).toBe(1)
  })

  it('is clear if the best is far ahead of all others', () => {
    expect(values([0, 0, 0, 0], [1, 1, 1, 0.9]).isClear).toBe(true)
    expect(values([0, 0, 0, 0], [1, 0, 0, 0]).isClear).toBe(false)
    expect(values([1, 1], [1, 1]).isClear).toBe(false)
  })
})

describe('chooseWeighting', () => {
  it('learns no weights from rows that tell nothing, however few', async () => {
    for (const [rows, seed] of [
      [20, 1],
      [100, 2],
      [300, 3],
      [1000, 4],
    ] as const) {
      expect([rows, await choose(...noise(rows, seed))]).toEqual([rows, 'none'])
    }
  })

  it('weighs features that tell labels', async () => {
    for (const rows of [100, 400]) expect(await choose(...telling(rows, 1))).not.toBe('none')
  })

  it('takes one row, rows without labels and rows without features', async () => {
    expect(await choose(SparseMatrix.from([[[0, 1]]], 1), LabelMatrix.from([[0]]))).toBe('none')
    const empty = LabelMatrix.from([[], [], []], 2)
    expect(await choose(SparseMatrix.from([[], [[0, 1]], []], 1), empty)).toBe('none')
  })

  it('chooses the same on one thread and on two, and frees what it used', async () => {
    const [features, labels] = telling(200, 5)
    const settings = resolveLcifOptions({})
    const before = engine.arena.usedBytes
    const one = await chooseWeighting(features, labels, settings, { engine, threads: 1 })
    expect(await chooseWeighting(features, labels, settings, { engine, threads: 2 })).toBe(one)
    expect(engine.arena.usedBytes).toBe(before)
  })

  it('stops when it is told to', async () => {
    const [features, labels] = noise(50, 1)
    const stopped = chooseWeighting(features, labels, resolveLcifOptions({}), { ...place, signal: AbortSignal.abort() })
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
  })
})

describe('the default of LcifClassifier', () => {
  const folder = join(import.meta.dirname, '..', '..', '..', '..', '..', 'data', 'xmc')
  const read = (part: string) => readDataset(join(folder, `medical-${part}.txt.gz`))

  async function precision(rows: number, weighting: 'none' | 'auto'): Promise<number> {
    const [train, test] = [await read('train'), await read('test')]
    const part = selectRows(train, new Random(7).sample(train.rows, rows))
    const classifier = await LcifClassifier.fit(part, { weighting, threads: 1, engine })
    const { metrics } = await evaluateClassifier(classifier, test, { threads: 1 })
    classifier.free()
    return metrics['p@1'] ?? 0
  }

  it('is not worse than no weights on few real rows, and far better if they tell enough', async () => {
    // Measured: 0.676 and 0.581 on 60 rows, 0.851 and 0.620 on all 333.
    const [few, fewPlain] = [await precision(60, 'auto'), await precision(60, 'none')]
    const [all, allPlain] = [await precision(333, 'auto'), await precision(333, 'none')]
    expect(few).toBeGreaterThanOrEqual(fewPlain)
    expect(all).toBeGreaterThan(allPlain + 0.2)
  })

  it('tells what it has chosen', async () => {
    const classifier = await LcifClassifier.fit(await read('train'), { threads: 1, engine })
    expect(classifier.options.weighting).toBe('learned')
    classifier.free()
  })
})
