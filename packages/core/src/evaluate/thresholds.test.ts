import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { rates } from './agreement.ts'
import type { RankedLabels } from './predictions.ts'
import { applyThresholds, chooseThresholds, exactThreshold, steppedThreshold, thresholdOf } from './thresholds.ts'

/** Rows of [label, score] pairs as a ranking. */
function rankedOf(rows: readonly (readonly (readonly [number, number])[])[]): RankedLabels {
  const top = Math.max(1, ...rows.map(row => row.length))
  const ranked = {
    rows: rows.length,
    top,
    labels: new Uint32Array(rows.length * top),
    scores: new Float32Array(rows.length * top),
    counts: Uint32Array.from(rows, row => row.length),
  }
  rows.forEach((row, i) => {
    const falling = [...row].sort((a, b) => b[1] - a[1])
    ranked.labels.set(
      falling.map(([label]) => label),
      i * top,
    )
    ranked.scores.set(
      falling.map(([, score]) => score),
      i * top,
    )
  })
  return ranked
}

const sets = (matrix: LabelMatrix): number[][] => Array.from({ length: matrix.rows }, (_, row) => [...matrix.row(row)])

// Three rows, three labels; four true pairs.
const ranked = rankedOf([
  [
    [0, 0.9],
    [1, 0.5],
    [2, 0.125],
  ],
  [
    [0, 0.75],
    [2, 0.25],
  ],
  [[1, 0.5]],
])
const truth = LabelMatrix.from([[0, 1], [2], [1]], 3)

describe('thresholds by cardinality', () => {
  it('let as many labels pass as there are', () => {
    // Four pairs are true; the fourth and fifth best scores are 0.5 and 0.25.
    expect(chooseThresholds('cardinality', ranked, truth)).toEqual({ single: 0.375 })
  })

  it('let half as many pass with a factor of one half', () => {
    expect(chooseThresholds('cardinality', ranked, truth, { factor: 0.5 }).single).toBe(0.625)
  })

  it('split ties to the nearer side', () => {
    const scores = Float32Array.of(0.2, 0.5, 0.5, 0.5, 0.8)
    expect(exactThreshold(scores, 2)).toBeGreaterThan(0.5)
    expect(exactThreshold(scores, 3)).toBeLessThanOrEqual(0.5)
  })

  it('miss the wanted number by no more than any threshold does', () => {
    const scores = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 30 })
    fc.assert(
      fc.property(scores, fc.nat({ max: 40 }), (numbers, wanted) => {
        const ascending = Float32Array.from(numbers, number => number / 20).sort()
        const miss = (threshold: number) => Math.abs(ascending.filter(score => score >= threshold).length - wanted)
        const found = exactThreshold(ascending, wanted)
        expect(Math.fround(found)).toBe(found)
        // At least the best always pass.
        for (const score of ascending) expect(miss(found)).toBeLessThanOrEqual(miss(score))
      }),
    )
  })

  it('follow the two passes of the paper: tenths, then hundredths around the best', () => {
    const scores = Float32Array.from({ length: 100 }, (_, i) => (i + 0.5) / 100)
    expect(steppedThreshold(scores, 67)).toBeCloseTo(0.33, 6)
    expect(steppedThreshold(scores, 100)).toBe(0)
    expect(steppedThreshold(scores, 0)).toBe(1)
  })
})

describe('thresholds by label', () => {
  it('let each label pass as often as it occurs', () => {
    const chosen = chooseThresholds('priors', ranked, truth)
    // Label 0 occurs once, and is given at 0.9 and 0.75; label 1 is given only where it occurs.
    expect(chosen.byLabel).toEqual(Float32Array.of((Math.fround(0.9) + 0.75) / 2, 0, 0.1875))
    expect(sets(applyThresholds(ranked, chosen, 3))).toEqual([[0, 1], [2], [1]])
  })

  it('leave labels that do not occur at the single threshold', () => {
    const wider = LabelMatrix.from([[0, 1], [2], [1]], 5)
    for (const kind of ['priors', 'f1'] as const) {
      const { single, byLabel } = chooseThresholds(kind, ranked, wider)
      expect(byLabel?.[4]).toBe(single)
    }
  })

  it('are those of the best F1 where all trust is in the label', () => {
    const row = fc.uniqueArray(fc.tuple(fc.nat({ max: 3 }), fc.integer({ min: 1, max: 8 })), { selector: ([l]) => l })
    const labels = fc.uniqueArray(fc.nat({ max: 3 }))
    fc.assert(
      fc.property(fc.array(fc.tuple(row, labels), { minLength: 1, maxLength: 12 }), rows => {
        const scored = rows.map(([pairs]) => pairs.map(([label, score]) => [label, score / 8] as const))
        const given = rankedOf(scored)
        const real = LabelMatrix.from(
          rows.map(([, carried]) => carried),
          4,
        )
        const { byLabel } = chooseThresholds('f1', given, real, { trust: 0 })
        for (let label = 0; label < 4; label++) {
          const f1 = (threshold: number) => {
            const passed = scored.map(pairs => pairs.some(([l, score]) => l === label && score >= threshold))
            const carried = rows.map(([, carries]) => carries.includes(label))
            const count = (which: boolean[]) => which.filter(Boolean).length
            return rates(count(carried), count(passed), count(passed.map((p, i) => p && !!carried[i]))).f1
          }
          const occurs = rows.some(([, carried]) => carried.includes(label))
          const scores = scored.flatMap(pairs => pairs.filter(([l]) => l === label).map(([, score]) => score))
          if (occurs && scores.length > 0) {
            // The logarithm may move a threshold by a hair, never past a score: they are an eighth apart.
            expect(f1((byLabel?.[label] ?? 0) - 1e-6)).toBeCloseTo(Math.max(...scores.map(f1)), 9)
          }
        }
      }),
    )
  })

  it('are drawn to the single threshold where a label is rare', () => {
    const single = chooseThresholds('cardinality', ranked, truth).single
    const own = chooseThresholds('f1', ranked, truth, { trust: 0 }).byLabel?.[0] ?? 0
    const half = chooseThresholds('f1', ranked, truth, { trust: 1 }).byLabel?.[0] ?? 0
    expect(half).toBeCloseTo(Math.sqrt(own * single), 6)
  })
})

describe('applyThresholds', () => {
  const high = { single: 0.6 }

  it('keeps the best label of a row where none passes', () => {
    expect(sets(applyThresholds(ranked, high, 3))).toEqual([[0], [0], [1]])
  })

  it('leaves the row empty where that is asked for, and where there is no label at all', () => {
    expect(sets(applyThresholds(ranked, high, 3, true))).toEqual([[0], [0], []])
    expect(sets(applyThresholds(rankedOf([[]]), high, 3))).toEqual([[]])
  })

  it('uses the single threshold for labels that came later', () => {
    expect(thresholdOf({ single: 0.5, byLabel: Float32Array.of(0.25) }, 0)).toBe(0.25)
    expect(thresholdOf({ single: 0.5, byLabel: Float32Array.of(0.25) }, 1)).toBe(0.5)
  })
})

describe('chooseThresholds', () => {
  it('gives thresholds where nothing was scored', () => {
    const nothing = rankedOf([[], [], []])
    expect(chooseThresholds('cardinality', nothing, truth)).toEqual({ single: 0 })
    expect(chooseThresholds('f1', nothing, truth).byLabel).toEqual(new Float32Array(3))
  })

  it.each([
    [{ factor: 0 }, 'factor is 0, expected a number above 0'],
    [{ factor: Number.NaN }, 'factor is NaN, expected a number above 0'],
    [{ trust: -1 }, 'trust is -1, expected a number of at least 0'],
  ])('refuses %o', (options, message) => {
    expect(() => chooseThresholds('cardinality', ranked, truth, options)).toThrow(message)
  })
})
