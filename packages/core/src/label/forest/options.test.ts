import { describe, expect, it } from 'vitest'
import { shelf } from '../shelf.cases.ts'
import { ForestClassifier } from './forest-classifier.ts'
import { engine, withForest } from './forest-model.cases.ts'
import { type ForestClassifierOptions, forestClassifierDefaults, resolveForestOptions } from './options.ts'

describe('the options of ForestClassifier', () => {
  it('are the defaults where they are not given, or undefined', () => {
    const given = { trees: 7, blend: undefined, threads: 2 } as object // as a command would pass it on
    expect(resolveForestOptions(given)).toEqual({ ...forestClassifierDefaults, trees: 7 })
  })

  it('name the method: GPT with the graph grower, else a forest', async () => {
    expect(await withForest(shelf, {}, ({ method }) => method)).toBe('gpt')
    expect(await withForest(shelf, { grower: 'kd' }, ({ method }) => method)).toBe('forest')
  })

  const takers = 'one of random-projection, kd, pca, classification, graph'
  it.each<[Record<string, unknown>, string, string]>([
    [
      { grower: 'oak' },
      'UNKNOWN_NAME',
      "grower is 'oak', expected one of random-projection, kd, chronological, pca, classification, graph, cells",
    ],
    [{ grower: 'chronological' }, 'UNKNOWN_NAME', `grower is 'chronological', expected ${takers}`],
    [{ rule: 'best' }, 'UNKNOWN_NAME', "rule is 'best', expected one of natural, voting"],
    [{ rule: 'lookup', threshold: 0.3 }, 'UNKNOWN_NAME', "rule is 'lookup', expected one of natural, voting"],
    [{ weighting: 'bm25' }, 'UNKNOWN_NAME', "weighting is 'bm25', expected one of none, idf, chi2, learned, auto"],
    [{ trees: 0 }, 'INVALID_OPTION', 'trees is 0, expected a whole number from 1 to 1024'],
    [{ trees: '9' }, 'INVALID_OPTION', "trees is '9', expected a whole number from 1 to 1024"],
    [{ leafSize: 0 }, 'INVALID_OPTION', 'leafSize is 0, expected a whole number from 1 to 1048576'],
    [{ depth: 65 }, 'INVALID_OPTION', 'depth is 65, expected a whole number from 1 to 64'],
    [{ probes: -1 }, 'INVALID_OPTION', 'probes is -1, expected a whole number from 0 to 4096'],
    [{ blend: 1.1 }, 'INVALID_OPTION', 'blend is 1.1, expected a number from 0 to 1'],
    [{ blendPower: 0 }, 'INVALID_OPTION', 'blendPower is 0, expected a number above 0 and at most 100'],
    [{ tailLift: Number.NaN }, 'INVALID_OPTION', 'tailLift is NaN, expected a number from 0 to 1'],
    [{ axes: -1 }, 'INVALID_OPTION', 'axes is -1, expected a whole number from 0 to 65536'],
    [{ sampleRows: 1 }, 'INVALID_OPTION', 'sampleRows is 1, expected a whole number from 2 to 65536'],
    [{ density: 1.5 }, 'INVALID_OPTION', 'density is 1.5, expected a number from 0 to 1'],
    [{ pcaScope: 'tree' }, 'UNKNOWN_NAME', "pcaScope is 'tree', expected one of node, level"],
    [{ graphNeighbors: 0 }, 'INVALID_OPTION', 'graphNeighbors is 0, expected a whole number from 1 to 1000'],
    [{ negatives: 0.5 }, 'INVALID_OPTION', 'negatives is 0.5, expected a whole number from 0 to 1000'],
    [{ epochs: 0 }, 'INVALID_OPTION', 'epochs is 0, expected a whole number from 1 to 1000'],
    [{ epochRows: -1 }, 'INVALID_OPTION', 'epochRows is -1, expected a whole number from 0 to 2147483648'],
    [{ tailThreshold: 1 }, 'INVALID_OPTION', 'tailThreshold is 1, expected a whole number from 2 to 2147483648'],
    [{ l1: -1 }, 'INVALID_OPTION', 'l1 is -1, expected a number from 0 to 1000000'],
    [{ learningRate: 0 }, 'INVALID_OPTION', 'learningRate is 0, expected a number above 0 and at most 1000'],
    [{ threshold: 2 }, 'INVALID_OPTION', 'threshold is 2, expected a number from 0 to 1, or a way to choose it'],
    [{ leafsize: 3 }, 'UNKNOWN_NAME', 'unknown option "leafsize"'],
  ])('are refused: %o', async (options, code, message) => {
    await expect(ForestClassifier.fit(shelf, { ...options, engine })).rejects.toMatchObject({ code, message })
  })

  it('are listed where a name is none of them', () => {
    expect(() => resolveForestOptions({ leafsize: 3 } as ForestClassifierOptions)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('trees, leafSize, depth') }),
    )
  })
})
