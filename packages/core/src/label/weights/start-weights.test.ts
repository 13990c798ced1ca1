import { describe, expect, it } from 'vitest'
import { defaultEngine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { startWeights, suitableStart } from './start-weights.ts'

// Feature 0 goes with label 0, feature 1 is everywhere, feature 2 nowhere.
const features = SparseMatrix.from([[[0, 1], [1, 1]], [[0, 1], [1, 1]], [[1, 1]], [[1, 1]]], 3) // biome-ignore format: rows as rows
const labels = LabelMatrix.from([[0], [0], [1], [1]])

describe('startWeights', () => {
  it("are all 1 for 'none'", () => {
    expect([...startWeights(features, labels, 'none', defaultEngine())]).toEqual([1, 1, 1])
  })

  it("give rare features more for 'idf'", () => {
    const expected = [5 / 2.5, 5 / 4.5, 5 / 0.5].map(rarity => expect.closeTo(Math.log(rarity) + 1e-3, 6))
    expect(Array.from(startWeights(features, labels, 'idf', defaultEngine()))).toEqual(expected)
  })

  it("give features that tell labels apart more for 'chi2'", () => {
    // Feature 0: two rows, one of them expected to carry label 0, both do. (2 − 1)² / (1 + 1) / 2 rows = ¼.
    // Feature 1: as many of each label as expected. Feature 2: nothing is known.
    const expected = [1.25, 1, 1].map(deviation => expect.closeTo(Math.log(deviation) + 0.02, 6))
    expect(Array.from(startWeights(features, labels, 'chi2', defaultEngine()))).toEqual(expected)
  })

  it('take only presence into account, not values', () => {
    const tripled = SparseMatrix.from([[[0, 3], [1, 3]], [[0, 3], [1, 3]], [[1, 3]], [[1, 3]]], 3) // biome-ignore format: rows as rows
    const [once, thrice] = [features, tripled].map(rows => startWeights(rows, labels, 'chi2', defaultEngine()))
    expect(thrice).toEqual(once)
  })
})

describe('suitableStart', () => {
  it.each([
    [
      'ones',
      [
        [
          [0, 1],
          [1, 1],
        ],
        [[2, 1]],
      ],
      'chi2',
    ],
    [
      'ones scaled by the row',
      [
        [
          [0, 0.5],
          [1, 0.5],
        ],
        [[2, 1]],
      ],
      'chi2',
    ],
    [
      'weights',
      [
        [
          [0, 0.3],
          [1, 0.5],
        ],
        [[2, 1]],
      ],
      'none',
    ],
    ['no rows', [], 'chi2'],
  ] as [string, [number, number][][], string][])('for %s', (_, rows, start) => {
    expect(suitableStart(SparseMatrix.from(rows))).toBe(start)
  })
})
