// What every classifier promises about vectors with negative numbers, dense or sparse, as tests.

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Dataset } from '../data/dataset.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { Random } from '../random.ts'
import type { ClassifierCase } from './classifier.cases.ts'
import type { Classifier } from './classifier.ts'

/** What of a classifier's case matters here. */
export interface VectorCase extends Pick<ClassifierCase, 'fit' | 'load' | 'neverUnlearns'> {
  /** Whether it takes no sparse rows. */
  readonly denseOnly?: boolean
}

/** Columns differ in scale, and each quarter of the plane of the first two has a label. The third is noise. */
const corners = [[1, 100], [1, -100], [-1, 100], [-1, -100]] as const // biome-ignore format: corners

function aroundCorners(perCorner: number, seed: number): Dataset {
  const random = new Random(seed)
  const rows: number[][] = []
  const labels: number[][] = []
  corners.forEach(([x, y], corner) => {
    for (let i = 0; i < perCorner; i++) {
      rows.push([x + 0.2 * random.normal(), y + 20 * random.normal(), 0.1 * random.normal()])
      labels.push(i % 4 === 3 ? [corner, 4] : [corner])
    }
  })
  return {
    name: 'corners',
    rows: rows.length,
    ids: rows.map((_, i) => `r${i}`),
    features: DenseMatrix.from(rows),
    featureNames: ['x', 'y', 'noise'],
    labels: LabelMatrix.from(labels, 5),
    labelNames: ['north-east', 'south-east', 'north-west', 'south-west', 'every fourth'],
  }
}

const training = aroundCorners(12, 1)
const questions = corners.map(([x, y]) => [0.9 * x, 1.1 * y, 0])
const answers = training.labelNames!.slice(0, 4)

/** Words with a sign: feature 0 above 0 goes with label 0, below 0 with label 1; features 1 and 2 likewise for labels 2 and 3. */
const signed: Dataset = {
  name: 'signed',
  rows: 8,
  features: SparseMatrix.from(
    [
      [[0, 2], [3, 1]],
      [[0, 1]],
      [[0, -2], [3, 1]],
      [[0, -1]],
      [[1, 2]],
      [[1, 1], [3, -1]],
      [[2, -1]],
      [[2, -2], [3, -1]],
    ], // biome-ignore format: rows as rows
    4,
  ),
  labels: LabelMatrix.from([[0], [0], [1], [1], [2], [2], [3], [3]], 4), // biome-ignore format: rows as rows
}

export function describeVectors(name: string, classifierCase: VectorCase): void {
  const { fit, load, neverUnlearns, denseOnly = false } = classifierCase
  describe(`${name}, on vectors with negative numbers`, () => {
    let folder: string
    let model: Classifier

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vicinal-vectors-'))
      model = await fit(training)
    })

    afterAll(async () => {
      model.free()
      await rm(folder, { recursive: true })
    })

    const everything = async (model: Classifier) => ({
      ranked: await model.predictBatch(DenseMatrix.from(questions), { top: 5 }),
      sets: await model.predictSets(questions),
      first: questions.map(question => model.predict(question, { top: 5 })),
      reasons: questions.map((question, i) => model.explain(question, answers[i]!)),
    })

    it('labels dense vectors by their neighbors', () => {
      expect([model.rows, model.takesTexts]).toEqual([48, false])
      expect(questions.map(question => model.predict(question)[0]?.label)).toEqual(answers)
    })

    it('takes a vector as numbers, as 32-bit floats and as a sparse row alike', () => {
      for (const question of questions) {
        const expected = model.predict(question)
        expect(model.predict(Float32Array.from(question))).toEqual(expected)
        const row = { indices: Uint32Array.of(0, 1), values: Float32Array.of(question[0]!, question[1]!) }
        expect(model.predict(row)).toEqual(expected)
      }
    })

    it('answers a batch of any kind as it answers one', async () => {
      const { ranked, first } = await everything(model)
      first.forEach((suggestions, i) => {
        const from = i * ranked.top
        const labels = [...ranked.labels.subarray(from, from + ranked.counts[i]!)].map(label => model.labelNames[label])
        expect(labels).toEqual(suggestions.map(({ label }) => label))
        const scores = [...ranked.scores.subarray(from, from + ranked.counts[i]!)]
        expect(scores).toEqual(suggestions.map(({ score }) => score))
      })
      const pairs = questions.map(row => row.map((value, j): [number, number] => [j, value]))
      for (const items of [questions, questions.map(row => Float32Array.from(row)), SparseMatrix.from(pairs, 3)]) {
        expect(await model.predictBatch(items, { top: 5 })).toEqual(ranked)
      }
    })

    it('gives the same file for the same seed, on one thread or two', async () => {
      const files: Buffer[] = []
      for (const threads of [1, 2]) {
        const same = await fit(training, { seed: 3, threads })
        await same.save(join(folder, `${threads}.model`))
        same.free()
        files.push(await readFile(join(folder, `${threads}.model`)))
      }
      expect(files[0]!.equals(files[1]!)).toBe(true)
    })

    it('answers and explains the same after it was saved and loaded', async () => {
      const path = join(folder, 'dense.model')
      await model.save(path)
      const loaded = await load(path)
      expect(loaded.options).toEqual(model.options)
      expect(await everything(loaded)).toEqual(await everything(model))
      loaded.free()
    })

    it('explains a score by shares that add up to it', () => {
      for (const question of questions) {
        for (const { label, score } of model.predict(question, { top: 5 })) {
          const reasons = model.explain(question, label)
          const shares = [...reasons.neighbors, ...reasons.features].map(({ share }) => share)
          expect(shares.every(share => share > 0)).toBe(true)
          expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(score, 5)
        }
      }
    })

    it('knows added dense rows and labels at once, and forgets removed ones', async () => {
      const changing = await fit(training)
      const before = await everything(changing)
      const added: Dataset = {
        name: 'added',
        rows: 3,
        ids: ['a', 'b', 'c'],
        features: DenseMatrix.from([[3, 400, -9], [3.1, 401, -9], [2.9, 399, -9]]), // biome-ignore format: rows as rows
        labels: LabelMatrix.from([[0], [0], [0]], 1),
        labelNames: ['far'],
      }
      changing.partialFit(added)
      expect(changing.rows).toBe(51)
      expect(changing.predict([3, 400, -9], { top: 6 }).map(({ label }) => label)).toContain('far')
      expect(changing.remove(['a', 'b', 'c', 'nobody'])).toBe(3)
      expect(changing.rows).toBe(48)
      expect(changing.predict([3, 400, -9], { top: 6 }).map(({ label }) => label)).not.toContain('far')
      if (neverUnlearns === undefined) {
        const after = await everything(changing)
        after.first.forEach((suggestions, i) => {
          expect(suggestions.map(({ label }) => label)).toEqual(before.first[i]!.map(({ label }) => label))
          suggestions.forEach(({ score }, j) => {
            expect(score).toBeCloseTo(before.first[i]![j]!.score, 5)
          })
        })
      }
      changing.free()
    })

    it('forgets rows it was fitted on', async () => {
      const changing = await fit(training)
      const [first] = [training.labels!.row(0)[0]!]
      const carriers = training.ids!.filter((_, row) => training.labels!.row(row).includes(first))
      expect(changing.remove(carriers)).toBe(12)
      expect(changing.labelCounts()[first]).toBe(0)
      expect(changing.predict(questions[0]!, { top: 5 }).map(({ label }) => label)).not.toContain(answers[0])
      changing.free()
    })

    it('leaves its inputs as they were', async () => {
      const before = structuredClone([training.features, training.labels])
      const other = await fit(training)
      const item = Float32Array.from(questions[0]!)
      other.predict(item)
      other.free()
      expect(structuredClone([training.features, training.labels])).toEqual(before)
      expect([...item]).toEqual([...Float32Array.from(questions[0]!)])
    })

    it.each<[string, (model: Classifier) => unknown, string]>([
      ['a vector of another length', model => model.predict([1, 2]), 'DIMENSION_MISMATCH'],
      ['a number that is none', model => model.predict([1, Number.NaN, 0]), 'BAD_DATA'],
      ['an infinite number', model => model.predict(Float32Array.of(1, Number.POSITIVE_INFINITY, 0)), 'BAD_DATA'],
      ['a text', model => model.predict('north'), 'INVALID_OPTION'],
      ['no item at all', model => model.predict(undefined as never), 'BAD_DATA'],
    ])('refuses %s', (_what, ask, code) => {
      expect(() => ask(model)).toThrow(expect.objectContaining({ code }))
    })

    it.each([
      ['vectors of another length', DenseMatrix.from([[1, 2]]), 'DIMENSION_MISMATCH'],
      ['numbers that are none', [[1, 2, Number.NaN]], 'BAD_DATA'],
    ])('refuses a batch of %s', async (_what, items, code) => {
      await expect(model.predictBatch(items)).rejects.toMatchObject({ code })
    })

    it('refuses training numbers that are not finite, naming the place', async () => {
      const values = new Float32Array(training.features!.values)
      values[3 * 5 + 1] = Number.NaN
      const features = new DenseMatrix(training.rows, 3, values)
      const message = expect.stringMatching(/row 5, (column|feature) 1/)
      await expect(fit({ ...training, features })).rejects.toMatchObject({ code: 'BAD_DATA', message })
    })

    it.each<[string, number[][]]>([
      ['one row', [[-1, 2, -3]]],
      ['rows that are all the same', Array(6).fill([-1, 2, -3])],
      ['a column that never changes', [[-1, 5, 0], [-2, 5, 1], [3, 5, -1], [4, 5, 2]]], // biome-ignore format: rows as rows
      ['a row of zeros', [[0, 0, 0], [-2, 5, 1], [3, 5, -1], [4, 5, 2]]], // biome-ignore format: rows as rows
      ['an outlier', [[-1, 5, 0], [-2, 5, 1], [3, -5, -1], [-1e9, 1e9, 1e9]]], // biome-ignore format: rows as rows
    ])('can be fitted on %s', async (_what, rows) => {
      const labels = LabelMatrix.from(rows.map((_, i) => [i % 2]), 2) // biome-ignore format: one rule
      const small = await fit({ name: 'small', rows: rows.length, features: DenseMatrix.from(rows), labels })
      expect(small.predict(rows.at(-1)!, { top: 2 }).length).toBeGreaterThan(0)
      small.free()
    })

    if (!denseOnly)
      it('labels sparse rows with negative numbers, saved and loaded too', async () => {
        const sparse = await fit(signed)
        const path = join(folder, 'signed.model')
        await sparse.save(path)
        const loaded = await load(path)
        for (const one of [sparse, loaded]) {
          const ask = (...values: number[]) => one.predict(values)[0]?.label
          expect([ask(3, 0, 0, 0), ask(-3, 0, 0, 0), ask(0, 3, 0, 0), ask(0, 0, -3, 0)]).toEqual(['0', '1', '2', '3'])
        }
        const row = signed.features as SparseMatrix
        expect(await loaded.predictBatch(row)).toEqual(await sparse.predictBatch(row))
        expect(loaded.explain(row.row(2), '1')).toEqual(sparse.explain(row.row(2), '1'))
        loaded.free()
        sparse.free()
      })

    if (!denseOnly)
      it('labels sparse rows with features that no training row has, as test files have them', async () => {
        const sparse = await fit(signed)
        const beyond = [[0, 3], [4, 1], [4_000_000_000, 1]] as const // biome-ignore format: one row
        expect(sparse.predict(beyond)[0]?.label).toBe('0')
        const wide = await sparse.predictBatch(SparseMatrix.from([beyond, [[1, 3]]]), { top: 1 })
        expect([...wide].map(([best]) => best?.label)).toEqual(['0', '2'])
        expect(sparse.explain(beyond).label).toBe('0')
        expect(() => sparse.predict([1, 0, 0, 0, 1])).toThrow('the item has 5 numbers, this model takes 4')
        sparse.free()
      })
  })
}
