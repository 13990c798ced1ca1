import { describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { clustered, idsOf } from '../index-oracle.cases.ts'
import { withTuning } from './filter.cases.ts'
import { siftPlan } from './filter-sift.ts'
import { ForestIndex } from './forest-index.ts'
import type { ForestTuning } from './tuning.ts'

const shape = { rows: 20_000, dims: 384, sketchDims: 96, leafEntries: 30 }
const tuned = [
  { k: 10, rerank: 40, recall: 0.96 },
  { k: 100, rerank: 200, recall: 0.96 },
]

describe('a plan to sift what passes', () => {
  it('compares as many rows as the hungriest number of neighbors on the way needs, and some more', () => {
    // 4 · 10 for 10 neighbors, 2 · 10 for 100; twice the root of 40 is 12.6.
    expect(siftPlan(tuned, 10, 4000, shape)).toMatchObject({ rerank: 53, sampled: 1000, mostNearer: 5 })
  })

  it.each([
    ['nothing was tuned', [], 10, 4000],
    ['few pass: comparing them is as quick', tuned, 10, 300],
    ['neighbors that pass are beyond those that were tried', tuned, 10, 2000],
    ['all that pass are wanted', tuned, 10, 10],
    ['nothing is wanted', tuned, 0, 4000],
  ])('is not made where %s', (_, steps, k, passing) => {
    expect(siftPlan(steps, k, passing, shape)).toBeUndefined()
  })

  it('is not made where codes are as long as rows', () => {
    expect(siftPlan(tuned, 10, 4000, { ...shape, dims: 96 })).toBeUndefined()
  })
})

describe('sifting what passes a filter', () => {
  const [count, dims] = [3000, 64]
  const rows = clustered(2, count, dims)
  const queries = clustered(9, 30, dims)
  const fit = () => ForestIndex.fit(rows, { trees: 8, sketchDims: 16, targetRecall: 0.9 })
  const fourth = () => new Set<Id>(Array.from({ length: count / 4 }, (_, i) => 4 * i))
  /** As few rows compared as there are neighbors. */
  const few = ({ sift }: ForestTuning) => ({ sift: sift.map(step => ({ ...step, rerank: 1 })) })

  async function recallOf(
    change: (tuning: ForestTuning) => Partial<ForestTuning>,
    filterOf: (query: number[]) => Set<Id>,
  ): Promise<number> {
    const fitted = await fit()
    const forest = withTuning(fitted, { larger: [], ...change(fitted.tuning as ForestTuning) })
    const exact = await ExactIndex.fit(rows)
    let hits = 0
    for (let i = 0; i < queries.rows; i++) {
      const filter = filterOf(Array.from(queries.row(i)))
      const found = idsOf(forest.search(queries.row(i), { k: 10, filter }))
      hits += idsOf(exact.search(queries.row(i), { k: 10, filter })).filter(id => found.includes(id)).length
    }
    forest.free()
    exact.free()
    return hits / (10 * queries.rows)
  }

  it('compares the rows with the nearest codes, and no others', async () => {
    const enough = await recallOf(() => ({}), fourth)
    expect(enough).toBeGreaterThan(0.87)
    expect(await recallOf(few, fourth)).toBeLessThan(enough - 0.1)
  })

  it('gives up where what passes is far from the query, and compares all of it', async () => {
    const farthest = (query: number[]) => {
      const squares = Array.from({ length: count }, (_, i) => {
        const row = rows.row(i)
        return query.reduce((sum, value, j) => sum + (value - row[j]) ** 2, 0)
      })
      const fromFar = [...squares.keys()].sort((a, b) => squares[b] - squares[a])
      return new Set<Id>(fromFar.slice(0, count / 4))
    }
    expect(await recallOf(few, farthest)).toBe(1)
  })
})
