import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Slice } from '../../kernels/arena.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { Random } from '../../random.ts'
import { denseRowsFrom } from '../dense/dense-rows.ts'
import { compareRows } from '../dense/exact-filter.ts'
import { exactNeighbors } from '../dense/exact-search.ts'
import { compareByCodes, exactByCodes } from './exact-by-codes.ts'
import { forestSettings } from './options.ts'
import { sketchRows } from './training-rows.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const freeNow = (slice: { free(): void }) => slice.free()
const [count, dims] = [2600, 72]

type Vectors = (random: Random) => (i: number) => number[]
const list = (number: (j: number) => number) => Array.from({ length: dims }, (_, j) => number(j))

const data: Record<string, Vectors> = {
  clusters: random => {
    const centers = Array.from({ length: 40 }, () => list(() => 5 * random.normal()))
    return i => (centers[i % 40] ?? []).map(value => value + random.normal())
  },
  'clusters far from zero': random => {
    const centers = Array.from({ length: 40 }, () => list(() => 3000 + 5 * random.normal()))
    return i => (centers[i % 40] ?? []).map(value => value + random.normal())
  },
  noise: random => () => list(() => random.normal()),
  'three directions only': random => {
    const directions = Array.from({ length: 3 }, () => list(() => random.normal()))
    return () => {
      const places = directions.map(() => 10 * random.normal())
      return list(j => places.reduce((sum, place, d) => sum + place * (directions[d]?.[j] ?? 0), 0))
    }
  },
  'copies and outliers': random => i =>
    i % 500 === 0 ? list(() => 1000 * random.normal()) : list(j => 1 + (((i % 30) * (j + 1)) % 17)),
  'whole numbers': random => () => list(() => random.below(4)),
}

/** The same question to both, as [rows, raw distances, counts]. */
async function ask(vectors: Vectors, metric: DenseMetric, k: number, hidden = 0) {
  const random = new Random(5)
  const vector = vectors(random)
  const matrix = DenseMatrix.from(Array.from({ length: count }, (_, i) => vector(i)))
  const queries = DenseMatrix.from(
    Array.from({ length: 40 }, (_, i) => (i % 4 ? vector(i) : Array.from(matrix.row(i)))),
  )
  const scope = engine.arena.scope()
  const rows = denseRowsFrom(engine, metric, matrix)
  const settings = forestSettings({ sketchDims: 48 })
  const build = { settings, neighborLists: 'exact', threads: 2, discard: freeNow } as const
  const coded = await sketchRows(engine, scope, rows, build)
  try {
    const mask: Slice<Uint8Array> | undefined = hidden > 0 ? scope.allocate(Uint8Array, count) : undefined
    mask?.array.forEach((_, i, all) => {
      all[i] = random.float() < hidden ? 0 : 1
    })
    const placed = { pointer: rows.place(queries, scope).pointer, rows: queries.rows }
    const question = { rows, queries: placed, k, ...(mask && { mask }) }
    const one = { query: rows.prepare(queries.row(3), 'query'), k, mask }
    return {
      exact: await exactNeighbors(engine, question),
      byCodes: await exactByCodes(engine, question, coded),
      oneExact: compareRows(engine, { rows, ...one }),
      oneByCodes: compareByCodes(engine, one, coded),
    }
  } finally {
    for (const part of [scope, rows, coded.sketch, coded.codes]) part.free()
  }
}

describe('exact search by codes', () => {
  const metrics = ['euclidean', 'cosine'] as const
  const cases = Object.keys(data).flatMap(name => metrics.map(metric => [name, metric] as const))

  it.each(cases)('answers as comparing all rows does, to the last bit: %s, %s', async (name, metric) => {
    for (const [k, hidden] of [[1], [10], [10, 0.3], [10, 0.998]] as const) {
      const { exact, byCodes, oneExact, oneByCodes } = await ask(data[name] as Vectors, metric, k, hidden)
      expect(byCodes).toEqual(exact)
      expect(oneByCodes).toEqual(oneExact)
    }
  })

  it('answers products too, by comparing all rows', async () => {
    const { exact, byCodes } = await ask(data.clusters as Vectors, 'dot', 10)
    expect(byCodes).toEqual(exact)
  })
})
