import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { TextRows } from '../../matrix/text-rows.ts'
import type { Metric } from '../../nets/metrics/metric.ts'
import { findNetMetric, type ItemLayout, type MetricItem, metricNamesFor } from '../../nets/metrics/named-metrics.ts'
import { Random } from '../../random.ts'
import type { DenseIndex } from '../dense-index.ts'
import { describeIndex } from '../index.cases.ts'
import { NetIndex } from './net-index.ts'

// The suite asks for no metric but euclidean: then a NetIndex is a DenseIndex.
describeIndex('NetIndex', {
  fit: async (rows, { engine: _engine, threads: _threads, ...options } = {}) =>
    (await NetIndex.fit(rows, options)) as unknown as DenseIndex,
  load: async path => (await NetIndex.load(path)) as unknown as DenseIndex,
  fromContents: contents => NetIndex.fromContents(contents) as unknown as DenseIndex,
  recallFloor: 1,
  metrics: ['euclidean'],
})

interface Rows {
  readonly rows: number
  row(i: number): unknown
}

const number = fc.integer({ min: 0, max: 4 })
/** Rows of each layout: few different values, so that ties and twins are common. Histograms are never empty. */
const layouts: Record<Exclude<ItemLayout, 'any'>, fc.Arbitrary<Rows>> = {
  dense: fc.array(fc.tuple(number, number, number.map(value => value + 1)), { minLength: 2, maxLength: 40 }).map(rows => DenseMatrix.from(rows)), // biome-ignore format: one a layout
  sparse: fc.array(fc.uniqueArray(fc.tuple(fc.nat({ max: 5 }), fc.integer({ min: 1, max: 3 })), { selector: ([index]) => index, maxLength: 4 }), { minLength: 2, maxLength: 40 }).map(rows => SparseMatrix.from(rows, 6)), // biome-ignore format: one a layout
  text: fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'ä', '🦊'), maxLength: 7 }), { minLength: 2, maxLength: 40 }).map(texts => new TextRows(texts)), // biome-ignore format: one a layout
}
const given = (['dense', 'sparse', 'text'] as const).flatMap(layout =>
  metricNamesFor(layout).map(name => ({ layout, name })),
)

/** All rows but the first, by their distance from it; ties by row. */
function bruteForce(rows: Rows, metric: Metric<MetricItem>): { row: number; distance: number }[] {
  const all = Array.from({ length: rows.rows - 1 }, (_, i) => ({
    row: i + 1,
    // Rows of a layout are what its metrics take.
    distance: Math.fround(metric.distance(rows.row(0) as MetricItem, rows.row(i + 1) as MetricItem)),
  }))
  return all.sort((a, b) => a.distance - b.distance || a.row - b.row)
}

describe('NetIndex', () => {
  it.each(given)('finds what brute force finds, by $name of $layout items', async ({ layout, name }) => {
    const metric = findNetMetric(name, layout) as Metric<unknown> as Metric<MetricItem> // of this layout
    const agree = async (rows: Rows, k: number) => {
      const index = await NetIndex.fit(rows as DenseMatrix, { metric: name }) // or another layout: all are taken
      const found = index.search(rows.row(0) as Float32Array, { k, filter: id => id !== 0 })
      expect(found.map(({ id, distance }) => ({ row: id, distance }))).toEqual(bruteForce(rows, metric).slice(0, k))
    }
    await fc.assert(fc.asyncProperty(layouts[layout], fc.integer({ min: 1, max: 5 }), agree), { numRuns: 150 })
  })

  it.each(given)('is never off by more than its tolerance, by $name of $layout items', async ({ layout, name }) => {
    const metric = findNetMetric(name, layout) as Metric<unknown> as Metric<MetricItem> // of this layout
    const agree = async (rows: Rows, tolerance: number) => {
      const index = await NetIndex.fit(rows as DenseMatrix, { metric: name }) // or another layout: all are taken
      const found = index.search(rows.row(0) as Float32Array, { k: 3, tolerance, filter: id => id !== 0 })
      const truth = bruteForce(rows, metric)
      found.forEach(({ distance }, i) => {
        expect(distance).toBeLessThanOrEqual((1 + tolerance) * truth[i].distance * (1 + 1e-6) + 1e-7)
      })
      expect(found).toHaveLength(Math.min(3, truth.length))
    }
    await fc.assert(fc.asyncProperty(layouts[layout], fc.constantFrom(0.1, 0.5, 2), agree), { numRuns: 60 })
  })

  it('computes no distances of rows that do not pass, where few do', async () => {
    const random = new Random(3)
    const rows = DenseMatrix.from(Array.from({ length: 2000 }, () => [random.float(), random.float(), random.float()]))
    const index = await NetIndex.fit(rows)
    const few = new Set<Id>([7, 70, 700, 1999])
    for (const filter of [few, (id: Id) => few.has(id), index.filter(few)]) {
      expect(index.searchCandidates(rows.row(1) as Float32Array, { filter })).toBe(4)
      expect(index.search(rows.row(1) as Float32Array, { filter })).toHaveLength(4)
    }
    index.free()
  })

  it('computes fewer distances than there are rows, and fewer still with a tolerance', async () => {
    const random = new Random(3)
    const rows = DenseMatrix.from(Array.from({ length: 2000 }, () => [random.float(), random.float()]))
    const index = await NetIndex.fit(rows)
    const computed = index.searchCandidates([0.5, 0.5], { k: 1 })
    expect(computed).toBeLessThan(200)
    expect(index.searchCandidates([0.5, 0.5], { k: 10, tolerance: 1 })).toBeLessThan(index.searchCandidates([0.5, 0.5]))
  })

  it('answers more queries at once than a call takes arguments', async () => {
    const index = await NetIndex.fit(DenseMatrix.from([[1]]))
    const queries = new DenseMatrix(200_000, 1, new Float32Array(200_000))
    expect(await index.searchBatch(queries)).toMatchObject({ queries: 200_000, k: 1 })
  })

  it('estimates the dimension of a line, of a square and of a cube', async () => {
    const random = new Random(5)
    const dimensions = []
    for (const dims of [1, 2, 3]) {
      // In nine columns, of which the others follow: it is the data's dimension, not the number of columns.
      const rows = Array.from({ length: 3000 }, () => {
        const free = Array.from({ length: dims }, () => random.float())
        return Array.from({ length: 9 }, (_, j) => free[j % dims])
      })
      dimensions.push((await NetIndex.fit(DenseMatrix.from(rows))).dimension().mean)
    }
    const [line, square, cube] = dimensions
    expect(line).toBeLessThan(2)
    expect(square).toBeGreaterThan(line + 0.5)
    expect(cube).toBeGreaterThan(square + 0.5)
    expect(cube).toBeLessThan(5)
  })

  it('estimates the same dimension beside an outlier, however far', async () => {
    const random = new Random(5)
    const square = Array.from({ length: 1000 }, () => [random.float(), random.float()])
    const { most } = (await NetIndex.fit(DenseMatrix.from(square))).dimension()
    for (const far of [10, 1e6]) {
      const beside = (await NetIndex.fit(DenseMatrix.from([...square, [far, far]]))).dimension()
      expect(beside.most).toBeGreaterThan(most - 0.7)
    }
  })

  it('has dimension 0 where all items are the same', async () => {
    expect((await NetIndex.fit(new TextRows(['same', 'same']))).dimension()).toEqual({ most: 0, mean: 0 })
  })

  it('knows texts by how they are spelled', async () => {
    const index = await NetIndex.fit(new TextRows(['Müller', 'Miller', 'Mueller', 'Smith']))
    expect(index.search('Möller', { k: 3 })).toEqual([
      { id: 0, distance: 1 },
      { id: 1, distance: 1 },
      { id: 2, distance: 2 },
    ])
    expect([index.metric, index.layout, index.dims]).toEqual(['levenshtein', 'text', 0])
  })

  describe('with a metric of the caller’s own', () => {
    interface Place {
      readonly x: number
    }
    const gap: Metric<Place> = { name: 'gap', distance: (a, b) => Math.abs(a.x - b.x) }
    const places = Array.from({ length: 30 }, (_, i) => ({ x: i * i }))

    it('finds, adds and removes items of any kind, and keeps them in a file', async () => {
      const folder = await mkdtemp(join(tmpdir(), 'vicinal-net-'))
      const index = await NetIndex.fit(places, { metric: gap })
      index.add({ x: 50.5 }, 'new')
      index.remove(6)
      await index.save(join(folder, 'places'))
      const loaded = await NetIndex.load(join(folder, 'places'), { metric: gap })
      for (const same of [index, loaded]) {
        expect(same.search({ x: 50 }, { k: 3 }).map(({ id }) => id)).toEqual(['new', 7, 8])
      }
      await expect(NetIndex.load(join(folder, 'places'))).rejects.toMatchObject({
        code: 'INVALID_OPTION',
        message: expect.stringContaining("fitted with the metric 'gap', but you gave none"),
      })
      await expect(NetIndex.load(join(folder, 'places'), { metric: { ...gap, name: 'other' } })).rejects.toThrow(
        "you gave 'other'",
      )
      await rm(folder, { recursive: true })
    })

    it.each<[string, Metric<Place>['distance'], string]>([
      ['gives no number', () => Number.NaN, 'is NaN, expected a finite number of at least 0'],
      ['gives infinity', (a, b) => (a === b ? 0 : 1 / 0), 'is Infinity'],
      ['gives negative numbers', (a, b) => a.x - b.x, ', expected a finite number of at least 0'],
      ['is not 0 between an item and itself', () => 1, 'to itself is 1, expected 0'],
      ['has two values for one pair', (a, b) => (a.x < b.x ? b.x - a.x : 2 * (a.x - b.x)), 'one way and'],
      ['breaks the triangle inequality', (a, b) => (a.x - b.x) ** 2, 'the triangle inequality does not hold'],
    ])('refuses a distance that %s', async (_what, distance, message) => {
      await expect(NetIndex.fit(places, { metric: { name: 'odd', distance } })).rejects.toMatchObject({
        code: 'BAD_DATA',
        message: expect.stringContaining(message),
      })
    })

    it('takes a distance on trust where triples are 0, but never one that is no number', async () => {
      const squared: Metric<Place> = { name: 'squared', distance: (a, b) => (a.x - b.x) ** 2 }
      expect((await NetIndex.fit(places, { metric: squared, triples: 0 })).rows).toBe(30)
      const broken: Metric<Place> = { name: 'broken', distance: () => Number.NaN }
      await expect(NetIndex.fit(places, { metric: broken, triples: 0 })).rejects.toThrow(
        "the metric 'broken' returned NaN",
      )
    })
  })

  it('compares sparse rows by features that no item had before, and keeps items that have some', async () => {
    const index = await NetIndex.fit(SparseMatrix.from([[[1, 1]], [[0, 5]]]), { metric: 'euclidean' })
    expect(index.search([[1, 1], [7, 3]], { k: 1 })).toEqual([{ id: 0, distance: 3 }]) // biome-ignore format: one query
    expect(index.dims).toBe(2)
    index.add([[7, 3]], 'new')
    const loaded = NetIndex.fromContents(index.contents())
    for (const one of [index, loaded]) {
      expect(one.dims).toBe(8)
      expect(one.search([[7, 3]], { k: 1 })).toEqual([{ id: 'new', distance: 0 }])
    }
  })

  it('refuses to be fitted on nothing, whatever the metric, and says what to do', async () => {
    const nothing = { code: 'EMPTY_DATA', hint: expect.stringContaining('A Collection can start empty') }
    await expect(NetIndex.fit([])).rejects.toMatchObject(nothing)
    await expect(NetIndex.fit([], { metric: 'levenshtein' })).rejects.toMatchObject(nothing)
  })

  it('refuses what it cannot compare, and says what it can', async () => {
    const texts = new TextRows(['a', 'b'])
    await expect(NetIndex.fit(texts, { metric: 'euclidean' })).rejects.toThrow('levenshtein')
    // Objects without a metric: what is wrong with them is the point.
    await expect(NetIndex.fit([{}, {}] as string[])).rejects.toThrow('row 0 has no vector: it is empty')
    await expect(NetIndex.fit(DenseMatrix.from([[1, -1]]), { metric: 'jaccard' })).rejects.toThrow('value 1 is -1')
    await expect(NetIndex.fit(DenseMatrix.from([[0, 0]]), { metric: 'earth-mover' })).rejects.toThrow('not a histogram')
    const index = await NetIndex.fit(texts)
    expect(() => index.search(Float32Array.of(1))).toThrow('the query is a Float32Array of length 1, expected a text')
    expect(() => index.search('a', { tolerance: -1 })).toThrow('tolerance is -1')
    expect(() => index.search('a', { tolerance: Number.NaN })).toThrow('tolerance is NaN')
    const sparse = await NetIndex.fit(SparseMatrix.from([[[1, 1]]]))
    expect(() => sparse.search('a')).toThrow('expected a sparse vector')
    const infinite = { indices: Uint32Array.of(1), values: Float32Array.of(Number.NEGATIVE_INFINITY) }
    expect(() => sparse.search(infinite)).toThrow(/^the query, feature 1 is -Infinity, expected a finite number$/)
    const negative = { indices: Uint32Array.of(1), values: Float32Array.of(-1) }
    expect(sparse.search(negative)).toEqual([{ id: 0, distance: 2 }])
  })
})
