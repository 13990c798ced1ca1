import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { denseMetricFunctions } from './dense-metrics.ts'
import { levenshtein, levenshteinNormalized } from './levenshtein.ts'
import type { Metric } from './metric.ts'
import { metricFault } from './metric-fault.ts'
import { findNetMetric, type MetricItem, metricNamesFor, netMetrics } from './named-metrics.ts'
import { sparseMetricFunctions } from './sparse-metrics.ts'

/** The textbook's table, over code points. */
function tableDistance(first: string, second: string): number {
  const [a, b] = [[...first], [...second]]
  let above = b.map((_, j) => j + 1)
  above.unshift(0)
  a.forEach((letter, i) => {
    const row = [i + 1]
    for (const [j, other] of b.entries()) {
      row.push(Math.min(row[j] + 1, above[j + 1] + 1, above[j] + (letter === other ? 0 : 1)))
    }
    above = row
  })
  return above[b.length]
}

const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é', '中', '🦊'), maxLength })

describe('levenshtein', () => {
  it('counts letters to add, take out and replace', () => {
    expect(levenshtein.distance('kitten', 'sitting')).toBe(3)
    expect(levenshtein.distance('', 'abc')).toBe(3)
    expect(levenshtein.distance('abc', '')).toBe(3)
    expect(levenshtein.distance('', '')).toBe(0)
  })

  it('takes a letter outside the first plane for one', () => {
    expect(levenshtein.distance('a🦊b', 'ab')).toBe(1)
    expect(levenshtein.distance('🦊', '🦝')).toBe(1)
    expect(levenshtein.distance('ab', 'a🦊b')).toBe(1)
    expect(levenshtein.distance('', '🦊🦊')).toBe(2)
  })

  it.each([
    ['short', 12],
    ['about one word of bits', 34],
    ['several words of bits', 110],
  ])('agrees with the table on texts: %s', (_what, most) => {
    fc.assert(
      fc.property(letters(most), letters(most), (a, b) => {
        expect(levenshtein.distance(a, b)).toBe(tableDistance(a, b))
      }),
      { numRuns: 400 },
    )
  })

  it('agrees at the edges of the words of bits', () => {
    for (const length of [31, 32, 33, 63, 64, 65, 96]) {
      const a = 'ab'.repeat(length).slice(0, length)
      for (const b of [a, `${a}b`, a.slice(1), `x${a.slice(0, -1)}`, 'b'.repeat(length), '']) {
        expect(levenshtein.distance(a, b)).toBe(tableDistance(a, b))
      }
    }
  })

  it('is between 0 and 1 in its normalized form', () => {
    expect(levenshteinNormalized.distance('', '')).toBe(0)
    expect(levenshteinNormalized.distance('', 'abc')).toBe(1)
    expect(levenshteinNormalized.distance('ab', 'ac')).toBeCloseTo(2 / 5, 12)
  })
})

describe('metrics of vectors', () => {
  const a = Float32Array.of(3, 0, 1)
  const b = Float32Array.of(0, 4, 1)

  it('are what the textbook says', () => {
    expect(denseMetricFunctions.euclidean(a, b)).toBe(5)
    expect(denseMetricFunctions.manhattan(a, b)).toBe(7)
    expect(denseMetricFunctions.chebyshev(a, b)).toBe(4)
    expect(denseMetricFunctions.angle(Float32Array.of(1, 0), Float32Array.of(0, 2))).toBeCloseTo(Math.PI / 2, 12)
    expect(denseMetricFunctions.angle(a, a)).toBe(0)
    expect(denseMetricFunctions.jaccard(a, b)).toBeCloseTo(1 - 1 / 8, 12)
    expect(denseMetricFunctions.jaccard(new Float32Array(2), new Float32Array(2))).toBe(0)
  })

  it('move earth bin by bin, whatever the mass', () => {
    const { 'earth-mover': move } = denseMetricFunctions
    expect(move(Float32Array.of(1, 0, 0), Float32Array.of(0, 0, 1))).toBe(2)
    expect(move(Float32Array.of(2, 2, 0), Float32Array.of(0, 5, 5))).toBe(1)
  })

  it('have a vector of zeros at a right angle to all others', () => {
    const zeros = new Float32Array(3)
    expect([denseMetricFunctions.angle(zeros, a), denseMetricFunctions.angle(zeros, zeros)]).toEqual([Math.PI / 2, 0])
  })

  it('are the same of sparse rows', () => {
    const vector = fc.array(fc.integer({ min: -2, max: 4 }), { minLength: 6, maxLength: 6 })
    const toSparse = (values: number[]): SparseRow =>
      SparseMatrix.from([values.flatMap((value, j) => (value === 0 ? [] : [[j, value] as [number, number]]))]).row(0)
    fc.assert(
      fc.property(vector, vector, (x, y) => {
        for (const [name, distance] of Object.entries(sparseMetricFunctions)) {
          const dense = denseMetricFunctions[name as keyof typeof sparseMetricFunctions] // every sparse one is dense too
          expect(distance(toSparse(x), toSparse(y))).toBeCloseTo(dense(Float32Array.from(x), Float32Array.from(y)), 6)
        }
      }),
    )
  })
})

describe('metricFault', () => {
  const items = [0, 1, 2, 3, 5, 8]
  const line: Metric<number> = { name: 'line', distance: (a, b) => Math.abs(a - b) }

  it('tries the distances that a net takes: those of from, where it is given', () => {
    expect(metricFault({ ...line, from: a => b => Math.abs(a - b) }, items)).toBeUndefined()
    expect(metricFault({ ...line, from: a => b => b - a }, items)).toContain('expected a finite number of at least 0')
    expect(metricFault({ ...line, from: a => b => (b > a ? b - a : 2 * (a - b)) }, items)).toContain('one way and')
  })

  it('says where from and distance disagree', () => {
    const doubled: Metric<number> = { ...line, from: a => b => 2 * Math.abs(a - b) }
    expect(metricFault(doubled, items)).toMatch(/^items \d and \d are \d apart by distance, but \d+ by from$/)
    expect(metricFault({ ...line, distance: () => Number.NaN, from: a => b => Math.abs(a - b) }, items)).toContain('NaN apart by distance') // biome-ignore format: one line
  })
})

describe('every given metric', () => {
  const vectors = fc.array(fc.array(fc.integer({ min: 0, max: 5 }), { minLength: 4, maxLength: 4 }), { minLength: 3, maxLength: 12 }) // biome-ignore format: one list
  const dense = vectors.map(rows => rows.map(row => Float32Array.from([1, ...row])))
  const sparse = vectors.map(rows => rows.map(row => ({ indices: Uint32Array.of(0, 1, 2, 3), values: Float32Array.from(row) }))) // biome-ignore format: one list
  const items = { dense, sparse, text: fc.array(letters(9), { minLength: 3, maxLength: 12 }) } as const
  const given = (['dense', 'sparse', 'text'] as const).flatMap(layout => metricNamesFor(layout).map(name => ({ layout, name }))) // biome-ignore format: one list

  it.each(given)('is a metric: $name of $layout items', ({ layout, name }) => {
    const metric = findNetMetric(name, layout) as Metric<unknown> as Metric<MetricItem> // of this layout
    const kinds: fc.Arbitrary<MetricItem[]> = items[layout]
    fc.assert(
      fc.property(kinds, list => {
        expect(metricFault(metric, list, { triples: 40 })).toBeUndefined()
      }),
    )
  })

  it('is listed by name', () => {
    expect(netMetrics).toEqual([
      ...['euclidean', 'manhattan', 'chebyshev', 'angle', 'jaccard', 'earth-mover'],
      ...['levenshtein', 'levenshtein-normalized'],
    ])
    expect(() => findNetMetric('hamming', 'text')).toThrow('expected one of levenshtein, levenshtein-normalized')
  })
})
