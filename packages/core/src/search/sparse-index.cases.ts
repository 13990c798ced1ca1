// What every index over sparse rows promises, as tests: a new one runs them with one call of describeSparseIndex. The oracle is
// sparse-oracle.cases.ts. An index with a recall floor of 1 must equal it; any other must tell no untruth.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '../ids/id.ts'
import { Engine } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import type { ModelContents } from '../store/header.ts'
import { encodeModel } from '../store/write-model.ts'
import type { InvertedIndex } from './inverted/inverted-index.ts'
import type { Neighbor } from './neighbor.ts'
import type { SparseMetric } from './sparse/metric.ts'
import type { SparseForestIndex } from './sparse-forest/sparse-forest-index.ts'
import { books, bruteForce, type Change, change, rowOf, sparse, textLike, withKeys } from './sparse-oracle.cases.ts'

type SparseIndex = InvertedIndex | SparseForestIndex

interface Place {
  readonly engine?: Engine
  readonly name?: string
}

interface FitOptions extends LongWork {
  readonly engine?: Engine
  readonly metric?: SparseMetric
  readonly ids?: readonly Id[]
  readonly threads?: number
}

export interface SparseIndexCase {
  /** `threads` is for indexes that are built in worker threads. */
  fit(rows: SparseMatrix, options: FitOptions): Promise<SparseIndex>
  load(path: string, place?: Place): Promise<SparseIndex>
  fromContents(contents: ModelContents, place?: Place): SparseIndex
  /** The recall@10 that 600 rows like texts must reach; 1 for exact indexes, which must then equal the oracle. */
  readonly recallFloor: number
}

const metrics: readonly SparseMetric[] = ['cosine', 'dot']
const names: readonly Id[] = ['sea', 7, 'tax']
const idsOf = (found: readonly Neighbor[]): Id[] => found.map(({ id }) => id)
const bytesOf = (index: SparseIndex): Buffer => Buffer.concat(encodeModel(index.contents()))

/** Adds the queries, and removes some of the old rows and one of the new. */
function changeSome(index: SparseIndex, queries: SparseMatrix): void {
  for (let i = 0; i < queries.rows; i++) index.add(queries.row(i), `added ${i}`)
  for (let i = 0; i < 300; i += 7) index.remove(i)
  index.remove('added 3')
}

export function describeSparseIndex(name: string, { fit, load, fromContents, recallFloor }: SparseIndexCase): void {
  describe(`${name}, as every sparse index`, () => {
    const engine = new Engine()
    const rows = textLike(600, 300, 20, 1)
    const queries = textLike(24, 300, 20, 2)
    let folder: string
    let index: SparseIndex
    let few: SparseIndex

    const make = (matrix: SparseMatrix, options: FitOptions = {}) => fit(matrix, { engine, ...options })
    const answers = (of: SparseIndex): Neighbor[][] => withKeys(queries).map(([, row]) => of.search(row, { k: 5 }))

    async function batchOf(of: SparseIndex, asked: SparseMatrix, k: number, threads: number): Promise<Neighbor[][]> {
      return [...(await of.searchBatch(asked, { k, threads }))]
    }

    /** Exact indexes give the oracle's own answer; others live items with their true distances, in order, each once. */
    function expectTrue(
      found: readonly Neighbor[],
      items: readonly (readonly [Id, SparseRow])[],
      query: SparseRow,
      k: number,
    ) {
      const all = bruteForce(items, query, items.length)
      if (recallFloor === 1) return expect(found).toEqual(all.slice(0, k))
      expect(found).toEqual(all.filter(({ id }) => idsOf(found).includes(id)))
      return expect(found).toHaveLength(Math.min(k, all.length))
    }

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vicinal-sparse-'))
      index = await make(rows)
      few = await make(books, { ids: names })
    })

    afterAll(async () => {
      index.free()
      few.free()
      expect(engine.arena.usedBytes).toBe(0)
      await engine.close()
      await rm(folder, { recursive: true })
    })

    it('knows its rows, features and ids', () => {
      expect([few.rows, few.rowNumbers, few.columns, few.metric]).toEqual([3, 3, 4, 'cosine'])
      expect([few.idOf(1), few.rowOf(7), few.idOf(3), few.rowOf('7')]).toEqual([7, 1, undefined, undefined])
      expect([...few.row(0).indices]).toEqual([0, 1])
    })

    it('answers best first with true distances, and leaves out rows that share nothing with the query', async () => {
      expect(few.search(sparse([0, 5]))).toEqual([{ id: 'sea', distance: expect.closeTo(0.4, 6) }])
      const products = await make(books, { metric: 'dot' })
      expect(products.search(sparse([1, 2]))).toEqual([
        { id: 0, distance: -8 },
        { id: 1, distance: -2 },
      ])
      products.free()
    })

    it('gives ties by row, for every k', async () => {
      const same = await make(SparseMatrix.from(Array.from({ length: 40 }, () => [[0, 3]])))
      for (const k of [1, 39, 40, 41]) {
        const expected = Array.from({ length: Math.min(k, 40) }, (_, id) => ({ id, distance: 0 }))
        expect(same.search(sparse([0, 1]), { k })).toEqual(expected)
      }
      same.free()
    })

    it('finds nothing for a query without features, or with zeros only, and never a row of zeros', async () => {
      expect([few.search(sparse()), few.search(sparse([0, 0]))]).toEqual([[], []])
      const zeros = await make(SparseMatrix.from([[[0, 1]], [[0, 0]], []], 2))
      expect(idsOf(zeros.search(sparse([0, 1])))).toEqual([0])
      zeros.free()
    })

    it('finds all that share a feature, however many are asked for', () => {
      for (const [, row] of withKeys(queries)) {
        expect(index.search(row, { k: 601 })).toEqual(bruteForce(withKeys(rows), row, 601))
      }
    })

    it(`finds ${recallFloor} of the ten nearest or more, by every metric`, async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        let hits = 0
        for (const [, row] of withKeys(queries)) {
          const truth = bruteForce(withKeys(rows), row, 10, metric === 'dot')
          const found = other.search(row, { k: 10 })
          expect(found).toHaveLength(10)
          // By distance and not by id: ties are as good.
          hits += found.filter(({ distance }) => distance <= (truth[9]?.distance ?? 0)).length
        }
        other.free()
        expect(hits / (10 * queries.rows)).toBeGreaterThanOrEqual(recallFloor)
      }
    })

    it('answers a batch as it answers one, to the last bit, on one thread and on two', async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        changeSome(other, queries)
        for (const threads of [1, 2]) expect(await batchOf(other, queries, 5, threads)).toEqual(answers(other))
        other.free()
      }
      expect(await few.searchBatch(SparseMatrix.from([], 4))).toMatchObject({ queries: 0 })
      expect([...(await few.searchBatch(books, { k: 9 })).counts]).toEqual([2, 2, 1])
    })

    it('gives the nearest k that pass a filter, wherever there are k', () => {
      const allowed = new Set<Id>(Array.from({ length: 12 }, (_, i) => 50 * i))
      const items = withKeys(rows).filter(([id]) => allowed.has(id))
      for (const [, row] of withKeys(queries)) {
        for (const filter of [allowed, (id: Id) => allowed.has(id)]) {
          expect(index.search(row, { k: 12, filter })).toEqual(bruteForce(items, row, 12))
        }
        const even = index.search(row, { k: 10, filter: id => Number(id) % 2 === 0 })
        expectTrue(
          even,
          withKeys(rows).filter(([id]) => Number(id) % 2 === 0),
          row,
          10,
        )
      }
      expect(few.search(sparse([1, 1]), { filter: new Set<Id>(['nobody']) })).toEqual([])
    })

    it('has the same bytes for the same rows, on one thread and on two', async () => {
      for (const threads of [1, 2]) {
        const again = await make(rows, { threads })
        expect(bytesOf(again).equals(bytesOf(index))).toBe(true)
        again.free()
      }
    })

    it('answers the same after it was saved and loaded, changed or not', async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        for (const changed of [false, true]) {
          if (changed) changeSome(other, queries)
          const path = join(folder, `${metric}-${changed}`)
          await other.save(path)
          const [loaded, copied] = [await load(path, { engine }), fromContents(other.contents(), { engine })]
          for (const same of [loaded, copied]) {
            expect([same.metric, same.rows, same.rowNumbers]).toEqual([metric, other.rows, other.rowNumbers])
            expect(answers(same)).toEqual(answers(other))
            expect(bytesOf(same).equals(bytesOf(other))).toBe(true)
            expect(same.add(queries.row(0), 'new')).toBe('new')
            same.free()
          }
        }
        other.free()
      }
    })

    it('refuses contents that are damaged, and leaves nothing behind', () => {
      const whole = few.contents()
      const before = engine.arena.usedBytes
      const cases: ModelContents[] = [
        { ...whole, options: { ...whole.options, metric: 'hamming' } },
        { ...whole, meta: { ...whole.meta, columns: 3 } },
        { ...whole, meta: { ...whole.meta, rows: 4 } },
      ]
      for (const key of Object.keys(whole.tensors)) {
        const { [key]: gone, ...others } = whole.tensors
        cases.push({ ...whole, tensors: others })
        if (!gone || gone.array.length === 0) continue
        const shorter = { array: gone.array.slice(1), shape: [gone.array.length - 1] }
        cases.push({ ...whole, tensors: { ...others, [key]: shorter } })
      }
      for (const contents of cases) {
        expect(() => fromContents(contents, { engine })).toThrow(expect.objectContaining({ code: 'MODEL_DAMAGED' }))
      }
      expect(engine.arena.usedBytes).toBe(before)
    })

    it('refuses a file that was cut', async () => {
      const path = join(folder, 'cut')
      await few.save(path)
      await writeFile(path, (await readFile(path)).subarray(0, -1))
      await expect(load(path, { engine })).rejects.toMatchObject({ code: 'MODEL_DAMAGED' })
    })

    it('lets an id be used again once its item was removed, and a row of its own be found at once', async () => {
      const other = await make(books, { ids: ['a', 'b', 'c'] })
      expect(() => other.add(books.row(0), 'a')).toThrow('the id "a" appears twice')
      expect([other.remove('a'), other.remove('a')]).toEqual([true, false])
      expect(other.rows).toBe(2)
      expect(other.add(books.row(0), 'a')).toBe('a')
      expect(other.search(books.row(0), { k: 1 })).toEqual([{ id: 'a', distance: expect.closeTo(0, 6) }])
      other.free()
    })

    it('can be emptied, and filled again', async () => {
      const other = await make(books)
      for (const id of [0, 1, 2]) other.remove(id)
      expect([other.rows, other.search(books.row(0))]).toEqual([0, []])
      other.compact()
      expect([other.rowNumbers, other.search(books.row(0))]).toEqual([0, []])
      other.add(books.row(0), 'back')
      expect(idsOf(other.search(books.row(0)))).toEqual(['back'])
      other.free()
    })

    it('in any order of changes tells no untruth', async () => {
      const start = fc.array(rowOf(6), { minLength: 1, maxLength: 30 })
      const follow = async (first: [number, number][][], changes: Change[], wanted: [number, number][]) => {
        const matrix = SparseMatrix.from(first, 6)
        const query = SparseMatrix.from([wanted], 6).row(0)
        const other = await make(matrix)
        const items = new Map<Id, SparseRow>(withKeys(matrix))
        for (const [number, step] of changes.entries()) {
          if ('add' in step) {
            const row = SparseMatrix.from([step.add], 6).row(0)
            items.set(other.add(row, `added in step ${number}`), row)
          } else if ('remove' in step) expect(other.remove(step.remove)).toBe(items.delete(step.remove))
          else other.compact()
          expectTrue(other.search(query, { k: 5 }), [...items], query, 5)
        }
        expect(other.rows).toBe(items.size)
        other.free()
      }
      await fc.assert(fc.asyncProperty(start, fc.array(change, { maxLength: 30 }), rowOf(6), follow), { numRuns: 40 })
    })

    it('answers a batch as of its start, whatever happens to the index meanwhile', async () => {
      const other = await make(rows)
      const expected = answers(other)
      const pending = other.searchBatch(queries, { k: 5, threads: 2 })
      changeSome(other, queries)
      other.compact()
      other.free()
      const batch = await pending
      expect([...batch]).toEqual(expected)
      expect([...batch.rows]).toEqual(expected.flatMap(idsOf))
      expect([...batch.distances]).toEqual(expected.flatMap(list => list.map(({ distance }) => distance)))
    })

    it('stops at a signal and leaves nothing behind', async () => {
      const before = engine.arena.usedBytes
      const aborted = { signal: AbortSignal.abort() }
      await expect(make(rows, aborted)).rejects.toMatchObject({ code: 'ABORTED' })
      await expect(index.searchBatch(queries, aborted)).rejects.toMatchObject({ code: 'ABORTED' })
      const stop = new AbortController()
      const work = { signal: stop.signal, onProgress: () => stop.abort() }
      await expect(make(rows, work)).rejects.toMatchObject({ code: 'ABORTED' })
      expect(engine.arena.usedBytes).toBe(before)
    })

    it('gives all its memory back', async () => {
      const before = engine.arena.usedBytes
      const other = await make(rows)
      other.search(queries.row(0), { filter: id => id !== 1 })
      changeSome(other, queries)
      await other.searchBatch(queries)
      other.compact()
      answers(other)
      other.free()
      expect(engine.arena.usedBytes).toBe(before)
    })

    it('refuses rows it cannot index, and leaves nothing behind', async () => {
      const before = engine.arena.usedBytes
      const broken = new SparseMatrix(1, 1, Float64Array.of(0, 1), Uint32Array.of(0), Float32Array.of(Number.NaN))
      const cases: [() => Promise<SparseIndex>, string, string][] = [
        [() => make(broken), 'BAD_DATA', 'row 0, feature 0 is NaN'],
        [() => make(SparseMatrix.from([[[0, 1]], [[2, -0.5]]])), 'BAD_DATA', 'row 1, feature 2 is -0.5'],
        [() => make(SparseMatrix.from([], 3)), 'EMPTY_DATA', 'no rows'],
        [() => make(books, { ids: [1, 2] }), 'DIMENSION_MISMATCH', '2 ids for 3 rows'],
        [() => make(books, { ids: [1, 'a', 1] }), 'BAD_DATA', 'the id 1 appears twice'],
        [() => make(books, { metric: 'l2' as SparseMetric }), 'UNKNOWN_NAME', "metric is 'l2'"], // to be refused
      ]
      for (const [fit, code, message] of cases) {
        await expect(fit()).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
      }
      expect(engine.arena.usedBytes).toBe(before)
    })

    it('refuses queries and added rows that do not fit, and goes on as before', async () => {
      const unsorted = { indices: Uint32Array.of(1, 0), values: Float32Array.of(1, 1) }
      const short = { indices: Uint32Array.of(1), values: new Float32Array() }
      const bytes = bytesOf(few)
      const cases: [() => unknown, string, string][] = [
        [() => few.search(sparse([1, -1])), 'BAD_DATA', 'the query, feature 1 is -1'],
        [() => few.search(unsorted), 'BAD_DATA', 'feature 0 after 1'],
        [() => few.search(short), 'DIMENSION_MISMATCH', '1 indices but 0 values'],
        [() => few.search(sparse([1, 1]), { k: 0 }), 'INVALID_OPTION', 'k is 0'],
        [() => few.search(sparse([1, 1]), { k: 1.5 }), 'INVALID_OPTION', 'k is 1.5'],
        [() => few.add(unsorted), 'BAD_DATA', 'the row has feature 0 after 1'],
        [() => few.add(books.row(0), 'tax'), 'BAD_DATA', 'the id "tax" appears twice'],
      ]
      for (const [ask, code, message] of cases) {
        expect(ask).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
      }
      await expect(few.searchBatch(books, { k: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      expect(idsOf(few.search(sparse([1, 1])))).toEqual(['sea', 7])
      expect(bytesOf(few).equals(bytes)).toBe(true)
    })

    it.each(metrics)('answers a query with features that no row has, as if some row had them, by %s', async metric => {
      const [strange, stranger] = [sparse([1, 2], [5, 3], [900, 1]), sparse([700, 2])]
      const [plain, wide] = [await make(rows, { metric }), await make(rows, { metric })]
      wide.add(sparse([700, 1], [900, 1]), 'strange')
      wide.remove('strange')
      expect(plain.search(strange, { k: 600 })).toEqual(wide.search(strange, { k: 600 }))
      expect(plain.search(stranger)).toEqual([])
      const [batch] = await batchOf(plain, SparseMatrix.from([strange]), 600, 1)
      expect(batch).toEqual(plain.search(strange, { k: 600 }))
      expect(plain.search(strange, { k: 3, filter: [1, 2] }).every(({ id }) => id === 1 || id === 2)).toBe(true)
      plain.free()
      wide.free()
    })

    it('takes rows with features that no row had before, and finds them by these', async () => {
      const growing = await make(rows, { ids: Array.from({ length: rows.rows }, (_, i) => `row ${i}`) })
      for (let i = 0; i < 40; i++) growing.add(sparse([i, 1], [300 + 10 * i, 2], [9000 + i, 1]), `new ${i}`)
      const loaded = fromContents(growing.contents(), { engine })
      for (const one of [growing, loaded]) {
        expect(one.columns).toBe(9040)
        for (const i of [0, 17, 39]) {
          expect(one.search(sparse([300 + 10 * i, 1]), { k: 1 })[0]?.id).toBe(`new ${i}`)
          expect(one.search(sparse([i, 1], [300 + 10 * i, 2], [9000 + i, 1]), { k: 1 })).toEqual([
            { id: `new ${i}`, distance: expect.closeTo(0, 6) },
          ])
        }
        const [batch] = await batchOf(one, SparseMatrix.from([[[310, 1], [9001, 1]]]), 1, 2) // biome-ignore format: one row
        expect(batch?.[0]?.id).toBe('new 1')
        expect(one.search(rows.row(5), { k: 1 })).toEqual([{ id: 'row 5', distance: expect.closeTo(0, 6) }])
        one.free()
      }
    })

    it('leaves its inputs as they were', async () => {
      const [given, query] = [books.select([0, 1, 2]), sparse([0, 3], [1, 4])]
      const other = await make(given)
      other.search(query)
      other.add(query)
      await other.searchBatch(given)
      other.free()
      expect([given.values, query]).toEqual([books.values, sparse([0, 3], [1, 4])])
    })
  })
}
