import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { evaluate } from './evaluate.ts'
import { metricNames } from './metrics.ts'
import { labelPropensities } from './propensity.ts'
import { rank, rankedCase } from './test-cases.ts'

const truth = LabelMatrix.from([[0, 1], [2], [0, 2, 3]], 4)
const ranked = rank(
  [
    [0, 2, 1],
    [1, 2],
    [3, 2, 0],
  ],
  4,
)
const predicted = LabelMatrix.from([[0], [2], [2, 3]], 4)

describe('evaluate', () => {
  it('measures rankings alone', () => {
    const found = evaluate(truth, ranked)
    expect(Object.keys(found)).toEqual(['p@1', 'p@3', 'p@5', 'ndcg@1', 'ndcg@3', 'ndcg@5'])
    expect(found['p@1']).toBe(2 / 3)
    expect(found['p@3']).toBeCloseTo(6 / 9, 12)
    expect(found['p@5']).toBeCloseTo(6 / 15, 12)
  })

  it('reports every measure, where propensities and sets are given', () => {
    const found = evaluate(truth, ranked, predicted, { propensities: Float64Array.of(0.5, 0.5, 0.5, 0.5) })
    expect(Object.keys(found)).toEqual(metricNames)
    expect(found['psp@1']).toBeCloseTo(2 / 3, 12)
    expect(found['psp@3']).toBe(1)
    expect(found.microF1).toBeCloseTo(8 / 10, 12)
    expect(found.hammingLoss).toBe(2 / 12)
  })

  it('gives fractions in [0, 1] only', () => {
    fc.assert(
      fc.property(rankedCase, ({ truth, ranked, lists }) => {
        const sets = LabelMatrix.from(lists, truth.columns)
        const training = truth.concat(truth).concat(truth)
        const found = evaluate(truth, ranked, sets, { propensities: labelPropensities(training) })
        for (const [name, value] of Object.entries(found)) {
          expect(value, name).toBeGreaterThanOrEqual(0)
          expect(value, name).toBeLessThanOrEqual(1 + 1e-12)
        }
      }),
    )
  })

  it('refuses answers for other rows', () => {
    const mismatch = expect.objectContaining({ code: 'DIMENSION_MISMATCH' })
    expect(() => evaluate(truth, rank([[0]], 5))).toThrow(mismatch)
    expect(() => evaluate(truth, ranked, predicted.slice(0, 2))).toThrow(mismatch)
  })
})
