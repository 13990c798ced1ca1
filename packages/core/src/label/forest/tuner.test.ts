import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { selectRows } from '../../data/dataset.ts'
import { type MetricName, metricNames } from '../../evaluate/metrics.ts'
import { Engine } from '../../kernels/engine.ts'
import type { Progress } from '../../long-work.ts'
import { shelf, vectors } from '../shelf.cases.ts'
import { ForestClassifier } from './forest-classifier.ts'
import { type ForestTuningOptions, tuneForest } from './tuner.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Few rows give weights, and few trees are soon grown. */
const tiny = { l1: 0.1, tuningTrees: 5, engine } as const
/** Nothing is left to tune but thresholds. */
const fixed = { weighting: 'none', leafSize: 1, blend: 0.5, blendPower: 1, probes: 3, tailLift: 0.1 } as const

const tune = (options: ForestTuningOptions) => tuneForest(shelf, { ...tiny, ...options })
const valuesOf = <T>(table: readonly { readonly options: T }[], name: keyof T) =>
  new Set(table.map(({ options }) => options[name]))

describe('tuneForest', () => {
  it('returns the best of all points it has tried', async () => {
    for (const metric of ['microF1', 'hammingLoss', 'p@1'] as const) {
      const { options, value, table } = await tune({ metric })
      const values = table.map(point => point.value)
      expect(value).toBe(metric === 'hammingLoss' ? Math.min(...values) : Math.max(...values))
      expect(table.find(point => point.value === value)?.options).toEqual(options)
      expect(new Set(table.map(point => JSON.stringify(point.options))).size).toBe(table.length)
    }
  })

  it('tries what shapes trees and how leaves are read', async () => {
    const { table } = await tune({ metric: 'p@1' })
    expect(valuesOf(table, 'weighting')).toEqual(new Set([undefined, 'none', 'idf', 'chi2']))
    expect(valuesOf(table, 'leafSize')).toEqual(new Set([undefined, 4, 20]))
    expect(valuesOf(table, 'blend')).toEqual(new Set([undefined, 0.25, 0.5, 0.75]))
    expect(valuesOf(table, 'blendPower')).toEqual(new Set([undefined, 1, 2, 4]))
    expect(valuesOf(table, 'probes')).toEqual(new Set([undefined, 10, 50]))
    expect(valuesOf(table, 'tailLift')).toEqual(new Set([undefined, 0.25, 0.5, 1]))
  })

  it('keeps the options that are given, and tries the others', async () => {
    const given = { l1: 0.1, grower: 'kd', weighting: 'idf', leafSize: 2, blend: 0.5, rule: 'voting' } as const
    const { options, table } = await tune({ metric: 'p@1', ...given })
    expect(options).toMatchObject(given)
    for (const point of table) expect(point.options).toMatchObject(given)
    expect(table).toHaveLength(1 + 2 + 2 + 3) // as given; blendPower, probes, tailLift
    const nothingLeft = await tune({ metric: 'p@1', ...fixed })
    expect(nothingLeft.table).toEqual([{ options: { l1: 0.1, ...fixed }, value: nothingLeft.value }])
  })

  it('chooses thresholds for a measure of sets, and for no other', async () => {
    const sets = await tune({ metric: 'microF1', ...fixed })
    expect(valuesOf(sets.table, 'threshold')).toEqual(new Set([undefined, 'cardinality', 'priors', 'f1']))
    expect(valuesOf(sets.table, 'thresholdFactor').size).toBeGreaterThan(4)
    const ranking = await tune({ metric: 'ndcg@3' })
    expect(valuesOf(ranking.table, 'threshold')).toEqual(new Set([undefined]))
    const given = await tune({ metric: 'microF1', ...fixed, threshold: 0.2 })
    expect(given.table).toHaveLength(1)
  })

  it('takes every measure as its goal', async () => {
    for (const metric of metricNames) {
      const { value } = await tune({ metric, ...fixed })
      expect([metric, value >= 0 && value <= 1]).toEqual([metric, true])
    }
  })

  it('measures forests as large as they will be, where that is fewer trees than tuning may grow', async () => {
    const valueWith = async (trees: number, tuningTrees: number) =>
      (await tune({ metric: 'ndcg@3', ...fixed, blend: 0, trees, tuningTrees, sample: 4 })).value
    expect(await valueWith(1, 50)).toBe(await valueWith(1, 1))
    expect(await valueWith(50, 1)).toBe(await valueWith(1, 1))
    expect(await valueWith(50, 50)).not.toBe(await valueWith(1, 1))
  })

  it('finds the same on one thread and on two, and leaves the data as it was', async () => {
    const before = structuredClone([vectors.features, vectors.labels])
    const found = [1, 2].map(threads => tuneForest(vectors, { ...tiny, metric: 'microF1', threads }))
    const [one, two] = await Promise.all(found)
    expect(two).toEqual(one)
    expect(structuredClone([vectors.features, vectors.labels])).toEqual(before)
  })

  it('tells how far it is, and never goes back', async () => {
    const reports: Progress[] = []
    const { table } = await tune({ metric: 'microF1', onProgress: report => reports.push(report) })
    expect(reports.at(-1)).toEqual({ what: 'tuning', done: table.length, total: table.length })
    reports.forEach(({ done, total }, i) => {
      expect(done).toBeGreaterThanOrEqual(reports[i - 1]?.done ?? 0)
      expect(total).toBe(table.length)
    })
  })

  it('stops when told to, at any point, and gives all memory back', async () => {
    let ended = false
    for (let looks = 0; !ended; looks++) {
      const signal = abortedAfter(looks)
      const outcome = await tune({ metric: 'p@1', blend: 0, probes: 0, signal }).then(
        () => 'done',
        error => error.code,
      )
      ended = outcome === 'done'
      expect([looks, outcome, engine.arena.usedBytes]).toEqual([looks, ended ? 'done' : 'ABORTED', 0])
      if (looks < 12) expect(ended).toBe(false)
    }
  })

  it.each<[Record<string, unknown>, string, string]>([
    [{ metric: 'f1' }, 'UNKNOWN_NAME', 'unknown measure "f1"'],
    [{ leafsize: 3 }, 'UNKNOWN_NAME', 'unknown option "leafsize"'],
    [{ folds: 3 }, 'UNKNOWN_NAME', 'unknown option "folds"'],
    [{ trees: 0 }, 'INVALID_OPTION', 'trees is 0, expected a whole number from 1 to 1024'],
    [{ sample: 0 }, 'INVALID_OPTION', 'sample is 0, expected a whole number from 1'],
    [{ sample: 1.5 }, 'INVALID_OPTION', 'sample is 1.5, expected a whole number from 1'],
    [{ tuningTrees: 0 }, 'INVALID_OPTION', 'tuningTrees is 0, expected a whole number from 1'],
    [{ tuningTrees: '9' }, 'INVALID_OPTION', "tuningTrees is '9', expected a whole number from 1"],
  ])('refuses %o', async (options, code, message) => {
    const wrong = { metric: 'p@1' as MetricName, ...options }
    await expect(tune(wrong)).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('refuses data that is too little to hold some of it out', async () => {
    const tuned = (rows: number[]) => tuneForest(selectRows(shelf, rows), { ...tiny, ...fixed, metric: 'p@1' })
    await expect(tuned([0, 4])).rejects.toMatchObject({
      code: 'EMPTY_DATA',
      message: 'tuning needs at least 3 rows, got 2',
    })
    await expect(tuned([])).rejects.toMatchObject({ code: 'EMPTY_DATA' })
    expect((await tuned([0, 1, 3])).table).toHaveLength(1)
  })
})

/** A signal that is aborted when it has been looked at so often. */
function abortedAfter(looks: number): AbortSignal {
  const controller = new AbortController()
  const { signal } = controller
  let left = looks
  Object.defineProperty(signal, 'aborted', {
    get: () => {
      if (left-- === 0) controller.abort()
      return left < 0
    },
  })
  return signal
}

describe('ForestClassifier.tune', () => {
  it('fits with what it has found', async () => {
    const tuned = await ForestClassifier.tune(shelf, { ...tiny, metric: 'microF1', leafSize: 1, trees: 7 })
    const { classifier, options } = tuned
    expect(classifier.options).toMatchObject(options)
    expect([classifier.trees, classifier.rows, classifier.method]).toEqual([7, 12, 'gpt'])
    expect(classifier.predict('sailing ships')[0]?.label).toBe('shipping')
    classifier.free()
  })
})
