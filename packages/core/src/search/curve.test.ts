import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { type CurvePoint, measureCurve, paretoFront } from './curve.ts'
import { ExactIndex } from './exact/exact-index.ts'
import { findIndexKind } from './registry.ts'
import type { QueryOptions, SearchIndex, Vector } from './search-index.ts'

const point = (recall: number, microsPerQuery: number): CurvePoint => {
  return { recall, microsPerQuery, candidates: 0, options: {} }
}

describe('paretoFront', () => {
  it('keeps what nothing beats, ascending', () => {
    const front = paretoFront([point(0.9, 20), point(0.5, 10), point(0.8, 30), point(1, 50), point(0.5, 12)])
    expect(front).toEqual([point(0.5, 10), point(0.9, 20), point(1, 50)])
  })

  it('keeps one of equal points, the first', () => {
    const [first, second] = [point(1, 5), { ...point(1, 5), candidates: 3 }]
    expect(paretoFront([first, second])).toEqual([first])
    expect(paretoFront([])).toEqual([])
  })

  it('keeps exactly the points that no other beats', () => {
    const points = fc.array(fc.tuple(fc.nat(6), fc.nat(6)).map(([recall, micros]) => point(recall, micros)))
    fc.assert(
      fc.property(points, points => {
        const front = paretoFront(points)
        const beats = (a: CurvePoint, b: CurvePoint) =>
          a.recall >= b.recall &&
          a.microsPerQuery <= b.microsPerQuery &&
          (a.recall > b.recall || a.microsPerQuery < b.microsPerQuery)
        const key = ({ recall, microsPerQuery }: CurvePoint) => `${recall},${microsPerQuery}`
        const unbeaten = points.filter(b => !points.some(a => beats(a, b)))
        expect(new Set(front.map(key))).toEqual(new Set(unbeaten.map(key)))
        for (let i = 1; i < front.length; i++) expect(front[i].recall).toBeGreaterThan(front[i - 1].recall)
      }),
    )
  })
})

/** Rows 0 to 9 on a line. */
const line = DenseMatrix.from(Array.from({ length: 10 }, (_, i) => [i]))

/** Looks only at the first `seen` rows, each of which takes it a while: an index with something to trade. */
async function lazyIndex(): Promise<SearchIndex> {
  const exact = await ExactIndex.fit(line)
  const seenOf = ({ seen }: QueryOptions) => Number(seen)
  return {
    ...{ metric: exact.metric, rows: exact.rows, rowNumbers: exact.rowNumbers },
    idOf: row => exact.idOf(row),
    rowOf: id => exact.rowOf(id),
    search(query: Vector, options = {}) {
      const until = performance.now() + seenOf(options) / 10
      while (performance.now() < until);
      const filter = (id: string | number) => Number(id) < seenOf(options)
      return exact.search(query as Float32Array, { k: options.k ?? 10, filter }) // queries of this test are dense
    },
    searchCandidates: (_query, options = {}) => seenOf(options),
    searchBatch: (queries, options) => exact.searchBatch(queries as DenseMatrix, options),
    contents: () => exact.contents(),
    save: (path, options) => exact.save(path, options),
    toBytes: () => exact.toBytes(),
    free: () => exact.free(),
  }
}

describe('measureCurve', () => {
  it('measures recall, time and candidates of every effort', async () => {
    const index = await lazyIndex()
    const queries = DenseMatrix.from([[0], [9]])
    const truth = await index.searchBatch(queries, { k: 2 })
    const efforts = [{ seen: 10 }, { seen: 2 }, { seen: 5 }]
    const points = await measureCurve(index, queries, { k: 2, efforts, truth })
    // With two rows seen the first query has both its neighbors and the second none; five are no better, and slower.
    expect(points.map(({ recall, candidates, options }) => [recall, candidates, options])).toEqual([
      [0.5, 2, { seen: 2 }],
      [1, 10, { seen: 10 }],
    ])
    expect(points[0].microsPerQuery).toBeGreaterThanOrEqual(200)
    expect(points[1].microsPerQuery).toBeGreaterThanOrEqual(1000)
    index.free()
  })

  it.each(['exact', 'inverted'])(
    'gives the index kind %s one point of full recall, all rows candidates',
    async name => {
      const kind = findIndexKind(name)
      const rows = kind.data === 'dense' ? line : SparseMatrix.from([[[0, 1]], [[1, 1]], [[0, 2]]])
      const index = await kind.fit(rows)
      const truth = await kind.truth(index, rows, { k: 20 })
      const points = await measureCurve(index, rows, { k: 20, efforts: kind.efforts(index), truth })
      expect(points).toEqual([
        { recall: 1, microsPerQuery: expect.any(Number), candidates: rows.rows, options: expect.any(Object) },
      ])
      index.free()
    },
  )

  it('tells how far it is, and stops when asked to', async () => {
    const index = await ExactIndex.fit(line)
    const truth = await index.searchBatch(line, { k: 1 })
    const stop = new AbortController()
    const told: number[] = []
    const onProgress = ({ done, total }: { done: number; total?: number }) => {
      told.push(done)
      expect(total).toBe(2)
      if (done >= 1) stop.abort()
    }
    const measuring = measureCurve(index, line, { k: 1, efforts: [{}, {}], truth, signal: stop.signal, onProgress })
    await expect(measuring).rejects.toMatchObject({ code: 'ABORTED' })
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect(told.at(-1)).toBe(1)
    index.free()
  })

  it('refuses to measure with nothing, or against the truth of other queries', async () => {
    const index = await ExactIndex.fit(line)
    const truth = await index.searchBatch(line, { k: 3 })
    await expect(measureCurve(index, line.slice(0, 0), { truth })).rejects.toThrow('there are no queries')
    await expect(measureCurve(index, line.slice(0, 2), { k: 3, truth })).rejects.toMatchObject({
      code: 'DIMENSION_MISMATCH',
    })
    await expect(measureCurve(index, line, { k: 5, truth })).rejects.toThrow('the true lists hold only 3')
    index.free()
  })
})
