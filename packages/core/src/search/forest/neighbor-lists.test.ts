import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { NeighborLists } from '../../forest/label-source.ts'
import { Engine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { denseRowsFrom } from '../dense/dense-rows.ts'
import { clustered, corner, itemsOf, nearest } from '../index-oracle.cases.ts'
import { ForestIndex } from './forest-index.ts'
import { bootstrapLists, exactLists } from './neighbor-lists.ts'
import { forestSettings } from './options.ts'
import { sketchRows } from './training-rows.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

async function bootstrap(matrix: DenseMatrix, k: number, { seed = 1, threads = 2 } = {}) {
  const scope = engine.arena.scope()
  const rows = denseRowsFrom(engine, 'euclidean', matrix)
  const build = { settings: forestSettings({}), neighborLists: 'bootstrap', threads, discard: freeNow } as const
  const { sketch, codes, sketches } = await sketchRows(engine, scope, rows, build)
  try {
    const found = await bootstrapLists(engine, { searched: { rows, sketch, codes }, sketches, k, seed, threads })
    return { ...found, exact: await exactLists(engine, rows, rows, k, {}) }
  } finally {
    for (const part of [scope, rows, sketch, codes]) part.free()
  }
}

const freeNow = (slice: { free(): void }) => slice.free()
const listOf = ({ k, rows, counts }: NeighborLists, i: number) => [...rows.subarray(i * k, i * k + counts[i])]

function recallOf(lists: NeighborLists, exact: NeighborLists): number {
  const found = Array.from(exact.counts, (_, i) => {
    const own = new Set(listOf(lists, i))
    return listOf(exact, i).filter(row => own.has(row)).length / exact.counts[i]
  })
  return found.reduce((sum, share) => sum + share, 0) / found.length
}

describe('exactLists', () => {
  it('are the nearest rows of each, itself first', async () => {
    const rows = denseRowsFrom(engine, 'euclidean', corner)
    const lists = await exactLists(engine, rows, rows, 3, {})
    // The last row is the one before it once more: ties are by row.
    expect([0, 1, 4].map(row => listOf(lists, row))).toEqual([[0, 1, 2], [1, 0, 3], [3, 4, 2]]) // biome-ignore format: one list
    expect((await exactLists(engine, rows, rows, 9, {})).k).toBe(5)
    rows.free()
  })
})

describe('bootstrapLists', () => {
  it.each([
    [25, 0.99], // measured: 0.9985
    [10, 0.98], // measured: 0.989
  ])('of %i rows each have nearly all true neighbors, and say how many', async (k, floor) => {
    const { lists, recall, exact } = await bootstrap(clustered(4, 3000), k)
    expect(recallOf(lists, exact)).toBeGreaterThanOrEqual(floor)
    expect(Math.abs(recallOf(lists, exact) - recall)).toBeLessThan(0.01)
  })

  it('hold no row twice, and every row first in its own', async () => {
    const { lists } = await bootstrap(clustered(4, 700), 8)
    for (let i = 0; i < 700; i++) {
      const own = listOf(lists, i)
      expect([own.length, new Set(own).size, own[0]]).toEqual([8, 8, i])
    }
  })

  it('are exact for few rows', async () => {
    const matrix = clustered(6, 40)
    const { lists, recall } = await bootstrap(matrix, 5)
    const truth = itemsOf(matrix).map(({ row }) => nearest(itemsOf(matrix), row, 5, 'euclidean').map(({ id }) => id))
    expect(truth.map((_, i) => listOf(lists, i))).toEqual(truth)
    expect(recall).toBe(1)
    expect((await bootstrap(corner, 25)).lists.k).toBe(5)
    expect((await bootstrap(DenseMatrix.from([[1, 2]]), 3)).lists).toMatchObject({ k: 1, rows: Uint32Array.of(0) })
  })

  it('do not depend on the threads', async () => {
    const matrix = clustered(7, 800)
    const [one, two] = [await bootstrap(matrix, 10, { threads: 1 }), await bootstrap(matrix, 10, { threads: 2 })]
    expect(two.lists).toEqual(one.lists)
  })
})

describe('lists of the caller', () => {
  const fit = async (neighborLists: NeighborLists) => (await ForestIndex.fit(corner, { engine, neighborLists })).free()
  const good = { k: 2, rows: Uint32Array.of(0, 1, 1, 0, 2, 3, 3, 4, 3, 4), counts: new Uint32Array(5).fill(2) }

  it('are taken where they fit the rows, shorter ones too', async () => {
    await fit(good)
    await fit({ ...good, counts: Uint32Array.of(2, 0, 1, 2, 1) })
  })

  it('are refused with what is wrong with them', async () => {
    const bad: [NeighborLists, string][] = [
      [{ ...good, counts: new Uint32Array(4) }, 'neighborLists hold 4 lists in 10 numbers, expected 5 of 2'],
      [{ ...good, rows: new Uint32Array(9) }, 'neighborLists hold 5 lists in 9 numbers, expected 5 of 2'],
      [{ ...good, counts: Uint32Array.of(2, 2, 3, 2, 2) }, 'neighbor list 2 has 3 neighbors, expected at most 2'],
      [{ ...good, rows: good.rows.with(7, 5) }, 'neighbor list 3 names row 5, the corpus has rows 0 to 4'],
      [{ ...good, rows: good.rows.with(1, 0) }, 'neighbor list 0 names a row twice'],
    ]
    for (const [lists, message] of bad) await expect(fit(lists)).rejects.toThrow(message)
  })
})
