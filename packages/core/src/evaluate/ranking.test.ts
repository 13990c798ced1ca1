import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { coverageAt, ndcgAt, precisionAt, recallAt } from './ranking.ts'
import { type RankedCase, rank, rankedCase } from './test-cases.ts'

// Row 0 carries 0 and 2, row 1 carries 1, row 2 nothing, row 3 carries 0, 1 and 3. Label 4 never occurs.
const truth = LabelMatrix.from([[0, 2], [1], [], [0, 1, 3]], 5)
// Row 0 has a miss between two hits, row 1 misses, row 2 cannot hit, row 3 hits once and stops.
const ranked = rank([[2, 4, 0], [3, 4, 0], [0, 1, 2], [3]], 3)

describe('ranking measures', () => {
  it('P@k is the share of places with a true label, empty places being misses', () => {
    expect(precisionAt(truth, ranked, 1)).toBe(2 / 4)
    expect(precisionAt(truth, ranked, 3)).toBe((2 + 0 + 0 + 1) / (3 * 4))
  })

  it('recall@k is the share of the true labels found, 0 in a row without any', () => {
    expect(recallAt(truth, ranked, 1)).toBeCloseTo((1 / 2 + 0 + 0 + 1 / 3) / 4, 12)
    expect(recallAt(truth, ranked, 3)).toBeCloseTo((1 + 0 + 0 + 1 / 3) / 4, 12)
  })

  it('nDCG@k discounts by rank and divides by the best the row allows', () => {
    // Row 0: (1 + 1/log2(4)) over (1 + 1/log2(3)); row 3: 1 over (1 + 1/log2(3) + 1/log2(4)).
    const second = 1 / Math.log2(3)
    expect(ndcgAt(truth, ranked, 3)).toBeCloseTo((1.5 / (1 + second) + 1 / (1.5 + second)) / 4, 12)
  })

  it('coverage@k is the share of the occurring labels found at least once', () => {
    expect(coverageAt(truth, ranked, 1)).toBe(2 / 4)
    expect(coverageAt(truth, ranked, 3)).toBe(3 / 4)
    expect(coverageAt(LabelMatrix.from([[]], 3), rank([[0, 1]], 3), 3)).toBe(0)
  })

  it('agree with counting by hand over sets', () => {
    fc.assert(
      fc.property(rankedCase, ({ truth, ranked, trueSets, lists, k }) => {
        const hits = trueSets.map((set, i) => lists[i].slice(0, k).map(label => set.has(label)))
        const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
        const found = hits.map(row => row.filter(Boolean).length)
        const gain = (row: boolean[]) => row.reduce((sum, hit, r) => sum + (hit ? 1 / Math.log2(r + 2) : 0), 0)
        const ideal = (size: number) => gain(Array.from({ length: Math.min(k, size) }, () => true))
        expect(precisionAt(truth, ranked, k)).toBeCloseTo(mean(found.map(count => count / k)), 10)
        expect(recallAt(truth, ranked, k)).toBeCloseTo(
          mean(found.map((count, i) => count / (trueSets[i].size || 1))),
          10,
        )
        expect(ndcgAt(truth, ranked, k)).toBeCloseTo(
          mean(hits.map((row, i) => gain(row) / (ideal(trueSets[i].size) || 1))),
          10,
        )
        const seen = new Set(lists.flatMap((list, i) => list.slice(0, k).filter(label => trueSets[i].has(label))))
        const all = new Set(trueSets.flatMap(set => [...set]))
        expect(coverageAt(truth, ranked, k)).toBeCloseTo(seen.size / (all.size || 1), 10)
      }),
    )
  })

  it('P@1 is nDCG@1', () => {
    fc.assert(
      fc.property(rankedCase, ({ truth, ranked }) => {
        expect(ndcgAt(truth, ranked, 1)).toBeCloseTo(precisionAt(truth, ranked, 1), 10)
      }),
    )
  })

  it('do not change when rows are permuted', () => {
    const measures = ({ truth, ranked, k }: RankedCase) =>
      [precisionAt, recallAt, ndcgAt, coverageAt].map(measure => measure(truth, ranked, k))
    fc.assert(
      fc.property(rankedCase, original => {
        const reversed = Array.from({ length: original.truth.rows }, (_, i) => original.truth.rows - 1 - i)
        const turned = {
          ...original,
          truth: original.truth.select(reversed),
          ranked: rank(
            reversed.map(row => original.lists[row]),
            original.ranked.top,
          ),
        }
        expect(measures(turned)).toEqual(measures(original).map(value => expect.closeTo(value, 10)))
      }),
    )
  })

  it('are 1 for the true labels themselves, where every row has some', () => {
    const full = LabelMatrix.from(
      [
        [0, 1, 2],
        [1, 2, 3],
      ],
      4,
    )
    const perfect = rank(
      [
        [2, 0, 1],
        [1, 3, 2],
      ],
      3,
    )
    for (const measure of [precisionAt, recallAt, ndcgAt, coverageAt])
      expect(measure(full, perfect, 3)).toBeCloseTo(1, 12)
  })

  it('refuse rankings of other rows, of other labels, or cut too early', () => {
    const mismatch = expect.objectContaining({ code: 'DIMENSION_MISMATCH' })
    expect(() => precisionAt(truth, rank([[1]], 3), 1)).toThrow(mismatch)
    expect(() => ndcgAt(truth, rank([[5], [], [], []], 3), 1)).toThrow('row 0 has the predicted label 5')
    expect(() => recallAt(truth, ranked, 4)).toThrow('the rankings hold 3 labels per row, but a measure at 4 needs 4')
    expect(() => precisionAt(truth, { ...ranked, counts: Uint32Array.of(3, 3, 4, 1) }, 3)).toThrow(mismatch)
    expect(() => precisionAt(truth, ranked, 0)).toThrow('k is 0')
    expect(() => precisionAt(LabelMatrix.from([], 5), rank([], 3), 1)).toThrow(
      expect.objectContaining({ code: 'EMPTY_DATA' }),
    )
  })

  it('take a k above the number of labels', () => {
    const two = LabelMatrix.from([[0, 1]], 2)
    expect(precisionAt(two, rank([[1, 0]], 2), 5)).toBe(2 / 5)
    expect(ndcgAt(two, rank([[1, 0]], 2), 5)).toBeCloseTo(1, 12)
  })
})
