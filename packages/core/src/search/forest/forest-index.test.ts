import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import type { GrowerName } from '../../trees/growers.ts'
import { describeIndex } from '../index.cases.ts'
import { clustered, type Item, idsOf, itemsOf } from '../index-oracle.cases.ts'
import { ForestIndex } from './forest-index.ts'
import type { ForestFitOptions, ForestSearchOptions } from './options.ts'

// Few rows are all compared, unless the index is told to use its trees.
for (const [name, own, recallFloor] of [
  ['ForestIndex', {}, 1],
  ['ForestIndex by its trees', { targetRecall: 0 }, 0.98], // measured 1
  ['ForestIndex by walks', { trees: 4, walk: 40, rerank: 40 }, 0.95], // measured 0.958, by product
] as const) {
  describeIndex(name, {
    fit: (rows, options) => ForestIndex.fit(rows, { ...own, ...options }),
    load: (path, options) => ForestIndex.load(path, options),
    fromContents: (contents, options) => ForestIndex.fromContents(contents, options),
    recallFloor,
  })
}

const engine = new Engine()
const rows = clustered(2, 2000)
const fewer = clustered(2, 1000)
const queries = clustered(3, 40)

afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  await engine.close()
})

/** Few trees and a given effort: quick to build, and far from comparing everything. */
const quick: ForestFitOptions = { engine, trees: 8, labelNeighbors: 15, targetRecall: 0 }

async function withIndex<T>(options: ForestFitOptions, use: (index: ForestIndex) => T, of = rows): Promise<T> {
  const index = await ForestIndex.fit(of, { ...quick, ...options })
  try {
    return await use(index)
  } finally {
    index.free()
  }
}

/** The ids of the k nearest items: as `nearest`, with a loop that is quick enough for many queries. */
function truthOf(items: readonly Item[], query: ArrayLike<number>, k: number, metric: DenseMetric): Id[] {
  const all = items.map(({ id, row }) => {
    let distance = 0
    for (let j = 0; j < row.length; j++) distance += metric === 'dot' ? -row[j] * query[j] : (row[j] - query[j]) ** 2
    return { id, distance }
  })
  return idsOf(all.sort((a, b) => a.distance - b.distance).slice(0, k))
}

/** The share of the items' true neighbors that the index finds. */
function recallOf(
  index: ForestIndex,
  items: readonly Item[],
  options: ForestSearchOptions = {},
  metric: DenseMetric = 'euclidean',
): number {
  const k = options.k ?? 10
  const shares = itemsOf(queries).map(({ row }) => {
    const truth = truthOf(items, row, k, metric)
    const found = new Set(idsOf(index.search(row, options)))
    expect(found.size).toBe(truth.length)
    return truth.filter(id => found.has(id)).length / truth.length
  })
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

describe('ForestIndex', () => {
  let index: ForestIndex
  const items = itemsOf(rows)
  beforeAll(async () => {
    index = await ForestIndex.fit(rows, quick)
  })
  afterAll(() => index.free())

  it('compares few rows, as an index should', () => {
    const candidates = itemsOf(queries).map(({ row }) => index.searchCandidates(row))
    expect(Math.max(...candidates)).toBeLessThan(1000)
    expect(() => index.searchCandidates(queries.row(0), { k: 0 })).toThrow('k is 0')
  })

  it('finds as many neighbors after many adds and removes as a rebuilt index', async () => {
    const random = new Random(12)
    const others = clustered(9, 600)
    const live = new Map<Id, ArrayLike<number>>(items.slice(0, 1400).map(({ id, row }) => [id, row]))
    await withIndex(
      {},
      async changed => {
        for (let i = 0; i < 600; i++) {
          const [id, row] = [`new ${i}`, others.row(i)]
          changed.add(row, id)
          live.set(id, row)
          if (i % 2 === 0) continue
          const gone = [...live.keys()][random.below(live.size)]
          expect(changed.remove(gone)).toBe(true)
          live.delete(gone)
        }
        const now = [...live].map(([id, row]) => ({ id, row }))
        const [matrix, ids] = [DenseMatrix.from(now.map(({ row }) => Array.from(row))), now.map(({ id }) => id)]
        await withIndex({ ids }, fresh => expect(recallOf(changed, now)).toBeGreaterThan(recallOf(fresh, now) - 0.02), matrix) // biome-ignore format: one line
        const before = recallOf(changed, now)
        changed.compact()
        expect(recallOf(changed, now)).toBeGreaterThan(before - 0.005)
      },
      new DenseMatrix(1400, 16, rows.values.slice(0, 1400 * 16)),
    )
  })

  it('counts the rows of its fit that were replaced, saves the count, and searches longer for it', async () => {
    const four = (row: ArrayLike<number>) => Array.from({ length: 64 }, (_, i) => row[i % 16] ?? 0)
    const wide = DenseMatrix.from(itemsOf(clustered(2, 4000)).map(({ row }) => four(row)))
    const changed = await ForestIndex.fit(wide, { engine, targetRecall: 0.9 })
    expect(changed.effort.walk).toBeGreaterThan(0)
    const candidates = () => {
      let sum = 0
      for (let i = 3900; i < 4000; i++) sum += changed.searchCandidates(wide.row(i))
      return sum
    }
    expect(changed.turnover).toBe(0)
    const before = candidates()
    for (let i = 0; i < 3000; i++) {
      changed.remove(i)
      changed.add(wide.row(i), `again ${i}`)
    }
    changed.compact()
    expect(changed.turnover).toBe(0.75)
    expect(candidates()).toBeGreaterThan(before)
    const same = await ForestIndex.fromBytes(await changed.toBytes(), { engine })
    expect(same.turnover).toBe(0.75)
    same.remove(3999)
    same.compact()
    expect(same.turnover).toBeCloseTo(1 - 999 / 3999)
    for (const index of [same, changed]) index.free()
  })

  it('finds the largest products among rows of very different lengths', async () => {
    const random = new Random(5)
    const scaled = DenseMatrix.from(items.map(({ row }) => {
      const length = 10 ** (2 * random.float() - 1)
      return Array.from(row, value => length * value)
    })) // biome-ignore format: shorter
    await withIndex({ metric: 'dot' }, dot => {
      expect(recallOf(dot, itemsOf(scaled), {}, 'dot')).toBeGreaterThan(0.92) // measured: 0.95
    }, scaled) // biome-ignore format: shorter
  })

  it('learns from training rows that are not its own', async () => {
    await withIndex({ training: clustered(7, 1000) }, trained => {
      expect(trained.rows).toBe(2000)
      expect(recallOf(trained, items)).toBeGreaterThan(0.93) // measured: 0.955
    })
  })

  it.each([0.5, 0.05, 0.001])('finds k among the share of %f that passes a filter', share => {
    const random = new Random(3)
    const passing = items.filter(() => random.float() < share)
    const set = new Set(passing.map(({ id }) => id))
    expect(passing.length).toBeGreaterThan(0)
    for (const filter of [set, (id: Id) => set.has(id)]) {
      expect(recallOf(index, passing, { filter })).toBeGreaterThan(0.94) // measured: 0.96 and more
      for (const { id } of index.search(queries.row(0), { filter })) expect(set.has(id)).toBe(true)
    }
  })

  it('answers a batch as of its start, whatever is added and removed meanwhile', async () => {
    await withIndex({}, async changing => {
      const before = await changing.searchBatch(queries, { threads: 2 })
      const under = changing.searchBatch(queries, { threads: 2 })
      for (let i = 0; i < queries.rows; i++) changing.add(queries.row(i), `query ${i}`)
      for (let row = 0; row < 500; row++) changing.remove(row)
      expect(await under).toEqual(before)
      expect(changing.search(queries.row(0), { k: 1 })).toEqual([{ id: 'query 0', distance: 0 }])
    })
  })

  it('finds more neighbors than it was tuned for', () => {
    expect(index.settings.k).toBe(10)
    expect(recallOf(index, items, { k: 30 })).toBeGreaterThan(0.93) // measured: 0.96
    expect(recallOf(index, items, { k: 100 })).toBeGreaterThan(0.83) // measured: 0.87
    expect(index.search(queries.row(0), { k: 5000 })).toHaveLength(2000)
  })

  it('searches with the effort of each search, without a rebuild', () => {
    const query = queries.row(0)
    const candidates = (options: ForestSearchOptions) => index.searchCandidates(query, options)
    expect(candidates({ trees: 1 })).toBeLessThan(candidates({ trees: 8 }))
    expect(candidates({ threshold: 0.2 })).toBeLessThan(candidates({ threshold: 0 }))
    expect(candidates({ probes: 20 })).toBeGreaterThan(candidates({ probes: 0 }))
    const recalls = [
      recallOf(index, items, { trees: 1, rerank: 10 }),
      recallOf(index, items, { trees: 8, rerank: 10 }),
      recallOf(index, items, { trees: 8, rerank: 100 }),
      recallOf(index, items, { trees: 8, rerank: 2000, probes: 4096 }),
    ]
    expect(recalls).toEqual([...recalls].sort((a, b) => a - b))
    expect(recalls[3]).toBe(1)
  })

  it('refuses an effort that it cannot make', async () => {
    const query = queries.row(0)
    expect(() => index.search(query, { trees: 9 })).toThrow('trees is 9, expected a whole number from 1 to 8')
    expect(() => index.search(query, { threshold: 1.1 })).toThrow('threshold is 1.1, expected a number from 0 to 1')
    expect(() => index.search(query, { probes: -1 })).toThrow('probes is -1')
    expect(() => index.search(query, { rerank: 0 })).toThrow('rerank is 0')
    await expect(index.searchBatch(queries, { trees: 0 })).rejects.toThrow('trees is 0')
  })

  it('still finds k where the threshold lets too few pass', async () => {
    expect(recallOf(index, items, { threshold: 1 })).toBe(1)
    const batch = await index.searchBatch(queries, { threshold: 1 })
    const truth = await index.exactBatch(queries)
    expect([batch.rows, batch.counts]).toEqual([truth.rows, truth.counts])
    for (const [i, distance] of batch.distances.entries()) expect(distance).toBeCloseTo(truth.distances[i], 4)
  })

  it.each([
    [{ rule: 'lookup' }, 0.5], // measured: 0.54
    [{ rule: 'voting', leafSize: 40, threshold: 0.2, rerank: 100 }, 0.78], // measured: 0.82
    [{ view: 'rows' }, 0.96], // measured: 0.99
    [{ keep: 'codes' }, 0.92], // measured: 0.96
    [{ keep: 'sketch' }, 0.92], // measured: 0.96
    [{ sketchDims: 4 }, 0.93], // measured: 0.96
  ] as [ForestFitOptions, number][])('works with %o', async (options, floor) => {
    await withIndex(
      options,
      other => {
        expect(recallOf(other, itemsOf(fewer))).toBeGreaterThan(floor)
      },
      fewer,
    )
  })

  it.each(['codes', 'sketch'] as const)('keeping only %s, takes changes and is saved without its rows', async keep => {
    const found = (other: ForestIndex) => [0, 7, 2000].map(row => other.search(fewer.row(row % fewer.rows), { k: 5 }))
    await withIndex(
      { keep },
      async other => {
        expect(other.contents().tensors.rows?.array.length).toBe(0)
        other.remove(7)
        expect(other.add(fewer.row(7), 'again')).toBe('again')
        const [nearest] = other.search(fewer.row(7), { k: 1 })
        expect(nearest?.id).toBe('again')
        expect(nearest?.distance).toBeLessThan(0.1) // both are rounded alike: measured 0
        const same = ForestIndex.fromContents(other.contents())
        expect(found(same)).toEqual(found(other))
        same.compact()
        expect(found(same)).toEqual(found(other))
        const batch = await same.exactBatch(fewer.slice(7, 8), { k: 1 })
        expect(same.idOf(batch.rows[0])).toBe('again')
        same.free()
      },
      fewer,
    )
  })

  it.each([
    ['kd', {}, 0.96], // measured: 0.99
    ['random-projection', {}, 0.96], // measured: 0.99
    ['chronological', {}, 0.6], // measured: 0.65, all trees being one
    ['pca', {}, 0.94], // measured: 0.975
    ['pca', { pcaScope: 'level' }, 0.95], // measured: 0.98
    ['classification', {}, 0.95], // measured: 0.99
  ] as [GrowerName, ForestFitOptions, number][])('works with %s trees, %o', async (grower, options, floor) => {
    await withIndex(
      { grower, ...options },
      grown => {
        expect(recallOf(grown, itemsOf(fewer))).toBeGreaterThan(floor)
        grown.add(queries.row(0), 'added')
        expect(idsOf(grown.search(queries.row(0), { k: 1 }))).toEqual(['added'])
      },
      fewer,
    )
  })
})
