import { describe, expect, it } from 'vitest'
import { resolveTextOptions, type TextOptions, textDefaults } from './text-options.ts'
import { TextPipeline } from './text-pipeline.ts'

describe('resolveTextOptions', () => {
  it('gives the defaults where nothing is given', () => {
    expect(resolveTextOptions({})).toEqual(textDefaults)
  })

  it('keeps its own copy of a list', () => {
    const stopWords = ['the']
    const resolved = resolveTextOptions({ stopWords })
    stopWords.push('a')
    expect(resolved.stopWords).toEqual(['the'])
  })

  it('refuses an option that is none, wherever it is given', () => {
    const options = { stemer: 'english' } as TextOptions // callers without types may misspell
    const refused = expect.objectContaining({ code: 'UNKNOWN_NAME', message: 'unknown option "stemer"' })
    expect(() => resolveTextOptions(options)).toThrow(refused)
    expect(() => TextPipeline.fit(['sea'], options)).toThrow(refused)
    expect(() => TextPipeline.fitTransform(['sea'], options)).toThrow(refused)
    expect(() => TextPipeline.hashing(options)).toThrow(refused)
  })

  it('is not troubled by what long work takes', () => {
    const work = { signal: new AbortController().signal, onProgress: () => {} }
    expect(TextPipeline.fit(['sea'], work).options).toEqual(textDefaults)
  })

  // Wrong types come from callers without TypeScript, from the command line and from model files.
  it.each([
    [{ stemmer: 7 }, 'stemmer is 7, expected a name'],
    [{ wordGrams: [2, 1] }, 'wordGrams is [2, 1], expected [from, to] with 1 ≤ from ≤ to ≤ 8, or [0, 0]'],
    [{ wordGrams: [0, 1] }, 'wordGrams is [0, 1]'],
    [{ wordGrams: 2 }, 'wordGrams is 2'],
    [{ charGrams: [3, 17] }, 'charGrams is [3, 17], expected [from, to] with 1 ≤ from ≤ to ≤ 16, or [0, 0]'],
    [{ wordGrams: [0, 0] }, 'no features are left'],
    [{ minLength: 0 }, 'minLength is 0, expected a whole number from 1 to 64'],
    [{ minDocuments: 1.5 }, 'minDocuments is 1.5, expected a whole number of at least 1'],
    [{ maxFeatures: -1 }, 'maxFeatures is -1'],
    [{ hashBits: 25 }, 'hashBits is 25, expected a whole number from 0 to 24'],
    [{ maxDocumentShare: 0 }, 'maxDocumentShare is 0, expected a number above 0 and at most 1'],
    [{ maxDocumentShare: Number.NaN }, 'maxDocumentShare is NaN'],
    [{ idf: 'log' }, "idf is 'log', expected 'smooth', 'plain' or 'none'"],
    [{ sublinear: 1 }, 'sublinear is 1, expected true or false'],
    [{ stopWords: 'the' }, "stopWords is 'the', expected a list of words"],
    [{ stopWords: [1] }, 'stopWords is [1]'],
    [{ hashBits: 10, minDocuments: 2 }, 'minDocuments is 2, but with hashBits there is no token table'],
    [{ hashBits: 10, maxFeatures: 5 }, 'maxFeatures is 5, but with hashBits'],
  ])('refuses %j', (options, message) => {
    expect(() => resolveTextOptions(options as TextOptions)).toThrow(
      expect.objectContaining({ code: 'INVALID_OPTION' }),
    )
    expect(() => resolveTextOptions(options as TextOptions)).toThrow(message)
  })
})
