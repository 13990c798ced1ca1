import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import { removedRow } from '../../ids/id-table.ts'
import { Engine } from '../../kernels/engine.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { ModelContents } from '../../store/header.ts'
import type { TensorArray } from '../../store/tensor.ts'
import { encodeModel } from '../../store/write-model.ts'
import { algorithms } from '../sparse/layout.ts'
import { describeSparseIndex } from '../sparse-index.cases.ts'
import { books, bruteForce, change, rowOf, sparse, textLike, withKeys } from '../sparse-oracle.cases.ts'
import { InvertedIndex } from './inverted-index.ts'

describeSparseIndex('InvertedIndex', {
  fit: (rows, { threads: _, ...options }) => InvertedIndex.fit(rows, options),
  load: (path, place) => InvertedIndex.load(path, place),
  fromContents: (contents, place) => InvertedIndex.fromContents(contents, place),
  recallFloor: 1,
})

const engine = new Engine()
const folder = mkdtempSync(join(tmpdir(), 'inverted-'))
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await engine.close()
})

const problem = fc.integer({ min: 1, max: 12 }).chain(columns =>
  fc.record({
    rows: fc.array(rowOf(columns), { minLength: 1, maxLength: 60 }).map(rows => SparseMatrix.from(rows, columns)),
    query: rowOf(columns).map(pairs => SparseMatrix.from([pairs], columns).row(0)),
    k: fc.integer({ min: 1, max: 70 }),
    dot: fc.boolean(),
  }),
)

describe('all ways to search', () => {
  it('find what computing every row finds, to the last bit', async () => {
    await fc.assert(
      fc.asyncProperty(problem, async ({ rows, query, k, dot }) => {
        const index = await InvertedIndex.fit(rows, { engine, metric: dot ? 'dot' : 'cosine', partitionBest: 3 })
        const expected = bruteForce(withKeys(rows), query, k, dot)
        for (const algorithm of algorithms) expect(index.search(query, { k, algorithm })).toEqual(expected)
        index.free()
      }),
      { numRuns: 150 },
    )
  })

  it.each([
    { rows: 6000, columns: 3000, perRow: 30, k: 1 },
    { rows: 6000, columns: 3000, perRow: 30, k: 100 },
    { rows: 70_000, columns: 5000, perRow: 4, k: 10 },
    { rows: 3000, columns: 300, perRow: 200, k: 100 },
    { rows: 500, columns: 40, perRow: 30, k: 499 },
  ])('agree on many rows: $rows of $perRow features, k = $k', async ({ rows, columns, perRow, k }) => {
    const index = await InvertedIndex.fit(textLike(rows, columns, perRow, 1), { engine, partitionBest: 20 })
    const queries = textLike(20, columns, perRow, 2)
    for (let i = 0; i < queries.rows; i++) {
      const expected = index.search(queries.row(i), { k, algorithm: 'taat' })
      for (const algorithm of algorithms) expect(index.search(queries.row(i), { k, algorithm })).toEqual(expected)
    }
    index.free()
  })

  it('agree where all rows tie, and the first rows win', async () => {
    const rows = SparseMatrix.from(
      Array.from(
        { length: 3000 },
        () =>
          [
            [0, 1],
            [2, 1],
          ] as const,
      ),
    )
    const index = await InvertedIndex.fit(rows, { engine, metric: 'dot' })
    for (const algorithm of algorithms) {
      const found = index.nearest(sparse([0, 2], [2, 3]), 4, algorithm)
      expect([...found.rows]).toEqual([0, 1, 2, 3])
      expect([...found.similarities]).toEqual([5, 5, 5, 5])
    }
    index.free()
  })

  it('leave the memory between searches as clean as they found it', async () => {
    const index = await InvertedIndex.fit(textLike(6000, 3000, 30, 1), { engine })
    const query = textLike(1, 3000, 30, 2).row(0)
    const fresh = index.search(query, { k: 50 })
    for (const algorithm of algorithms) {
      for (const k of [1, 7, 6000]) index.search(textLike(1, 3000, 60, k).row(0), { k, algorithm })
      expect(index.search(query, { k: 50 })).toEqual(fresh)
    }
    index.free()
  })
})

describe('search', () => {
  it('gives cosine distances, and leaves out rows that share nothing with the query', async () => {
    const index = await InvertedIndex.fit(books, { engine, ids: ['sea', 'ship', 'tax'] })
    const found = index.search(sparse([0, 5]))
    expect(found).toEqual([{ id: 'sea', distance: expect.closeTo(0.4, 6) }])
    expect(index.search(sparse([0, 0.6], [1, 0.8]))[0]).toEqual({ id: 'sea', distance: expect.closeTo(0, 6) })
    index.free()
  })

  it('finds nothing for a query without features, or with zeros only', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    for (const algorithm of algorithms) {
      expect(index.search(sparse(), { algorithm })).toEqual([])
      expect(index.search(sparse([0, 0]), { algorithm })).toEqual([])
    }
    index.free()
  })

  it('returns k items that pass a filter, if there are k', async () => {
    const rows = textLike(2000, 200, 20, 3)
    const index = await InvertedIndex.fit(rows, { engine })
    const query = textLike(1, 200, 20, 4).row(0)
    for (const wanted of [3, 40, 1999]) {
      const passes = (id: Id): boolean => Number(id) % 2000 < wanted
      const allowed = new Set<Id>(Array.from({ length: wanted }, (_, id) => id))
      const items = withKeys(rows).filter(([id]) => passes(id))
      const expected = bruteForce(items, query, 10)
      for (const algorithm of algorithms) {
        expect(index.search(query, { k: 10, algorithm, filter: passes })).toEqual(expected)
        expect(index.search(query, { k: 10, algorithm, filter: allowed })).toEqual(expected)
      }
    }
    expect(index.search(query, { filter: new Set() })).toEqual([])
    expect(index.search(query, { filter: new Set<Id>(['no such id', -1, 0.5, 2000]) })).toEqual([])
    index.free()
  })
})

describe('a batch', () => {
  it('gives what single searches give, whatever the threads', async () => {
    const rows = textLike(1500, 500, 20, 5)
    const queries = textLike(300, 500, 20, 6)
    const index = await InvertedIndex.fit(rows, { engine })
    index.add(textLike(1, 500, 20, 7).row(0))
    index.remove(3)
    for (const threads of [1, 2]) {
      const batch = await index.nearestBatch(queries, { k: 7, threads })
      expect([batch.queries, batch.k]).toEqual([300, 7])
      expect(batch.candidates).toBeGreaterThan(300 * 7)
      for (let i = 0; i < queries.rows; i++) {
        const { rows: found, similarities } = index.nearest(queries.row(i), 7)
        const end = i * 7 + (batch.counts[i] ?? 0)
        expect(batch.rows.subarray(i * 7, end)).toEqual(found)
        expect(batch.similarities.subarray(i * 7, end)).toEqual(similarities)
      }
    }
    index.free()
  })

  it('leaves each row out of its own neighbors when asked to', async () => {
    const rows = textLike(400, 100, 10, 8)
    const index = await InvertedIndex.fit(rows, { engine })
    const { rows: found, counts } = await index.nearestBatch(rows, { k: 5, excludeSelf: true, threads: 2 })
    for (let i = 0; i < rows.rows; i++) {
      const others = [...index.nearest(rows.row(i), 6).rows].filter(row => row !== i).slice(0, 5)
      expect([...found.subarray(5 * i, 5 * i + (counts[i] ?? 0))]).toEqual(others)
    }
    index.free()
  })

  it('answers for the moment it was asked, though the index changes or is freed meanwhile', async () => {
    const rows = textLike(1500, 500, 20, 5)
    const own = new Engine()
    const index = await InvertedIndex.fit(rows, { engine: own })
    index.remove(0)
    const before = await index.nearestBatch(rows, { k: 5, threads: 2 })
    const underWay = index.nearestBatch(rows, { k: 5, threads: 2 })
    for (let i = 0; i < 1200; i++) {
      index.add(rows.row(i))
      index.remove(i)
    }
    index.compact()
    index.free()
    expect(await underWay).toEqual(before)
    expect(own.arena.usedBytes).toBe(0)
    await own.close()
  })

  it('of no queries is empty', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    const { counts, candidates } = await index.nearestBatch(SparseMatrix.from([], 4))
    expect([counts.length, candidates]).toEqual([0, 0])
    index.free()
  })

  it('can be stopped', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    const signal = AbortSignal.abort()
    await expect(index.nearestBatch(books, { signal })).rejects.toMatchObject({ code: 'ABORTED' })
    index.free()
  })
})

describe('add and remove', () => {
  it('in any order leave an index that answers as if fitted on what is there', async () => {
    const start = fc.array(rowOf(6), { minLength: 1, maxLength: 30 })
    await fc.assert(
      fc.asyncProperty(start, fc.array(change, { maxLength: 40 }), rowOf(6), async (first, changes, wanted) => {
        const rows = SparseMatrix.from(first, 6)
        const query = SparseMatrix.from([wanted], 6).row(0)
        const index = await InvertedIndex.fit(rows, { engine })
        const items = new Map<Id, SparseRow>(withKeys(rows))
        for (const [number, step] of changes.entries()) {
          if ('add' in step) {
            const row = SparseMatrix.from([step.add], 6).row(0)
            items.set(index.add(row, `added in step ${number}`), row)
          } else if ('remove' in step) {
            expect(index.remove(step.remove)).toBe(items.delete(step.remove))
          } else {
            index.compact()
          }
          for (const algorithm of algorithms) {
            expect(index.search(query, { k: 5, algorithm })).toEqual(bruteForce([...items], query, 5))
          }
        }
        expect(index.rows).toBe(items.size)
        index.free()
      }),
      { numRuns: 60 },
    )
  })

  it('keep the numbers of rows when the lists are rebuilt', async () => {
    const rows = textLike(100, 50, 5, 1)
    const index = await InvertedIndex.fit(rows, { engine })
    const more = textLike(1500, 50, 5, 2)
    for (let i = 0; i < more.rows; i++) {
      expect(index.add(more.row(i))).toBe(100 + i)
      if (i < 100) index.remove(i)
    }
    expect([index.rows, index.rowNumbers]).toEqual([1500, 1600])
    expect([index.idOf(99), index.idOf(100), index.rowOf(99), index.rowOf(1599)]).toEqual([
      undefined,
      100,
      undefined,
      1599,
    ])
    expect(index.nearest(more.row(1499), 1600).rows).toContain(1599)
    expect(Math.min(...index.nearest(more.row(0), 1600).rows)).toBeGreaterThanOrEqual(100)
    index.free()
  })

  it('leave every row to be read by its number: fitted, added, or empty once removed', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    index.add(sparse([1, 6], [3, 8]))
    const scaled = (row: number) => [[...index.row(row).indices], [...index.row(row).values]]
    const near = (...values: number[]) => values.map(value => expect.closeTo(value, 6))
    expect([0, 2, 3].map(scaled)).toEqual([
      [[0, 1], near(0.6, 0.8)],
      [[3], [1]],
      [[1, 3], near(0.6, 0.8)],
    ])
    for (const id of [0, 3]) index.remove(id)
    expect([0, 2, 3].map(scaled)).toEqual([
      [[], []],
      [[3], [1]],
      [[], []],
    ])
    index.compact()
    expect([0, 1].map(row => [...index.row(row).indices])).toEqual([[1, 2], [3]])
    expect(() => index.row(2)).toThrow('row is 2, expected a whole number from 0 to 1')
    expect(() => index.row(0.5)).toThrow('row is 0.5')
    index.free()
  })

  it('let compact close the holes, and say where the rows went', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    index.remove(1)
    expect([...index.compact()]).toEqual([0, removedRow, 1])
    expect([index.rowNumbers, index.idOf(1), index.rowOf(2)]).toEqual([2, 2, 1])
    expect([...index.nearest(books.row(2), 3).rows]).toEqual([1])
    index.free()
  })

  it('give a row added after a compaction a number that is free', async () => {
    const index = await InvertedIndex.fit(books, { engine })
    index.remove(1)
    index.compact()
    expect([index.add(books.row(0)), index.add(books.row(1))]).toEqual([3, 4])
    expect([0, 1, 2, 3].map(row => index.idOf(row))).toEqual([0, 2, 3, 4])
    index.free()
  })
})

describe('save and load', () => {
  it('answer identically, removed and added rows and all kinds of ids included', async () => {
    const rows = textLike(300, 100, 10, 1)
    const ids = Array.from({ length: 300 }, (_, i): Id => (i % 2 ? `item ${i}` : i))
    const index = await InvertedIndex.fit(rows, { engine, ids, partitionBest: 7 })
    index.remove('item 5')
    index.add(rows.row(9), 'a later one')
    const path = join(folder, 'one.index')
    await index.save(path)
    const loaded = await InvertedIndex.load(path, { engine })
    expect([loaded.rows, loaded.columns, loaded.metric, loaded.partitionBest]).toEqual([300, 100, 'cosine', 7])
    for (const algorithm of algorithms) {
      for (const row of [5, 9, 200]) {
        const options = { k: 20, algorithm }
        expect(loaded.search(rows.row(row), options)).toEqual(index.search(rows.row(row), options))
      }
    }
    expect(loaded.contents()).toEqual(index.contents())
    index.free()
    loaded.free()
  })

  it('refuse what is no inverted index', async () => {
    const index = await InvertedIndex.fit(textLike(100, 50, 5, 1), { engine })
    const contents = index.contents()
    const load = (changes: Partial<ModelContents>) => () =>
      InvertedIndex.fromContents({ ...contents, ...changes }, { engine })
    const changed = (name: string, array: TensorArray) => {
      return load({ tensors: { ...contents.tensors, [name]: { array, shape: [array.length] } } })
    }
    expect(load({ method: 'forest' })).toThrow('holds a ForestIndex, not an InvertedIndex')
    expect(load({ options: { partitionBest: 1 } })).toThrow('its metric is undefined')
    expect(load({ tensors: {} })).toThrow('there is no Float32Array "tops"')
    const { listRows, listOffsets } = contents.tensors
    expect(changed('listRows', new Uint32Array(listRows?.array.length ?? 0).fill(100))).toThrow(
      'rows that do not exist',
    )
    expect(changed('listOffsets', new Uint32Array(listOffsets?.array.length ?? 0))).toThrow('lists are out of order')
    expect(changed('frequent', Uint32Array.of(50))).toThrow('columns of features that do not exist')
    expect(changed('columns', new Uint8Array(7))).toThrow('its columns do not have its number of rows')
    expect(changed('idKinds', new Uint8Array(100))).toThrow(
      expect.objectContaining({
        code: 'MODEL_DAMAGED',
        message: 'the model is not a valid inverted index: its ids do not fit its rows',
      }),
    )
    index.free()
  })
})

describe('memory', () => {
  it('is given back by free', async () => {
    const own = new Engine()
    const index = await InvertedIndex.fit(textLike(200, 50, 10, 1), { engine: own })
    for (const algorithm of algorithms) index.search(books.row(0), { k: 20, algorithm, filter: id => id !== 0 })
    index.remove(4)
    for (let i = 0; i < 300; i++) index.add(books.row(0))
    await index.nearestBatch(books, { threads: 1 })
    index.free()
    expect(own.arena.usedBytes).toBe(0)
    await own.close()
  })

  it('is given back when there is too little of it', async () => {
    const small = new Engine({ maxBytes: 2 ** 20 })
    const fitted = InvertedIndex.fit(textLike(5000, 500, 30, 1), { engine: small })
    await expect(fitted).rejects.toMatchObject({ code: 'OUT_OF_MEMORY' })
    expect(small.arena.usedBytes).toBe(0)
  })
})

describe('bad input', () => {
  const fit = (rows: SparseMatrix, options = {}) => InvertedIndex.fit(rows, { engine, ...options })

  it('is refused by fit, with the row and the feature', async () => {
    const negative = SparseMatrix.from([[[0, 1]], [[2, -0.5]]])
    await expect(fit(negative)).rejects.toMatchObject({
      code: 'BAD_DATA',
      message: 'row 1, feature 2 is -0.5, expected a finite number of at least 0',
    })
    const endless = new SparseMatrix(1, 1, Float64Array.of(0, 1), Uint32Array.of(0), Float32Array.of(Number.NaN))
    await expect(fit(endless)).rejects.toThrow('row 0, feature 0 is NaN')
    await expect(fit(SparseMatrix.from([], 3))).rejects.toMatchObject({ code: 'EMPTY_DATA' })
    await expect(fit(books, { ids: [1, 2] })).rejects.toThrow('2 ids for 3 rows')
    await expect(fit(books, { ids: [1, 'a', 1] })).rejects.toThrow('the id 1 appears twice: in rows 0 and 2')
    await expect(fit(books, { ids: [1, Number.NaN, 2] })).rejects.toThrow('the id of row 1 is NaN')
    await expect(fit(books, { metric: 'l2' })).rejects.toMatchObject({ code: 'UNKNOWN_NAME' })
    await expect(fit(books, { partitionBest: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
  })

  it('is refused by search, add and nearestBatch', async () => {
    const index = await fit(books)
    const search =
      (query: SparseRow, options = {}) =>
      () =>
        index.search(query, options)
    expect(search(sparse([1, -1]))).toThrow('the query, feature 1 is -1')
    expect(search({ indices: Uint32Array.of(1, 1), values: Float32Array.of(1, 1) })).toThrow('feature 1 twice')
    expect(search({ indices: Uint32Array.of(1), values: new Float32Array() })).toThrow('1 indices but 0 values')
    for (const k of [0, -1, 1.5, Number.NaN]) expect(search(sparse([1, 1]), { k })).toThrow(`k is ${k}, expected`)
    expect(search(sparse([1, 1]), { algorithm: 'best' })).toThrow(
      "algorithm is 'best', expected one of auto, taat, wand, partitioned, threshold",
    )
    expect(() => index.add({ indices: [2 ** 28], values: [1] })).toThrow('the row has feature 268435456')
    expect(() => index.add(books.row(0), 1)).toThrow('the id 1 appears twice: row 1 has it')
    expect(index.rows).toBe(3)
    const many = books.concat(books)
    await expect(index.nearestBatch(many, { excludeSelf: true })).rejects.toThrow('6 queries, this index has 3 rows')
    index.free()
  })

  it('does not include rows with features that no row had before', async () => {
    for (const metric of ['cosine', 'dot'] as const) {
      const index = await fit(books, { metric })
      const random = new Random(1)
      const all = Array.from({ length: books.rows }, (_, row) => books.row(row))
      for (let i = 0; i < 40; i++) {
        const row = sparse([i % 4, 1 + random.below(3)], [4 + i * i, 2])
        expect(index.add(row)).toBe(all.length)
        all.push(row)
        expect(index.columns).toBe(5 + i * i)
        if (i % 10 === 9) index.remove(i)
      }
      const fresh = await fit(SparseMatrix.from(all), { metric })
      for (const id of [9, 19, 29, 39]) fresh.remove(id)
      const loaded = InvertedIndex.fromContents(index.contents(), { engine })
      expect(encodeModel(index.contents())).toEqual(encodeModel(fresh.contents()))
      for (const query of all.slice(-20)) {
        const found = fresh.search(query, { k: 8 })
        expect(index.search(query, { k: 8 })).toEqual(found)
        expect(loaded.search(query, { k: 8 })).toEqual(found)
      }
      for (const one of [index, fresh, loaded]) one.free()
    }
  })

  it('that can be answered is: numbers near the ends of what 32 bits hold', async () => {
    for (const size of [1e-44, 1e-30, 1e30, 3e38]) {
      const rows = SparseMatrix.from([
        [[0, size]],
        [
          [0, size / 2],
          [1, size],
        ],
      ])
      for (const metric of ['dot', 'cosine'] as const) {
        const index = await fit(rows, { metric })
        const expected = bruteForce(withKeys(rows), rows.row(1), 2, metric === 'dot')
        for (const algorithm of algorithms) expect(index.search(rows.row(1), { algorithm })).toEqual(expected)
        index.free()
      }
    }
  })
})
