import { describe, expect, it } from 'vitest'
import { EngineError } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { corner } from '../index-oracle.cases.ts'
import { ForestIndex } from './forest-index.ts'
import { checkEffort, type ForestFitOptions, forestDefaults, forestSettings } from './options.ts'

/** What a call complains of: its code and message. */
async function complaint(run: () => unknown): Promise<string> {
  try {
    await run()
  } catch (error) {
    if (error instanceof EngineError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'nothing'
}

describe('forestSettings', () => {
  it('are these where nothing is said', () => {
    expect(forestSettings({})).toEqual({
      ...{
        grower: 'kd',
        rule: 'natural',
        trees: 20,
        leafSize: 5,
        depth: 0,
        labelNeighbors: 25,
        links: 32,
        view: 'sketch',
      },
      ...{
        sketchDims: 96,
        seed: 1,
        targetRecall: 0.95,
        maxTuningSeconds: 600,
        k: 10,
        axes: 0,
        sampleRows: 100,
        density: 0,
        pcaScope: 'node',
      },
      ...{ keep: 'rows', graphNeighbors: 10, negatives: 10, epochs: 10, epochRows: 0, tailThreshold: 50, l1: 4 },
      learningRate: 0.1,
    })
    expect(Object.isFrozen(forestDefaults)).toBe(true)
  })

  it('are what the caller says, but for undefined', () => {
    const given = { trees: 3, grower: undefined, k: 5 } as unknown as ForestFitOptions
    expect(forestSettings(given)).toEqual({ ...forestDefaults, trees: 3, k: 5 })
  })

  it('refuse values that are none, with what is allowed', async () => {
    const cases: [Record<string, unknown>, string][] = [
      [{ trees: 0 }, 'INVALID_OPTION: trees is 0, expected a whole number from 1 to 1024'],
      [{ trees: 2.5 }, 'INVALID_OPTION: trees is 2.5, expected a whole number from 1 to 1024'],
      [{ trees: '7' }, "INVALID_OPTION: trees is '7', expected a whole number from 1 to 1024"],
      [{ leafSize: 0 }, 'INVALID_OPTION: leafSize is 0, expected a whole number from 1 to 1048576'],
      [{ depth: 31 }, 'INVALID_OPTION: depth is 31, expected a whole number from 0 to 30'],
      [{ labelNeighbors: 0 }, 'INVALID_OPTION: labelNeighbors is 0, expected a whole number from 1 to 1000'],
      [{ sketchDims: 0 }, 'INVALID_OPTION: sketchDims is 0, expected a whole number from 1 to 4096'],
      [{ seed: -1 }, 'INVALID_OPTION: seed is -1, expected a whole number from 0 to 9007199254740991'],
      [{ k: 0 }, 'INVALID_OPTION: k is 0, expected a whole number from 1 to 10000'],
      [{ axes: -1 }, 'INVALID_OPTION: axes is -1, expected a whole number from 0 to 65536'],
      [{ sampleRows: 1 }, 'INVALID_OPTION: sampleRows is 1, expected a whole number from 2 to 65536'],
      [{ density: 1.5 }, 'INVALID_OPTION: density is 1.5, expected a number from 0 to 1'],
      [{ graphNeighbors: 0 }, 'INVALID_OPTION: graphNeighbors is 0, expected a whole number from 1 to 1000'],
      [{ epochs: 0 }, 'INVALID_OPTION: epochs is 0, expected a whole number from 1 to 1000'],
      [{ l1: -1 }, 'INVALID_OPTION: l1 is -1, expected a number from 0 to 1000000'],
      [{ learningRate: 0 }, 'INVALID_OPTION: learningRate is 0, expected a number above 0 and at most 1000'],
      [{ targetRecall: 1 }, 'INVALID_OPTION: targetRecall is 1, expected a number from 0 to 0.999999'],
      [{ targetRecall: Number.NaN }, 'INVALID_OPTION: targetRecall is NaN, expected a number from 0 to 0.999999'],
      [{ maxTuningSeconds: -1 }, 'INVALID_OPTION: maxTuningSeconds is -1, expected a number from 0 to 1000000000'],
      [{ rule: 'maximal' }, "UNKNOWN_NAME: rule is 'maximal', expected one of natural, voting, lookup"],
      [{ grower: 'oak' }, "UNKNOWN_NAME: grower is 'oak', expected one of random-projection, kd, chronological, pca, classification, graph, cells"], // biome-ignore format: one line
      [{ view: 'bird' }, "UNKNOWN_NAME: view is 'bird', expected one of sketch, rows"],
      [{ keep: 'all' }, "UNKNOWN_NAME: keep is 'all', expected one of rows, codes, sketch"],
      [{ pcaScope: 'tree' }, "UNKNOWN_NAME: pcaScope is 'tree', expected one of node, level"],
    ]
    for (const [options, message] of cases) expect(await complaint(() => forestSettings(options))).toBe(message)
  })
})

describe('checkEffort', () => {
  it('refuses efforts that no search can make', async () => {
    const cases: [Parameters<typeof checkEffort>[0], string][] = [
      [{ trees: 0 }, 'INVALID_OPTION: trees is 0, expected a whole number from 1 to 8'],
      [{ trees: 9 }, 'INVALID_OPTION: trees is 9, expected a whole number from 1 to 8'],
      [{ probes: -1 }, 'INVALID_OPTION: probes is -1, expected a whole number from 0 to 4096'],
      [{ probes: 4097 }, 'INVALID_OPTION: probes is 4097, expected a whole number from 0 to 4096'],
      [{ probes: 4096 }, 'nothing'],
      [{ rerank: 0 }, 'INVALID_OPTION: rerank is 0, expected a whole number from 1 to 2147483648'],
      [{ exact: 1 as unknown as boolean }, 'INVALID_OPTION: exact is 1, expected true or false'], // of another type
      [{ threshold: 2 }, 'INVALID_OPTION: threshold is 2, expected a number from 0 to 1'],
      [{ threshold: Number.NaN }, 'INVALID_OPTION: threshold is NaN, expected a number from 0 to 1'],
      [{ trees: 8, probes: 0, rerank: 1, threshold: 0 }, 'nothing'],
      [{ walk: -1 }, 'INVALID_OPTION: walk is -1, expected a whole number from 0 to 1048576'],
      [{ walk: 40 }, 'nothing'],
      [{}, 'nothing'],
    ]
    const shape = { trees: 8, rule: 'natural', links: 32 } as const
    for (const [effort, message] of cases) expect(await complaint(() => checkEffort(effort, shape))).toBe(message)
  })

  it('refuses a threshold for lookup, which would make it voting', async () => {
    const check = (threshold: number) =>
      complaint(() => checkEffort({ threshold }, { trees: 8, rule: 'lookup', links: 0 }))
    expect(await check(0.3)).toBe("INVALID_OPTION: threshold is 0.3, but the rule 'lookup' has no threshold")
    expect(await check(0)).toBe('nothing')
  })

  it('refuses a walk without links', async () => {
    const check = (walk: number) => complaint(() => checkEffort({ walk }, { trees: 8, rule: 'natural', links: 0 }))
    expect(await check(40)).toBe('INVALID_OPTION: walk is 40, but this index has no links to walk along')
    expect(await check(0)).toBe('nothing')
  })
})

describe('ForestIndex.fit', () => {
  it('refuses options before it begins', async () => {
    const training = (rows: number[][]) => DenseMatrix.from(rows)
    const cases: [Record<string, unknown>, string][] = [
      [{ trees: 4, searchTrees: 5 }, 'INVALID_OPTION: searchTrees is 5, expected a whole number from 1 to 4'],
      [{ rule: 'lookup', threshold: 0.3 }, "INVALID_OPTION: threshold is 0.3, but the rule 'lookup' has no threshold"],
      [{ probes: 0.5 }, 'INVALID_OPTION: probes is 0.5, expected a whole number from 0 to 4096'],
      [{ neighborLists: 'guessed' }, "UNKNOWN_NAME: neighborLists is 'guessed', expected one of bootstrap, exact"],
      [{ training: training([[1, 2, 3]]) }, 'DIMENSION_MISMATCH: each training row has 3 dimensions, this index has 2'],
      [{ training: new DenseMatrix(0, 2, new Float32Array(0)) }, 'EMPTY_DATA: there are no training rows'],
      [{ training: new DenseMatrix(1, 2, Float32Array.of(1, Number.NaN)) }, 'BAD_DATA: training row 0, column 1 is NaN, expected a finite 32-bit number'], // biome-ignore format: one line
      [{ training: training([[1, 2]]), rule: 'voting' }, "INVALID_OPTION: rule is 'voting', which counts corpus rows and takes no training rows"], // biome-ignore format: one line
      [{ keep: 'codes', metric: 'dot' }, "INVALID_OPTION: keep is 'codes', which works with the metrics euclidean and cosine, not dot"], // biome-ignore format: one line
      [{ keep: 'sketch', metric: 'dot' }, "INVALID_OPTION: keep is 'sketch', which works with the metrics euclidean and cosine, not dot"], // biome-ignore format: one line
      [{ keep: 'sketch', view: 'rows' }, "INVALID_OPTION: keep is 'sketch', but view is 'rows': the index would keep no rows for trees to see"], // biome-ignore format: one line
      [{ links: 257 }, 'INVALID_OPTION: links is 257, expected a whole number from 0 to 256'],
      [{ links: 8, rule: 'voting' }, "INVALID_OPTION: links is 8, but rule is 'voting': links are made from the rows' own neighbor lists"], // biome-ignore format: one line
      [{ walk: 20, rule: 'voting' }, 'INVALID_OPTION: walk is 20, but this index has no links to walk along'],
      [{ threads: 0 }, 'INVALID_OPTION: threads is 0, expected a whole number from 1 to 256'],
    ]
    for (const [options, message] of cases)
      expect(await complaint(() => ForestIndex.fit(corner, options))).toBe(message)
  })
})
