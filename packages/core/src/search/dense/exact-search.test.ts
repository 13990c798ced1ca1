import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { vectorKernels } from '../../kernels/sets/vectors.ts'
import type { Progress } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { type DenseMetric, denseMetrics } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import { denseRowsFrom } from './dense-rows.ts'
import { type ExactNeighbors, type ExactQuestion, exactNeighbors, exactNeighborsNow } from './exact-search.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

interface Asked {
  readonly metric?: DenseMetric
  readonly k: number
  /** Numbers of the rows that may be returned. Default: all. */
  readonly allowed?: readonly number[]
  readonly excludeSelf?: boolean
}

type Ask = (question: ExactQuestion) => ExactNeighbors | Promise<ExactNeighbors>

const atOnce: Ask = question => exactNeighborsNow(engine, question)
const inThreads =
  (threads: number): Ask =>
  question =>
    exactNeighbors(engine, { ...question, threads })

/** Puts all in the arena, asks, and takes it out again. */
async function answer(
  matrix: DenseMatrix,
  queries: DenseMatrix,
  { metric = 'euclidean', k, allowed, excludeSelf = false }: Asked,
  ask: Ask = atOnce,
): Promise<ExactNeighbors> {
  const rows = denseRowsFrom(engine, metric, matrix)
  const scope = engine.arena.scope()
  const placed = { pointer: rows.place(queries, scope).pointer, rows: queries.rows }
  const mask = allowed && scope.place(Uint8Array.from({ length: matrix.rows }, (_, i) => Number(allowed.includes(i))))
  try {
    return await ask({ rows, queries: placed, k, mask, excludeSelf })
  } finally {
    scope.free()
    rows.free()
  }
}

/** The distances or products of one query to all rows, by the kernel that does nothing else. */
function scan(matrix: DenseMatrix, query: number, metric: DenseMetric): Float32Array {
  const rows = denseRowsFrom(engine, metric, matrix)
  const out = engine.arena.allocate(Float32Array, matrix.rows)
  const { l2Scan, dotScan } = engine.exactKernels(vectorKernels)
  const one = rows.pointer + query * rows.dims * 4
  ;(rows.products ? dotScan : l2Scan)(one, rows.pointer, rows.rows, rows.dims, out.pointer)
  const raw = out.array.slice()
  out.free()
  rows.free()
  return raw
}

function randomRows(rows: number, dims: number, seed: number): DenseMatrix {
  const random = new Random(seed)
  return new DenseMatrix(
    rows,
    dims,
    Float32Array.from({ length: rows * dims }, () => random.normal()),
  )
}

/** Query by query: the rows found. */
const rowsOf = ({ queries, k, rows, counts }: ExactNeighbors): number[][] =>
  Array.from({ length: queries }, (_, i) => [...rows.subarray(i * k, i * k + counts[i])])

const line = DenseMatrix.from([[0], [1], [3], [7], [3]])

describe('exactNeighborsNow', () => {
  it('gives the nearest rows with their squared distances, ties by row', async () => {
    const found = await answer(line, DenseMatrix.from([[2.5], [0]]), { k: 3 })
    expect(rowsOf(found)).toEqual([[2, 4, 1], [0, 1, 2]]) // biome-ignore format: a query a row
    expect([...found.raw]).toEqual([0.25, 0.25, 2.25, 0, 1, 9])
  })

  it('gives the largest products first, negative ones last', async () => {
    const found = await answer(line, DenseMatrix.from([[2], [-1]]), { metric: 'dot', k: 2 })
    expect(rowsOf(found)).toEqual([[3, 2], [0, 1]]) // biome-ignore format: a query a row
    expect([...found.raw]).toEqual([14, 6, 0, -1])
  })

  it('leaves query i out of its own neighbors if it is row i', async () => {
    const found = await answer(line, line, { k: 2, excludeSelf: true })
    expect(rowsOf(found)).toEqual([[1, 2], [0, 2], [4, 1], [2, 4], [2, 1]]) // biome-ignore format: a query a row
    expect(rowsOf(await answer(line, line.slice(0, 1), { k: 5, excludeSelf: true }))).toEqual([[1, 2, 4, 3]])
  })

  it('returns only rows that the mask allows, and fewer than k if there are no more', async () => {
    const ask = (allowed: number[], excludeSelf = false) => answer(line, line, { k: 3, allowed, excludeSelf })
    expect(rowsOf(await ask([1, 4]))).toEqual([[1, 4], [1, 4], [4, 1], [4, 1], [4, 1]]) // biome-ignore format: a query a row
    expect(rowsOf(await ask([1, 4], true))).toEqual([[1, 4], [4], [4, 1], [4, 1], [1]]) // biome-ignore format: a query a row
    expect([...(await ask([])).counts]).toEqual([0, 0, 0, 0, 0])
  })
})

describe('exact search', () => {
  it('gives the bits of the scan kernels, by every metric, over many tiles of rows', async () => {
    for (const [rows, dims] of [
      [2500, 5],
      [300, 200],
    ] as const) {
      // biome-ignore format: one list
      const matrix = randomRows(rows, dims, 1)
      for (const metric of denseMetrics) {
        const { rows: found, raw } = await answer(matrix, matrix.slice(0, 3), { metric, k: rows })
        for (const query of [0, 1, 2]) {
          const from = query * rows
          const scanned = scan(matrix, query, metric)
          const order = Array.from(scanned.keys()).sort((a, b) => {
            return (metric === 'dot' ? scanned[b] - scanned[a] : scanned[a] - scanned[b]) || a - b
          })
          expect([...found.subarray(from, from + rows)]).toEqual(order)
          expect(raw.subarray(from, from + rows)).toEqual(Float32Array.from(order, row => scanned[row]))
        }
      }
    }
  })

  it('gives the same bits at once, on one thread and on two', async () => {
    const [matrix, queries] = [randomRows(700, 24, 2), randomRows(90, 24, 3)]
    const allowed = Array.from({ length: 500 }, (_, i) => i).filter(i => i % 3 !== 0)
    for (const metric of denseMetrics) {
      for (const asked of [
        { metric, k: 7 },
        { metric, k: 7, allowed, excludeSelf: true },
      ]) {
        // biome-ignore format: one list
        const expected = await answer(matrix, queries, asked)
        for (const threads of [1, 2]) expect(await answer(matrix, queries, asked, inThreads(threads))).toEqual(expected)
      }
    }
  })

  it('gives a list of rows the bits that a mask of them gets, however dense it is', async () => {
    const random = new Random(6)
    for (const dims of [3, 40, 300]) {
      const [matrix, queries] = [randomRows(3000, dims, 2), randomRows(3, dims, 3)]
      for (const share of [0.001, 0.1, 0.45, 0.8, 1]) {
        for (const metric of denseMetrics) {
          const allowed = Array.from(random.sample(3000, Math.ceil(share * 3000))).sort((a, b) => a - b)
          const asked = { metric, k: 7, excludeSelf: share === 1 }
          const listed = await answer(matrix, queries, asked, question =>
            exactNeighborsNow(engine, { ...question, listed: Uint32Array.from(allowed) }),
          )
          expect(listed).toEqual(await answer(matrix, queries, { ...asked, allowed }))
        }
      }
    }
  })

  it('equals sorting all, whatever is allowed', async () => {
    const number = fc.integer({ min: -4, max: 4 })
    const asked = fc.record({
      vectors: fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 30 }),
      k: fc.integer({ min: 1, max: 12 }),
      bits: fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
      excludeSelf: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(asked, async ({ vectors, k, bits, excludeSelf }) => {
        const matrix = DenseMatrix.from(vectors)
        const allowed = [...vectors.keys()].filter(i => bits[i])
        const square = (i: number, j: number) =>
          (vectors[i][0] - vectors[j][0]) ** 2 + (vectors[i][1] - vectors[j][1]) ** 2
        const expected = vectors.map((_, i) => {
          const rows = allowed.filter(j => !(excludeSelf && i === j))
          return rows.sort((a, b) => square(i, a) - square(i, b) || a - b).slice(0, k)
        })
        expect(rowsOf(await answer(matrix, matrix, { k, allowed, excludeSelf }))).toEqual(expected)
      }),
    )
  })
})

describe('exactNeighbors', () => {
  it('answers no queries with nothing', async () => {
    const found = await answer(line, line.slice(0, 0), { k: 2 }, inThreads(1))
    expect([found.queries, found.rows.length, found.counts.length]).toEqual([0, 0, 0])
  })

  it('copies the mask: it may change while it works', async () => {
    const asked = { k: 1, allowed: [3] }
    const found = await answer(line, line, asked, question => {
      const pending = exactNeighbors(engine, { ...question, threads: 2 })
      question.mask?.array.fill(0)
      return pending
    })
    expect(rowsOf(found)).toEqual([[3], [3], [3], [3], [3]])
  })

  it('tells how far it is, and stops at a signal', async () => {
    const matrix = randomRows(200, 8, 4)
    const heard: Progress[] = []
    await answer(matrix, matrix, { k: 3 }, question =>
      exactNeighbors(engine, { ...question, threads: 2, onProgress: progress => heard.push(progress) }),
    )
    const { what, done, total } = heard.at(-1) ?? {}
    expect([what, done]).toEqual(['searching', total])
    const stopped = answer(matrix, matrix, { k: 3 }, question =>
      exactNeighbors(engine, { ...question, signal: AbortSignal.abort() }),
    )
    await expect(stopped).rejects.toMatchObject({ code: 'ABORTED' })
  })
})
