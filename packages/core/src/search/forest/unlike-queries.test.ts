import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import type { NeighborArrays } from '../neighbor-batch.ts'
import { ForestIndex } from './forest-index.ts'
import { farthestReach, reachOf, settle, widerEfforts } from './unlike-queries.ts'

const engine = new Engine()
afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  await engine.close()
})

const dims = 150

/** Clusters in eight directions of many. */
function clusters(seed: number, count: number): DenseMatrix {
  const axes = noise(1, 8)
  const random = new Random(seed)
  const matrix = new DenseMatrix(count, dims, new Float32Array(count * dims))
  for (let i = 0; i < count; i++) {
    for (let axis = 0; axis < 8; axis++) {
      const step = random.below(4) + 0.2 * random.normal()
      for (let j = 0; j < dims; j++) matrix.row(i)[j] += step * (axes.row(axis)[j] ?? 0)
    }
  }
  return matrix
}

/** In all directions. */
function noise(seed: number, count: number, scale = 1): DenseMatrix {
  const random = new Random(seed)
  return new DenseMatrix(
    count,
    dims,
    Float32Array.from({ length: count * dims }, () => scale * random.normal()),
  )
}

function recall(found: NeighborArrays, truth: NeighborArrays): number {
  const { k } = truth
  const near = found.distances.filter((distance, i) => distance <= truth.distances[Math.floor(i / k) * k + k - 1] + 1e-4) // biome-ignore format: one idea
  return near.length / truth.distances.length
}

const rows = clusters(2, 2500)
const alike = clusters(3, 60)

describe.each<DenseMetric>(['euclidean', 'cosine', 'dot'])('queries unlike the rows, by %s', metric => {
  it('get the recall that was named, one by one and in a batch', async () => {
    const index = await ForestIndex.fit(rows, { engine, metric, targetRecall: 0.9, trees: 6, labelNeighbors: 12 })
    const loaded = ForestIndex.fromContents(index.contents(), { engine })
    expect(index.effort.exact).toBe(false)
    for (const queries of [alike, noise(4, 30), noise(5, 30, 10)]) {
      const found = await index.searchBatch(queries, { k: 10 })
      expect(recall(found, await index.exactBatch(queries, { k: 10 }))).toBeGreaterThan(0.89)
      expect(await loaded.searchBatch(queries, { k: 10 })).toEqual(found)
      for (let i = 0; i < queries.rows; i++) {
        const alone = index.search(queries.row(i), { k: 10 })
        expect(alone.map(({ id }) => id)).toEqual([...found.rows.subarray(10 * i, 10 * (i + 1))])
      }
    }
    expect(index.searchCandidates(noise(5, 1, 10).row(0))).toBe(2500)
    expect(index.searchCandidates(alike.row(0))).toBeLessThan(2500)
    loaded.free()
    index.free()
  })

  it('get the recall that was named under a filter, too', async () => {
    const index = await ForestIndex.fit(rows, { engine, metric, targetRecall: 0.9, trees: 6, labelNeighbors: 12 })
    const exact = await ExactIndex.fit(rows, { engine, metric })
    const queries = noise(4, 30)
    for (const nth of [2, 4]) {
      const filter = index.filter(id => Number(id) % nth === 0)
      let hits = 0
      for (let i = 0; i < queries.rows; i++) {
        const found = index.search(queries.row(i), { k: 10, filter }).map(({ id }) => id)
        const truth = exact.search(queries.row(i), { k: 10, filter: id => Number(id) % nth === 0 })
        hits += truth.filter(({ id }) => found.includes(id)).length
      }
      expect(hits / (10 * queries.rows)).toBeGreaterThan(0.89)
    }
    index.free()
    exact.free()
  })
})

describe('a search that is told its effort', () => {
  it('does what it is told with queries unlike the rows, too', async () => {
    const index = await ForestIndex.fit(rows, {
      engine,
      metric: 'cosine',
      targetRecall: 0.9,
      trees: 6,
      labelNeighbors: 12,
    })
    const queries = noise(4, 60)
    const told = await index.searchBatch(queries, { k: 10, trees: 2, walk: 0, rerank: 10 })
    expect(recall(told, await index.exactBatch(queries, { k: 10 }))).toBeLessThan(0.5)
    expect(index.searchCandidates(queries.row(0), { trees: 2, walk: 0, rerank: 10 })).toBeLessThan(1000)
    index.free()
  })
})

describe('a query unlike the rows', () => {
  const dims = 128
  /** Points around 100 centers, and queries between them. */
  const around = (seed: number, count: number, spread: number) => {
    const [centers, random] = [new Random(1), new Random(seed)]
    const places = Float32Array.from({ length: 100 * dims }, () => centers.normal())
    const values = Float32Array.from({ length: count * dims }, (_, at) => {
      const center = Math.floor(at / dims) % 100
      return places[center * dims + (at % dims)] + spread * random.normal()
    })
    return new DenseMatrix(count, dims, values)
  }

  it('is searched more thoroughly, and some of them are not compared with all rows', async () => {
    const index = await ForestIndex.fit(around(2, 20_000, 0.3), { engine, targetRecall: 0.9 })
    expect(index.effort.walk).toBeGreaterThan(0)
    const queries = around(3, 200, 0.6)
    const { farthest } = index.tuning as { farthest: number }
    const truth = await index.exactBatch(queries, { k: 10 })
    const found = await index.searchBatch(queries, { k: 10 })
    expect(recall(found, truth)).toBeGreaterThan(0.98)
    const numbers = Array.from({ length: queries.rows }, (_, i) => i)
    const unlike = numbers.filter(i => (truth.distances[10 * i] ?? 0) ** 2 > farthest)
    expect(unlike.length).toBeGreaterThan(150)
    for (const i of unlike) {
      const alone = index.search(queries.row(i), { k: 10 })
      expect(alone.map(({ id }) => id)).toEqual([...found.rows.subarray(10 * i, 10 * (i + 1))])
    }
    const compared = unlike.filter(i => index.searchCandidates(queries.row(i)) === index.rows)
    expect(compared.length).toBeLessThan(unlike.length)
    index.free()
  })

  it('is answered by the first search that finds the same as the one before', () => {
    const effort = { trees: 1, threshold: 0, probes: 0, rerank: 10, walk: 10, exact: false }
    const efforts = [40, 160, 640].map(walk => ({ ...effort, walk }))
    const found = (...raw: number[]) => ({ rows: Uint32Array.from(raw), raw: Float32Array.from(raw) })
    const answers = (nearest: Record<number, number[]>) => (wide: { walk: number }) =>
      found(...(nearest[wide.walk] ?? []))
    expect(settle(found(1, 2), efforts, answers({ 40: [1, 2] }))).toEqual(found(1, 2))
    expect(settle(found(3, 4), efforts, answers({ 40: [1, 3], 160: [1, 2], 640: [1, 2] }))).toEqual(found(1, 2))
    expect(settle(found(3, 4), efforts, answers({ 40: [1, 3], 160: [1, 2], 640: [0, 1] }))).toBe(undefined)
    expect(settle(found(3), efforts, answers({ 40: [3, 4], 160: [3, 4] }))).toEqual(found(3, 4))
    expect(settle(found(3), [], answers({}))).toBe(undefined)
  })

  it('tries efforts that cost up to a quarter of comparing all rows', () => {
    const effort = { trees: 1, threshold: 0, probes: 0, rerank: 10, walk: 20, exact: false }
    const chosen = { effort, recall: 0.95, candidates: 300, cost: 20 }
    const shape = { rows: 100_000, dims: 100, trees: 2 } // 1,900 µs
    const walks = (own: typeof effort, rows = shape) => widerEfforts(own, chosen, rows).map(({ walk }) => walk)
    expect(walks(effort)).toEqual([80, 320])
    expect(walks({ ...effort, walk: 80 })).toEqual([320])
    expect(walks(effort, { ...shape, rows: 10_000 })).toEqual([])
    expect(walks({ ...effort, walk: 0 })).toEqual([])
  })
})

describe('farthestReach', () => {
  it('lets as many of the rows held out through as a tenth of the time allows, or none by far', () => {
    const reaches = Float64Array.from({ length: 100 }, (_, i) => i)
    expect(farthestReach(reaches, { effort: 50, unlike: 100 })).toBe(94)
    expect(farthestReach(reaches, { effort: 1, unlike: 1000 })).toBeCloseTo(99 * 1.1)
    expect(farthestReach(Float64Array.of(-3, -2), { effort: 1, unlike: 1000 })).toBeCloseTo(-1.8)
  })

  it('does not depend on the length of a query where products are compared', () => {
    expect(reachOf(Float32Array.of(3, 4), 10, true)).toBe(-2)
    expect(reachOf(Float32Array.of(30, 40), 100, true)).toBe(-2)
    expect([reachOf(Float32Array.of(0), 0, true), reachOf(Float32Array.of(1), 7, false)]).toEqual([0, 7])
  })
})
