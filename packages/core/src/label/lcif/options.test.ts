import { describe, expect, it } from 'vitest'
import { type LcifOptions, lcifDefaults, resolveLcifOptions } from './options.ts'

describe('resolveLcifOptions', () => {
  it('fills in the defaults, also for options that are there but undefined', () => {
    expect(resolveLcifOptions({})).toEqual(lcifDefaults)
    const given = { neighbors: 7, mix: undefined, threads: 2 } as object // as a command would pass it on
    expect(resolveLcifOptions(given)).toEqual({ ...lcifDefaults, neighbors: 7 })
  })

  it('gives options that nobody can change', () => {
    const text = { minLength: 2 }
    const options = resolveLcifOptions({ text })
    text.minLength = 9
    expect(options.text.minLength).toBe(2)
    expect(Object.isFrozen(options) && Object.isFrozen(options.text)).toBe(true)
  })

  it.each<[Record<string, unknown>, string, string]>([
    [{ neighbours: 5 }, 'UNKNOWN_NAME', 'unknown option "neighbours"'],
    [{ method: 'knn' }, 'UNKNOWN_NAME', "method is 'knn', expected one of lcif, instance, feature"],
    [{ weighting: 'bm25' }, 'UNKNOWN_NAME', "weighting is 'bm25', expected one of none, idf, chi2, learned, auto"],
    [{ threshold: 'best' }, 'UNKNOWN_NAME', "threshold is 'best', expected one of cardinality, steps, priors, f1"],
    [{ threshold: 2 }, 'INVALID_OPTION', 'threshold is 2, expected a number from 0 to 1, or a way to choose it'],
    [{ neighbors: 0 }, 'INVALID_OPTION', 'neighbors is 0, expected a whole number from 1 to 10000'],
    [{ neighbors: 1.5 }, 'INVALID_OPTION', 'neighbors is 1.5, expected a whole number from 1 to 10000'],
    [
      { neighborPower: -1 },
      'INVALID_OPTION',
      "neighborPower is -1, expected a number above 0 and at most 100 or 'learned'",
    ],
    [{ featurePower: '2' }, 'INVALID_OPTION', "featurePower is '2', expected a number above 0 and at most 100"],
    [{ mix: Number.NaN }, 'INVALID_OPTION', 'mix is NaN, expected a number from 0 to 1'],
    [{ featureShare: 0 }, 'INVALID_OPTION', 'featureShare is 0, expected a number above 0 and at most 1'],
    [{ thresholdFactor: 0 }, 'INVALID_OPTION', 'thresholdFactor is 0, expected a number above 0 and at most 100'],
    [{ keepTexts: 'yes' }, 'INVALID_OPTION', "keepTexts is 'yes', expected true or false"],
    [{ text: 'words' }, 'INVALID_OPTION', "text is 'words', expected an object of text options"],
  ])('refuses %o', (options, code, message) => {
    expect(() => resolveLcifOptions(options)).toThrow(expect.objectContaining({ code, message }))
  })

  it('lists the known options', () => {
    expect(() => resolveLcifOptions({ k: 5 } as LcifOptions)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('neighbors, neighborPower') }),
    )
  })
})
