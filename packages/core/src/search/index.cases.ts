// What every index over dense rows promises, as tests: a new one runs them with one call of describeIndex. The oracle is the
// textbook's loop of index-oracle.cases.ts. An index with a recall floor of 1 must equal it; any other must tell no untruth.

import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '../ids/id.ts'
import { Engine } from '../kernels/engine.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { type DenseMetric, denseMetrics } from '../matrix/dense-metric.ts'
import type { ModelContents } from '../store/header.ts'
import type { DenseFitOptions, DenseIndex } from './dense-index.ts'
import {
  bytesOf,
  changeSome,
  clustered,
  corner,
  cornerIds,
  distanceOf,
  type Item,
  idsOf,
  itemsOf,
  nearest,
} from './index-oracle.cases.ts'
import type { Neighbor } from './neighbor.ts'

interface Place {
  readonly engine?: Engine
  readonly name?: string
}

export interface IndexCase {
  /** `threads` is for indexes that are built in worker threads. */
  fit(rows: DenseMatrix, options?: DenseFitOptions & { readonly threads?: number }): Promise<DenseIndex>
  load(path: string, place?: Place): Promise<DenseIndex>
  fromContents(contents: ModelContents, place?: Place): DenseIndex
  /** The recall@10 that 600 clustered rows must reach; 1 for exact indexes, which must then equal the oracle. */
  readonly recallFloor: number
  /** What it takes of the metrics of dense rows. Default: all. */
  readonly metrics?: readonly DenseMetric[]
}

export function describeIndex(name: string, indexCase: IndexCase): void {
  const { fit, load, fromContents, recallFloor, metrics = denseMetrics } = indexCase
  describe(`${name}, as every dense index`, () => {
    const engine = new Engine()
    const rows = clustered(2, 600)
    const queries = clustered(3, 24)
    let folder: string
    let index: DenseIndex
    let few: DenseIndex

    /** Every index made here lives in the one engine, so that what is left behind can be seen. */
    const make: IndexCase['fit'] = (matrix, options = {}) => fit(matrix, { engine, ...options })
    const answers = (of: DenseIndex): Neighbor[][] => itemsOf(queries).map(({ row }) => of.search(row, { k: 5 }))

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'vicinal-index-'))
      index = await make(rows)
      few = await make(corner, { ids: cornerIds })
    })

    afterAll(async () => {
      index.free()
      few.free()
      expect(engine.arena.usedBytes).toBe(0)
      await engine.close()
      await rm(folder, { recursive: true })
    })

    it('knows its rows, dimensions and ids', async () => {
      expect([few.rows, few.rowNumbers, few.dims, few.metric]).toEqual([5, 5, 2, 'euclidean'])
      expect([few.idOf(2), few.rowOf(7), few.idOf(5), few.rowOf('7')]).toEqual([7, 2, undefined, undefined])
      expect([index.idOf(3), index.rowOf(3)]).toEqual([3, 3])
    })

    it('answers best first, ties by row, for every k', async () => {
      const all = [['a', 0], ['b', 3], [7, 4], ['d', 5], ['e', 5]].map(([id, distance]) => ({ id, distance })) // biome-ignore format: one list
      for (const k of [1, 2, 4, 5, 6, 1000]) expect(few.search([1, 1], { k })).toEqual(all.slice(0, k))
      expect(few.search([1, 1])).toEqual(all)
    })

    it('gives the true distance of every metric', async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        for (const { row } of itemsOf(queries)) {
          const found = other.search(row, { k: 7 })
          expect(found).toHaveLength(7)
          for (const { id, distance } of found) {
            expect(distance).toBe(Math.fround(distance))
            const truth = distanceOf[metric](row, rows.row(Number(id)))
            expect(Math.abs(distance - truth)).toBeLessThan(1e-5 * (1 + Math.abs(truth)))
          }
        }
        other.free()
      }
    })

    it(`finds ${recallFloor} of the ten nearest or more, by every metric`, async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        let hits = 0
        for (const { row } of itemsOf(queries)) {
          // By distance and not by id: ties are as good.
          const last = nearest(itemsOf(rows), row, 10, metric)[9].distance
          const limit = last + 1e-5 * (1 + Math.abs(last))
          hits += other.search(row, { k: 10 }).filter(({ distance }) => distance <= limit).length
        }
        other.free()
        expect(hits / (10 * queries.rows)).toBeGreaterThanOrEqual(recallFloor)
      }
    })

    it('answers a batch as it answers one, to the last bit, on one thread and on two', async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        for (const threads of [1, 2]) {
          const batch = await other.searchBatch(queries, { k: 5, threads })
          const expected = answers(other)
          expect([...batch]).toEqual(expected)
        }
        other.free()
      }
    })

    it('answers a batch of none, and one that asks for more than there is', async () => {
      expect(await few.searchBatch(corner.slice(0, 0))).toMatchObject({ queries: 0 })
      const batch = await few.searchBatch(corner, { k: 9 })
      expect([...batch.counts]).toEqual([5, 5, 5, 5, 5])
      expect(batch.neighbors(0)).toEqual(few.search([1, 1]))
      const beyond = expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining('0 to 4') })
      expect(() => batch.neighbors(5)).toThrow(beyond)
    })

    it('takes one row, and rows that are all the same', async () => {
      const [one, same] = [await make(DenseMatrix.from([[3, 4]])), await make(DenseMatrix.from(Array(40).fill([3, 4])))]
      expect(one.search([0, 0])).toEqual([{ id: 0, distance: 5 }])
      expect(same.search([0, 0], { k: 3 })).toEqual([0, 1, 2].map(id => ({ id, distance: 5 })))
      one.free()
      same.free()
    })

    it('takes vectors of zeros, but not under cosine', async () => {
      const zeros = DenseMatrix.from([[1, 0], [0, 0]]) // biome-ignore format: rows as rows
      const plain = await make(zeros)
      expect(plain.search([0, 0])).toEqual([{ id: 1, distance: 0 }, { id: 0, distance: 1 }]) // biome-ignore format: one list
      plain.free()
      if (!metrics.includes('cosine')) return
      await expect(make(zeros, { metric: 'cosine' })).rejects.toMatchObject({
        code: 'BAD_DATA',
        message: expect.stringContaining('row 1 is all zeros'),
      })
      const cosine = await make(corner, { metric: 'cosine' })
      expect(() => cosine.search([0, 0])).toThrow(expect.objectContaining({ code: 'BAD_DATA' }))
      expect(() => cosine.add([0, 0])).toThrow(expect.objectContaining({ code: 'BAD_DATA' }))
      await expect(cosine.searchBatch(zeros)).rejects.toThrow('query 1 is all zeros')
      cosine.free()
    })

    it('refuses rows it cannot index, and leaves nothing behind', async () => {
      const before = engine.arena.usedBytes
      const broken = new DenseMatrix(2, 2, Float32Array.of(1, 2, 3, Number.NaN))
      const cases: [() => Promise<DenseIndex>, string, string][] = [
        [() => make(broken), 'BAD_DATA', 'row 1, column 1 is NaN'],
        [() => make(new DenseMatrix(1, 2, Float32Array.of(-1 / 0, 1))), 'BAD_DATA', 'row 0, column 0 is -Infinity'],
        [() => make(new DenseMatrix(1, 2, Float32Array.of(3e38, 1))), 'BAD_DATA', 'row 0 has length 3.0e+38'],
        [() => make(corner.slice(0, 0)), 'EMPTY_DATA', 'no rows'],
        [() => make(new DenseMatrix(3, 0, new Float32Array(0))), 'EMPTY_DATA', 'no dimensions'],
        [
          () => make(corner, { ids: ['a', 'b', 'c', 'd', 'b'] }),
          'BAD_DATA',
          'the id "b" appears twice: in rows 1 and 4',
        ],
        [() => make(corner, { ids: ['a'] }), 'DIMENSION_MISMATCH', '1 ids for 5 rows'],
        [() => make(corner, { metric: 'hamming' as DenseMetric }), 'UNKNOWN_NAME', metrics.join(', ')], // to be refused
      ]
      for (const [fit, code, message] of cases) {
        await expect(fit()).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
      }
      expect(engine.arena.usedBytes).toBe(before)
    })

    it('refuses queries and added rows that do not fit', async () => {
      const cases: [() => unknown, string, string][] = [
        [() => few.search([1]), 'DIMENSION_MISMATCH', 'has 1 dimensions, this index has 2'],
        [() => few.search([1, Number.NaN]), 'BAD_DATA', 'the query, column 1 is NaN'],
        [() => few.search([1, 1], { k: 0 }), 'INVALID_OPTION', 'k is 0'],
        [() => few.search([1, 1], { k: 1.5 }), 'INVALID_OPTION', 'k is 1.5'],
        [() => few.add([1, 2, 3]), 'DIMENSION_MISMATCH', 'has 3 dimensions'],
        [() => few.add([1 / 0, 1]), 'BAD_DATA', 'the row, column 0 is Infinity'],
        [() => few.add([1, 1], 'a'), 'BAD_DATA', 'the id "a" appears twice'],
      ]
      for (const [ask, code, message] of cases) {
        expect(ask).toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) }))
      }
      const broken = new DenseMatrix(2, 2, Float32Array.of(1, 2, 3, Number.NaN))
      await expect(few.searchBatch(broken)).rejects.toThrow('query 1, column 1 is NaN')
      await expect(few.searchBatch(rows)).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
      await expect(few.searchBatch(corner, { k: 0 })).rejects.toMatchObject({ code: 'INVALID_OPTION' })
      expect(few.rows).toBe(5)
    })

    it('leaves its inputs as they were', async () => {
      for (const metric of metrics) {
        const [given, query, ids] = [corner.select([0, 1, 2, 3, 4]), Float32Array.of(2, 3), [...cornerIds]]
        const other = await make(given, { metric, ids })
        other.search(query)
        other.add(query)
        await other.searchBatch(given)
        other.free()
        expect([given.values, query, ids]).toEqual([corner.values, Float32Array.of(2, 3), cornerIds])
      }
    })

    it('takes whole numbers as well as floats', async () => {
      const bytes = await make(new DenseMatrix(5, 2, Uint8Array.from(corner.values)), { ids: cornerIds })
      expect(bytes.search([1, 1])).toEqual(few.search([1, 1]))
      bytes.free()
    })

    it('has the same bytes for the same rows, on one thread and on two', async () => {
      const again = [await make(rows, { threads: 1 }), await make(rows, { threads: 2 })]
      for (const other of [index, ...again]) expect(bytesOf(other).equals(bytesOf(index))).toBe(true)
      for (const other of again) other.free()
    })

    it('answers the same after it was saved and loaded, changed or not', async () => {
      for (const metric of metrics) {
        const other = await make(rows, { metric })
        for (const changed of [false, true]) {
          if (changed) changeSome(other, queries)
          const path = join(folder, `${metric}-${changed}`)
          await other.save(path)
          const loaded = await load(path, { engine })
          const copied = fromContents(other.contents(), { engine })
          for (const same of [loaded, copied]) {
            expect([same.kind, same.metric, same.rows, same.rowNumbers]).toEqual([
              ...[other.kind, metric, other.rows, other.rowNumbers],
            ])
            expect(answers(same)).toEqual(answers(other))
            expect(same.add(queries.row(0), 'new')).toBe('new')
            same.free()
          }
        }
        other.free()
      }
    })

    it('keeps the ids in its file, strings and numbers', async () => {
      const copied = fromContents(few.contents(), { engine })
      expect(copied.search([1, 1])).toEqual(few.search([1, 1]))
      copied.free()
    })

    it('refuses contents that are damaged, and leaves nothing behind', async () => {
      const before = engine.arena.usedBytes
      const whole = few.contents()
      const cases: ModelContents[] = [
        { ...whole, options: { ...whole.options, metric: 'hamming' } },
        { ...whole, meta: { ...whole.meta, dims: 3 } },
        { ...whole, meta: { ...whole.meta, rows: 6 } },
      ]
      for (const [key, { array }] of Object.entries(whole.tensors)) {
        const { [key]: _, ...others } = whole.tensors
        cases.push({ ...whole, tensors: others })
        if (array.length === 0) continue
        const shorter = { array: array.slice(1), shape: [array.length - 1] }
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

    it('finds what was added at once, and what was removed no more', async () => {
      const other = await make(corner, { ids: cornerIds })
      const query = DenseMatrix.from([[1, 1]])
      const batchIds = async (): Promise<Id[]> => idsOf((await other.searchBatch(query)).neighbors(0))
      expect(other.add([1, 2], 'new')).toBe('new')
      expect(idsOf(other.search([1, 1]))).toEqual(['a', 'new', 'b', 7, 'd', 'e'])
      expect([other.remove('b'), other.remove('b'), other.remove('nobody')]).toEqual([true, false, false])
      expect(idsOf(other.search([1, 1]))).toEqual(['a', 'new', 7, 'd', 'e'])
      expect(await batchIds()).toEqual(['a', 'new', 7, 'd', 'e'])
      expect([other.rows, other.rowNumbers, other.idOf(1)]).toEqual([5, 6, undefined])
      other.add([1, 1], 'b')
      expect(await batchIds()).toEqual(['a', 'b', 'new', 7, 'd', 'e'])
      for (const id of ['a', 'b', 'new', 7, 'd', 'e']) other.remove(id)
      expect([other.rows, other.search([1, 1]), await batchIds()]).toEqual([0, [], []])
      other.free()
    })

    it('keeps ids and answers when it is compacted', async () => {
      const other = await make(corner, { ids: cornerIds })
      other.remove('b')
      const before = other.search([1, 1])
      expect([...other.compact()]).toEqual([0, 2 ** 32 - 1, 1, 2, 3])
      expect([other.rowNumbers, other.rowOf('e')]).toEqual([4, 3])
      expect(other.search([1, 1])).toEqual(before)
      for (const id of ['a', 7, 'd', 'e']) other.remove(id)
      other.compact()
      expect([other.rowNumbers, other.search([1, 1])]).toEqual([0, []])
      other.add([4, 5], 'again')
      expect(other.search([1, 1])).toEqual([{ id: 'again', distance: 5 }])
      other.free()
    })

    it('gives k that pass a filter wherever there are k', async () => {
      const fifties = new Set(Array.from({ length: 12 }, (_, i) => 50 * i))
      for (const { row } of itemsOf(queries)) {
        for (const filter of [fifties, (id: Id) => fifties.has(Number(id))]) {
          const found = index.search(row, { k: 12, filter })
          expect(new Set(idsOf(found))).toEqual(fifties)
        }
        expect(idsOf(index.search(row, { k: 2, filter: new Set([599]) }))).toEqual([599])
      }
      expect(few.search([1, 1], { filter: new Set(['nobody']) })).toEqual([])
      expect(idsOf(few.search([1, 1], { k: 2, filter: id => id !== 'a' && id !== 7 }))).toEqual(['b', 'd'])
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

    it('agrees with a plain list through any changes', async () => {
      const vector = fc.tuple(...Array.from({ length: 3 }, () => fc.integer({ min: -3, max: 3 })))
      const step = fc.record({
        what: fc.constantFrom('add', 'add', 'remove', 'search', 'search', 'compact'),
        vector,
        number: fc.nat({ max: 12 }),
      })
      const start = fc.array(vector, { minLength: 1, maxLength: 8 })
      const follow = async (vectors: number[][], steps: { what: string; vector: number[]; number: number }[]) => {
        let items: Item[] = vectors.map((row, i) => ({ id: `start ${i}`, row }))
        const other = await make(DenseMatrix.from(vectors), { ids: items.map(({ id }) => id) })
        steps.forEach(({ what, vector, number }, i) => {
          if (what === 'add') items.push({ id: other.add(vector, `step ${i}`), row: vector })
          else if (what === 'compact') other.compact()
          else if (what === 'search') expectTrue(other.search(vector, { k: number + 1 }), items, vector, number + 1)
          else if (items.length > 0) {
            const { id } = items[number % items.length]
            expect(other.remove(id)).toBe(true)
            items = items.filter(item => item.id !== id)
          }
        })
        expect(other.rows).toBe(items.length)
        other.free()
      }
      await fc.assert(fc.asyncProperty(start, fc.array(step, { maxLength: 30 }), follow), { numRuns: 60 })
    })

    /** Exact indexes give the list's own answer; others live items with their true distances, in order, each once. */
    function expectTrue(found: readonly Neighbor[], items: readonly Item[], query: number[], k: number): void {
      const all = nearest(items, query, items.length, 'euclidean')
      if (recallFloor === 1) expect(found).toEqual(all.slice(0, k))
      else expect(found).toEqual(all.filter(({ id }) => idsOf(found).includes(id)))
    }
  })
}
