import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Slice } from '../../kernels/arena.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import { DenseRows, denseRowsFrom, leaveUnchanged } from './dense-rows.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const triangle = DenseMatrix.from([[3, 4], [0, 2], [5, 12]]) // biome-ignore format: rows as rows
const all = (rows: DenseRows): number[][] => Array.from({ length: rows.rows }, (_, i) => [...rows.row(i)])

/** Uses rows of the triangle, and frees them. */
function withRows(metric: DenseMetric, use: (rows: DenseRows) => void): void {
  const rows = denseRowsFrom(engine, metric, triangle)
  use(rows)
  rows.free()
}

describe('DenseRows', () => {
  it('holds rows as they are, one after the other, where its pointer says', () => {
    withRows('euclidean', rows => {
      expect([rows.rows, rows.dims, rows.metric, rows.products]).toEqual([3, 2, 'euclidean', false])
      expect(all(rows)).toEqual([[3, 4], [0, 2], [5, 12]]) // biome-ignore format: rows as rows
      expect(rows.row(0).byteOffset).toBe(rows.pointer)
      expect([...rows.array.slice()]).toEqual([3, 4, 0, 2, 5, 12])
    })
  })

  it('scales rows to length 1 under cosine, and leaves the matrix alone', () => {
    withRows('cosine', rows => {
      expect([...rows.row(0)]).toEqual([Math.fround(0.6), Math.fround(0.8)])
      expect([...rows.row(1)]).toEqual([0, 1])
      expect([...triangle.row(0)]).toEqual([3, 4])
    })
  })

  it('leaves rows alone that have length 1 already, to the last bit', () => {
    const random = new Random(1)
    const scaled = (values: readonly Float32Array[]) => {
      const rows = denseRowsFrom(engine, 'cosine', DenseMatrix.from(values))
      const copies = Array.from({ length: rows.rows }, (_, i) => rows.row(i).slice())
      rows.free()
      return copies
    }
    for (const dims of [2, 3, 5, 64]) {
      const given = Array.from({ length: 500 }, () => Float32Array.from({ length: dims }, () => random.normal()))
      const once = scaled(given)
      expect(scaled(once)).toEqual(once)
    }
  })

  it('copies a matrix that nobody changes in turns, and has room for more rows', async () => {
    const matrix = leaveUnchanged(DenseMatrix.from([[3, 4], [0, 2], [5, 12]])) // biome-ignore format: rows as rows
    const rows = await DenseRows.fromInTurns(engine, 'euclidean', matrix, slice => slice.free(), {})
    const { pointer } = rows
    rows.append(Float32Array.of(8, 15))
    expect([all(rows), rows.pointer]).toEqual([[[3, 4], [0, 2], [5, 12], [8, 15]], pointer]) // biome-ignore format: rows as rows
    rows.free()
  })

  it('takes whole numbers', () => {
    const rows = denseRowsFrom(engine, 'dot', new DenseMatrix(1, 3, Uint8Array.of(0, 7, 255)))
    expect([...rows.row(0)]).toEqual([0, 7, 255])
    rows.free()
  })

  it('makes the distance of the metric from a raw value, as 32 bits', () => {
    const made = { euclidean: [5, 2], cosine: [12.5, 2], dot: [-25, -4] } // of 25 and 4
    for (const metric of ['euclidean', 'dot'] as const) {
      withRows(metric, rows => expect([25, 4].map(raw => rows.distance(raw))).toEqual(made[metric]))
    }
    withRows('euclidean', rows => expect(rows.distance(2)).toBe(Math.fround(Math.SQRT2)))
    withRows('cosine', rows => expect([25, 4].map(raw => rows.distance(raw))).toEqual(made.cosine))
    // No minus zero: it would be printed.
    withRows('dot', rows => expect(Object.is(rows.distance(0), 0)).toBe(true))
  })

  it('prepares copies of queries, checked and scaled as the rows are', () => {
    const query = [6, 8]
    withRows('euclidean', rows => expect([...rows.prepare(query, 'the query')]).toEqual([6, 8]))
    withRows('cosine', rows => expect([...rows.prepare(query, 'the query')]).toEqual([...rows.row(0)]))
    expect(query).toEqual([6, 8])
    withRows('cosine', rows => {
      expect(() => rows.prepare([1], 'the query')).toThrow('the query has 1 dimensions, this index has 2')
      expect(() => rows.prepare([1, Number.NaN], 'the query')).toThrow('the query, column 1 is NaN')
      expect(() => rows.prepare([1e300, 1], 'the query')).toThrow('the query, column 0 is 1e+300')
      expect(() => rows.prepare([0, 0], 'the query')).toThrow('the query is all zeros')
    })
  })

  it('places many queries, too', () => {
    withRows('cosine', rows => {
      const scope = engine.arena.scope()
      expect([...rows.place(triangle, scope).array]).toEqual([...rows.array.slice()])
      expect(() => rows.place(DenseMatrix.from([[1, 2, 3]]), scope)).toThrow('each query has 3 dimensions')
      expect(() => rows.place(DenseMatrix.from([[1, 1], [0, 0]]), scope)).toThrow('query 1 is all zeros') // biome-ignore format: rows as rows
      scope.free()
    })
  })

  it('leaves no memory behind where a row is bad', () => {
    const broken = new DenseMatrix(2, 2, Float32Array.of(1, 2, Number.NaN, 4))
    expect(() => denseRowsFrom(engine, 'dot', broken)).toThrow('row 1, column 0 is NaN')
    expect(() => denseRowsFrom(engine, 'dot', broken, 'leaf')).toThrow('leaf 1, column 0 is NaN')
  })

  it('takes prepared rows as they are, to the last bit', () => {
    withRows('cosine', rows => {
      const again = new DenseRows(engine, 'cosine', 2, engine.arena.place(rows.array.slice()))
      expect(again.array.slice()).toEqual(rows.array.slice())
      again.free()
    })
  })

  it('grows row by row, and seldom moves', () => {
    withRows('euclidean', rows => {
      const pointers = new Set<number>()
      for (let i = 0; i < 100; i++) {
        rows.append(Float32Array.of(i, -i))
        pointers.add(rows.pointer)
      }
      expect(rows.rows).toBe(103)
      expect(pointers.size).toBeLessThanOrEqual(6) // 6, 12, 24, 48, 96, 192 rows
      expect(all(rows).slice(1, 5)).toEqual([[0, 2], [5, 12], [0, -0], [1, -1]]) // biome-ignore format: rows as rows
      expect([...rows.row(102)]).toEqual([99, -99])
      expect(rows.array.slice()).toHaveLength(206)
    })
  })

  it('keeps only the rows it is told to, and grows again, even from none', () => {
    withRows('euclidean', rows => {
      rows.keep(Uint32Array.of(0, 2))
      expect(all(rows)).toEqual([[3, 4], [5, 12]]) // biome-ignore format: rows as rows
      rows.append(Float32Array.of(8, 15))
      expect([...rows.row(2)]).toEqual([8, 15])
      rows.keep(new Uint32Array())
      expect([rows.rows, rows.array.slice().length]).toEqual([0, 0])
      rows.append(Float32Array.of(7, 24))
      expect(all(rows)).toEqual([[7, 24]])
    })
  })

  it('hands memory that others may still read to its owner', () => {
    const handed: Slice[] = []
    const rows = denseRowsFrom(engine, 'euclidean', triangle, 'row', slice => handed.push(slice))
    rows.append(Float32Array.of(8, 15))
    expect(handed.map(({ array }) => [...array])).toEqual([[3, 4, 0, 2, 5, 12]])
    rows.append(Float32Array.of(7, 24))
    expect(handed).toHaveLength(1)
    rows.keep(Uint32Array.of(1))
    rows.free()
    expect(handed).toHaveLength(3)
    for (const slice of handed) slice.free()
  })
})
