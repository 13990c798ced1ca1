import { describe, expect, it } from 'vitest'
import { Random } from '../random.ts'
import { ExactIndex } from '../search/exact/exact-index.ts'
import { ForestIndex } from '../search/forest/forest-index.ts'
import { InvertedIndex } from '../search/inverted/inverted-index.ts'
import { netKind } from '../search/net/kind.ts'
import { NetIndex } from '../search/net/net-index.ts'
import { findIndexKind } from '../search/registry.ts'
import type { SearchIndex } from '../search/search-index.ts'
import { measureIndex } from './index-curve.ts'

function clouds(rows: number): number[][] {
  const random = new Random(5)
  return Array.from({ length: rows }, (_, i) =>
    Array.from({ length: 16 }, (_, j) => (i % 16 === j ? 2 : 0) + random.float()),
  )
}

describe('measureIndex', () => {
  it('finds all neighbors of an exact index, in one point', async () => {
    using index = await ExactIndex.fit(clouds(200))
    const { points, k, queries } = await measureIndex({ index, kind: findIndexKind('exact') }, { k: 5, queries: 20 })
    expect({ k, queries }).toEqual({ k: 5, queries: 20 })
    expect(points).toHaveLength(1)
    expect(points[0]).toMatchObject({ recall: 1, candidates: 200 })
  })

  it('gives points of a forest from quick to thorough, by options that search takes', async () => {
    using index = await ForestIndex.fit(clouds(6000), { threads: 1 })
    const { points } = await measureIndex({ index, kind: findIndexKind('forest') }, { queries: 50 })
    const recalls = points.map(({ recall }) => recall)
    expect(recalls).toEqual([...recalls].sort((a, b) => a - b))
    expect(recalls.at(-1)).toBeGreaterThan(0.9)
    expect(index.search(clouds(1)[0], { k: 3, ...points[0].options })).toHaveLength(3)
  })

  it('does not count an item as its own neighbor', async () => {
    // An index that finds nothing but the item itself has a recall of 0.
    using whole = await ExactIndex.fit(clouds(50))
    const index = {
      ...{ metric: whole.metric, rows: whole.rows, rowNumbers: whole.rowNumbers },
      rowOf: whole.rowOf.bind(whole),
      idOf: whole.idOf.bind(whole),
      vector: whole.vector.bind(whole),
      contents: whole.contents.bind(whole),
      searchBatch: whole.searchBatch.bind(whole),
      search: (query: Float32Array) => whole.search(query, { k: 1 }),
    } as unknown as SearchIndex
    const { points } = await measureIndex({ index, kind: findIndexKind('exact') }, { k: 3, queries: 10 })
    expect(points[0].recall).toBe(0)
  })

  it('takes sparse rows and texts', async () => {
    const rows = clouds(60).map(row => row.map((value, j): [number, number] => [j, value]))
    using sparse = await InvertedIndex.fit(rows)
    const measured = await measureIndex({ index: sparse, kind: findIndexKind('inverted') }, { queries: 10 })
    expect(measured.points[0].recall).toBe(1)
    using texts = await NetIndex.fit(['ship', 'shop', 'sheep', 'chip'], { metric: 'levenshtein' })
    const found = await measureIndex({ index: texts as never, kind: netKind }, { k: 2 })
    expect(found).toMatchObject({ queries: 4, points: [{ recall: 1 }] })
  })

  it('says what it needs', async () => {
    using index = await ExactIndex.fit([[1, 2]])
    await expect(measureIndex({ index, kind: findIndexKind('exact') })).rejects.toThrow('at least two items')
  })
})
