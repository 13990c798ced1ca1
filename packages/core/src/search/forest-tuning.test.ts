import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import type { DenseMatrix } from '../matrix/dense-matrix.ts'
import { ForestIndex } from './forest-index.ts'
import { type ForestFitOptions, forestDefaults } from './forest-options.ts'
import { type ForestTuning, forestEfforts, type TriedEffort } from './forest-tuning.ts'
import { clustered } from './index-oracle.cases.ts'

const engine = new Engine()
afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  await engine.close()
})

const rows = clustered(2, 2000)
const queries = clustered(3, 100)
const heldOut = 200
const small = { engine, trees: 6, labelNeighbors: 12 }

async function withIndex<T>(options: ForestFitOptions, use: (index: ForestIndex) => T, of = rows): Promise<T> {
  const index = await ForestIndex.fit(of, { ...small, ...options })
  try {
    return await use(index)
  } finally {
    index.free()
  }
}

/** The tuning that there must be. */
function tuningOf({ tuning }: ForestIndex): ForestTuning {
  if (!tuning) throw new Error('the index was not tuned')
  return tuning
}

async function recallOf(index: ForestIndex, k = 10): Promise<number> {
  const [found, truth] = [await index.searchBatch(queries, { k }), await index.exactBatch(queries, { k })]
  let hits = 0
  for (let i = 0; i < queries.rows; i++) {
    const near = new Set(truth.rows.subarray(i * k, (i + 1) * k))
    for (const row of found.rows.subarray(i * k, i * k + found.counts[i])) hits += near.has(row) ? 1 : 0
  }
  return hits / (queries.rows * k)
}

describe('tuning a forest index', () => {
  let tuned: ForestIndex
  beforeAll(async () => {
    tuned = await ForestIndex.fit(rows, { ...small, targetRecall: 0.9, threads: 1 })
  })
  afterAll(() => tuned.free())

  it('reaches its target on the rows held out, and nearly so on others', async () => {
    const { target, k, reached, chosen } = tuningOf(tuned)
    expect([target, k, reached]).toEqual([0.9, 10, true])
    expect(chosen.recall).toBeGreaterThanOrEqual(0.9)
    expect(tuned.effort).toEqual(chosen.effort)
    expect(await recallOf(tuned)).toBeGreaterThan(0.88)
  })

  it('chooses the cheapest effort that reaches the target by more than chance', () => {
    const { curve, chosen } = tuningOf(tuned)
    expect(curve).toContainEqual(chosen)
    // No share of found neighbors has a larger standard error than one of all or nothing.
    const error = ({ recall }: TriedEffort) => Math.sqrt((recall * (1 - recall)) / (heldOut - 1))
    for (const cheaper of curve.filter(({ cost }) => cost < chosen.cost)) {
      expect(cheaper.recall - error(cheaper)).toBeLessThan(0.9)
    }
    expect(curve.filter(({ recall }) => recall < 0.9).length).toBeGreaterThan(0)
  })

  it('tells a curve along which both recall and cost rise', () => {
    const { curve } = tuningOf(tuned)
    expect(curve.length).toBeGreaterThan(5)
    for (let i = 1; i < curve.length; i++) {
      expect(curve[i].recall).toBeGreaterThan(curve[i - 1].recall)
      expect(curve[i].cost).toBeGreaterThan(curve[i - 1].cost)
    }
    expect(forestEfforts(tuned)).toEqual(curve.map(({ effort }) => effort))
  })

  it('takes the most thorough effort and says so where the target is out of reach', async () => {
    const options = { trees: 1, leafSize: 2, labelNeighbors: 2, targetRecall: 0.999 }
    await withIndex(options, index => {
      const { reached, chosen, curve } = tuningOf(index)
      expect(reached).toBe(false)
      expect(chosen).toEqual(curve[curve.length - 1])
    })
  })

  it('chooses the same for the same seed, whatever the threads', async () => {
    expect(await withIndex({ targetRecall: 0.9, threads: 2 }, tuningOf)).toEqual(tuningOf(tuned))
  })

  it('is for the k and the target that are asked for, and asks for no more', async () => {
    await withIndex({ k: 3, targetRecall: 0.7 }, async index => {
      expect(tuningOf(index).k).toBe(3)
      expect(await recallOf(index, 3)).toBeGreaterThan(0.66)
      expect(tuningOf(index).chosen.cost).toBeLessThan(tuningOf(tuned).chosen.cost)
    })
  })

  it('is left out where the effort is given, the target is 0, rows are few or training is other rows', async () => {
    const untuned = async (options: ForestFitOptions, of?: DenseMatrix) =>
      withIndex({ ...options }, ({ tuning, effort }) => (tuning ? 'tuned' : effort), of)
    const all = { trees: 6, threshold: 0, probes: 0, rerank: 80 }
    expect(await untuned({ targetRecall: 0 })).toEqual(all)
    expect(await untuned({ rerank: 33 })).toEqual({ ...all, rerank: 33 })
    expect(await untuned({ searchTrees: 2, probes: 3, threshold: 0.5 })).toEqual({ ...all, trees: 2, probes: 3, threshold: 0.5 }) // biome-ignore format: one line
    expect(await untuned({ training: queries })).toEqual(all)
    expect(await untuned({}, clustered(2, 300))).toEqual({ ...all, rerank: 2000 })
  })

  it('gives lookup no threshold, which would make it voting', async () => {
    await withIndex({ rule: 'lookup', targetRecall: 0.5 }, async index => {
      const { curve } = tuningOf(index)
      expect(new Set(curve.map(({ effort }) => effort.threshold))).toEqual(new Set([0]))
      for (const effort of forestEfforts({ tuning: undefined, settings: index.settings })) {
        expect(index.search(queries.row(0), effort)).toHaveLength(10)
      }
      const refusal = "threshold is 0.3, but the rule 'lookup' takes none"
      expect(() => index.search(queries.row(0), { threshold: 0.3 })).toThrow(refusal)
      await expect(index.searchBatch(queries, { threshold: 0.3 })).rejects.toThrow(refusal)
    })
  })

  it('offers efforts from quick to thorough where there is no curve', () => {
    const efforts = forestEfforts({ tuning: undefined, settings: { ...forestDefaults, trees: 10 } })
    expect(efforts).toContainEqual({ trees: 10, threshold: 0, probes: 30, rerank: 80 })
    expect(efforts).toContainEqual({ trees: 2, threshold: 0, probes: 0, rerank: 20 })
    expect(efforts.every(({ trees }) => trees >= 1 && trees <= 10)).toBe(true)
  })
})
