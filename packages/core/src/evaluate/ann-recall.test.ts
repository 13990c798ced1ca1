import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type NeighborDistances, neighborRecall, neighborRecallByDistance } from './ann-recall.ts'

/** From one list of [row, distance] pairs a query. */
function neighbors(lists: readonly (readonly (readonly [number, number])[])[], k: number): NeighborDistances {
  const rows = new Uint32Array(lists.length * k)
  const distances = new Float32Array(lists.length * k)
  lists.forEach((list, query) => {
    rows.set(
      list.map(([row]) => row),
      query * k,
    )
    distances.set(
      list.map(([, distance]) => distance),
      query * k,
    )
  })
  return { queries: lists.length, k, rows, distances, counts: Uint32Array.from(lists, list => list.length) }
}

// The second and third neighbors of query 0 are equally far.
const truth = neighbors(
  [
    [
      [7, 1],
      [3, 2],
      [4, 2],
    ],
    [
      [1, 0],
      [2, 5],
      [9, 6],
    ],
  ],
  3,
)
const found = neighbors(
  [
    [
      [7, 1],
      [4, 2],
      [8, 3],
    ],
    [
      [2, 5],
      [9, 6],
    ],
  ],
  3,
)

describe('neighborRecall', () => {
  it('counts the true neighbors found', () => {
    expect(neighborRecall(found, truth, 1)).toBe((1 + 0) / 2)
    expect(neighborRecall(found, truth, 2)).toBe((1 / 2 + 1 / 2) / 2)
    expect(neighborRecall(found, truth, 3)).toBeCloseTo((2 / 3 + 2 / 3) / 2, 12)
  })

  it('by distance counts a tied neighbor for the one that is listed', () => {
    expect(neighborRecallByDistance(found, truth, 2)).toBe((1 + 1 / 2) / 2)
    expect(neighborRecallByDistance(found, truth, 3)).toBeCloseTo((2 / 3 + 2 / 3) / 2, 12)
  })

  it('by distance forgives rounding, and as much more as asked', () => {
    const near = neighbors([[[5, 1.000001]], [[6, 0.4]]], 1)
    const exact = neighbors([[[7, 1]], [[8, 0.3]]], 1)
    expect(neighborRecallByDistance(near, exact, 1)).toBe(1 / 2)
    expect(neighborRecallByDistance(near, exact, 1, { tolerance: 0 })).toBe(0)
    expect(neighborRecallByDistance(near, exact, 1, { tolerance: 0.5 })).toBe(1)
  })

  it('measures a query with few true neighbors on those, and one with none as 1', () => {
    const few = neighbors([[[7, 1]], []], 3)
    const all = neighbors(
      [
        [
          [7, 1],
          [8, 2],
        ],
        [],
      ],
      3,
    )
    expect(neighborRecall(all, few, 3)).toBe(1)
    expect(neighborRecallByDistance(all, few, 3)).toBe(1)
  })

  it('counts a row that is listed twice once', () => {
    const twice = neighbors(
      [
        [
          [7, 1],
          [7, 1],
          [7, 1],
        ],
        [],
      ],
      3,
    )
    expect(neighborRecall(twice, truth, 3)).toBeCloseTo(1 / 6, 12)
    expect(neighborRecallByDistance(twice, truth, 3)).toBeCloseTo(1 / 6, 12)
  })

  it('agrees with sets, is 1 for the truth itself, and by distance is never lower than by row', () => {
    const points = fc.uniqueArray(fc.tuple(fc.nat(20), fc.nat(5)), {
      minLength: 4,
      maxLength: 12,
      selector: ([row]) => row,
    })
    fc.assert(
      fc.property(points, fc.integer({ min: 1, max: 4 }), fc.nat(), (corpus, k, picked) => {
        const byDistance = (a: readonly [number, number], b: readonly [number, number]) => a[1] - b[1] || a[0] - b[0]
        const nearest = [...corpus].sort(byDistance).slice(0, k)
        const some = corpus
          .filter((_, i) => (picked >> i) % 2 === 0)
          .sort(byDistance)
          .slice(0, k)
        const [exact, tried] = [neighbors([nearest], k), neighbors([some], k)]
        const rows = new Set(nearest.map(([row]) => row))
        const byRow = some.filter(([row]) => rows.has(row)).length / k
        expect(neighborRecall(tried, exact, k)).toBeCloseTo(byRow, 10)
        expect(neighborRecall(exact, exact, k)).toBe(1)
        expect(neighborRecallByDistance(exact, exact, k)).toBe(1)
        expect(neighborRecallByDistance(tried, exact, k)).toBeGreaterThanOrEqual(byRow - 1e-12)
      }),
    )
  })

  it('refuses lists of other queries, or cut before k', () => {
    const mismatch = expect.objectContaining({ code: 'DIMENSION_MISMATCH' })
    expect(() => neighborRecall(neighbors([[[7, 1]]], 3), truth, 1)).toThrow(mismatch)
    expect(() => neighborRecall(found, truth, 4)).toThrow(
      'recall at 4 needs 4 neighbors, but the found lists hold only 3',
    )
    expect(() => neighborRecallByDistance(found, truth, 2.5)).toThrow('k is 2.5')
    expect(() => neighborRecallByDistance(found, truth, 1, { tolerance: -1 })).toThrow('tolerance is -1')
    expect(() => neighborRecall(neighbors([], 3), neighbors([], 3), 1)).toThrow('no queries')
  })
})
