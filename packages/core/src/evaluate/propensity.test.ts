import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { labelPropensities, propensityNdcgAt, propensityPrecisionAt } from './propensity.ts'
import { ndcgAt, precisionAt } from './ranking.ts'
import { rank, rankedCase } from './test-cases.ts'

describe('labelPropensities', () => {
  const training = LabelMatrix.from([[0], [0], [0, 1], [0]], 3)

  it('follows the formula of Jain et al.', () => {
    const c = (Math.log(4) - 1) * 2.5 ** 0.55
    const expected = [4, 1, 0].map(count => 1 / (1 + c * Math.exp(-0.55 * Math.log(count + 1.5))))
    expect([...labelPropensities(training)]).toEqual(expected.map(value => expect.closeTo(value, 12)))
  })

  it('takes other constants', () => {
    // (n + 1)^−1 with C = (ln 4 − 1) · 2
    const c = (Math.log(4) - 1) * 2
    const found = labelPropensities(training, { exponent: 1, shift: 1 })
    expect([...found]).toEqual([5, 2, 1].map(n => expect.closeTo(1 / (1 + c / n), 12)))
  })

  it('is larger for more frequent labels, and a probability', () => {
    const rows = fc.array(fc.uniqueArray(fc.nat(5)), { minLength: 3, maxLength: 50 })
    fc.assert(
      fc.property(rows, lists => {
        const matrix = LabelMatrix.from(lists, 6)
        const found = labelPropensities(matrix)
        const counts = matrix.counts()
        const order = [0, 1, 2, 3, 4, 5].sort((a, b) => counts[a] - counts[b])
        expect(order.every((label, i) => i === 0 || found[order[i - 1]] <= found[label])).toBe(true)
        expect(found.every(value => value > 0 && value <= 1)).toBe(true)
      }),
    )
  })

  it('refuses too few rows and senseless constants', () => {
    expect(() => labelPropensities(LabelMatrix.from([[0], [1]]))).toThrow('at least 3 training rows, got 2')
    expect(() => labelPropensities(training, { exponent: 0 })).toThrow('exponent is 0')
    expect(() => labelPropensities(training, { shift: Number.NaN })).toThrow('shift is NaN')
  })
})

describe('propensity-scored measures', () => {
  // Hits weigh 1, 2, 4 and 8.
  const propensities = Float64Array.of(1, 1 / 2, 1 / 4, 1 / 8)
  const truth = LabelMatrix.from([[0, 3], [1, 2], []], 4)
  const ranked = rank(
    [
      [0, 1],
      [1, 2],
      [0, 1],
    ],
    3,
  )

  it('PSP@k is the weight found over the most that could be found', () => {
    expect(propensityPrecisionAt(truth, ranked, 1, propensities)).toBe((1 + 2) / (8 + 4))
    expect(propensityPrecisionAt(truth, ranked, 3, propensities)).toBe((1 + 2 + 4) / (1 + 8 + 2 + 4))
  })

  it('PSnDCG@k discounts by rank on both sides', () => {
    const second = 1 / Math.log2(3)
    const found = 1 + (2 + 4 * second)
    const best = 8 + second + (4 + 2 * second)
    expect(propensityNdcgAt(truth, ranked, 3, propensities)).toBeCloseTo(found / best, 12)
  })

  it('with equal propensities are the plain measures over their best values', () => {
    fc.assert(
      fc.property(rankedCase, ({ truth, ranked, trueSets, k }) => {
        const equal = new Float64Array(truth.columns).fill(0.5)
        const perfect = rank(
          trueSets.map(set => [...set]),
          truth.columns,
        )
        const share = (value: number, best: number) => (best === 0 ? 0 : value / best)
        const [psp, psndcg] = [propensityPrecisionAt, propensityNdcgAt].map(measure => measure(truth, ranked, k, equal))
        expect(psp).toBeCloseTo(share(precisionAt(truth, ranked, k), precisionAt(truth, perfect, k)), 10)
        expect(psndcg).toBeCloseTo(share(ndcgAt(truth, ranked, k), ndcgAt(truth, perfect, k)), 10)
      }),
    )
  })

  it('are never above 1, and 1 for the true labels with the rarest first', () => {
    const weights = fc.array(fc.double({ min: 0.01, max: 1, noNaN: true }), { minLength: 6, maxLength: 6 })
    fc.assert(
      fc.property(rankedCase, weights, ({ truth, ranked, trueSets, k }, values) => {
        const some = Float64Array.from(values)
        const best = rank(
          trueSets.map(set => [...set].sort((a, b) => some[a] - some[b])),
          6,
        )
        for (const measure of [propensityPrecisionAt, propensityNdcgAt]) {
          expect(measure(truth, ranked, k, some)).toBeLessThanOrEqual(1 + 1e-12)
          expect(measure(truth, best, k, some)).toBeCloseTo(truth.entries > 0 ? 1 : 0, 10)
        }
      }),
    )
  })

  it('refuse propensities of other labels, or that are none', () => {
    expect(() => propensityPrecisionAt(truth, ranked, 1, Float64Array.of(1))).toThrow('1 propensities for 4 labels')
    expect(() => propensityNdcgAt(truth, ranked, 1, Float64Array.of(1, 1, 0, 1))).toThrow('label 2 has propensity 0')
  })
})
