import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { resolveTextOptions, type TextOptions } from './text-options.ts'
import { TextPipeline } from './text-pipeline.ts'
import { Tokenizer } from './tokenizer.ts'

const titles = ['sea and sky', 'the sea', 'Sea, sea, SEA!']

/** A row as { feature: weight }. */
function named(pipeline: TextPipeline, row: SparseRow): Record<string, number> {
  return Object.fromEntries(Array.from(row.indices, (column, e) => [pipeline.featureName(column), row.values[e]]))
}

const word = fc.constantFrom('sea', 'Sky', 'the', 'and', 'fish', 'é', 'e\u0301', '海', '海岸線', '7', '!', '😀')
const text = fc.array(word, { maxLength: 12 }).map(words => words.join(' '))
// The first text has a word, so there is always a column.
const texts = fc.array(text, { maxLength: 8 }).map(list => ['sea', ...list])
const options: fc.Arbitrary<TextOptions> = fc.record(
  {
    wordGrams: fc.constantFrom([1, 1] as const, [1, 2] as const),
    charGrams: fc.constantFrom([0, 0] as const, [2, 3] as const),
    sublinear: fc.boolean(),
    idf: fc.constantFrom('smooth' as const, 'plain' as const, 'none' as const),
    normalize: fc.boolean(),
    hashBits: fc.constantFrom(0, 3, 12),
    hashSign: fc.boolean(),
  },
  { requiredKeys: [] },
)

describe('TextPipeline.fitInTurns', () => {
  const many = Array.from({ length: 30_000 }, (_, i) => `words ${i} of text number ${i % 700} and ${i % 13}`)

  it('gives what fitTransform gives', async () => {
    const [turns, once] = [await TextPipeline.fitInTurns(many), TextPipeline.fitTransform(many)]
    expect(turns.features).toEqual(once.features)
    expect(turns.pipeline.state()).toEqual(once.pipeline.state())
  })

  it('hears a signal that fires while it reads', async () => {
    const stop = new AbortController()
    setImmediate(() => stop.abort())
    const told: number[] = []
    const work = { signal: stop.signal, onProgress: ({ done }: { done: number }) => told.push(done) }
    await expect(TextPipeline.fitInTurns(many, work)).rejects.toMatchObject({ code: 'ABORTED' })
    expect(told.length).toBeLessThan(3)
  })
})

describe('TextPipeline.fit', () => {
  it('orders the columns by code units', () => {
    expect(TextPipeline.fit(['b Z a é 海', 'a 10 9']).featureNames()).toEqual(['10', '9', 'a', 'b', 'z', 'é', '海'])
  })

  it('weighs by the smooth idf and the logarithm of the count', () => {
    const pipeline = TextPipeline.fit(titles, { normalize: false })
    const row = named(pipeline, pipeline.transform('sea sea sky unknown'))
    expect(Object.keys(row)).toEqual(['sea', 'sky'])
    expect(row.sea).toBeCloseTo(1 + Math.log(2), 6) // in 3 of 3 texts: ln(4 / 4) + 1 = 1
    expect(row.sky).toBeCloseTo(Math.log(4 / 2) + 1, 6)
  })

  it('weighs by the plain idf, and leaves out what all texts have', () => {
    const pipeline = TextPipeline.fit(titles, { idf: 'plain', sublinear: false, normalize: false })
    expect(named(pipeline, pipeline.transform('sky sky sea'))).toEqual({
      sky: Math.fround(2 * Math.fround(Math.log(3))),
    })
  })

  it('scales rows to length 1', () => {
    const pipeline = TextPipeline.fit(['a b'], { idf: 'none', sublinear: false })
    expect([...pipeline.transform('a a a b b b b').values]).toEqual([Math.fround(0.6), Math.fround(0.8)])
  })

  it('chooses columns by the number of texts they are in', () => {
    const corpus = ['a b c', 'a b', 'a d', 'a d']
    expect(TextPipeline.fit(corpus, { minDocuments: 2 }).featureNames()).toEqual(['a', 'b', 'd'])
    expect(TextPipeline.fit(corpus, { maxDocumentShare: 0.5 }).featureNames()).toEqual(['b', 'c', 'd'])
    expect(TextPipeline.fit(corpus, { maxFeatures: 2 }).featureNames()).toEqual(['a', 'b'])
    expect(TextPipeline.fit(corpus, { maxFeatures: 9 }).columns).toBe(4)
  })

  it('leaves features that became no column out of the rows it fits', () => {
    const { pipeline, features } = TextPipeline.fitTransform(['a b', 'c a', 'd'], { minDocuments: 2 })
    expect(pipeline.featureNames()).toEqual(['a'])
    expect([...features.offsets]).toEqual([0, 1, 2, 2])
  })

  it('refuses no texts, texts without features, and what is no text', () => {
    expect(() => TextPipeline.fit([])).toThrow(expect.objectContaining({ code: 'EMPTY_DATA' }))
    expect(() => TextPipeline.fit(['', '😀'])).toThrow(/none of the 0 features of 2 texts/)
    expect(() => TextPipeline.fit(['a', 'b'], { minDocuments: 2 })).toThrow(/none of the 2 features of 2 texts/)
    const mixed = ['a', null] as string[] // what a caller without TypeScript may give
    expect(() => TextPipeline.fit(mixed)).toThrow(/text 1 is null, expected a string/)
  })

  it('stops at the signal', () => {
    const signal = AbortSignal.abort()
    expect(() => TextPipeline.fit(titles, { signal })).toThrow(expect.objectContaining({ code: 'ABORTED' }))
  })
})

describe('TextPipeline.hashing', () => {
  it('works from the first text on, without names', () => {
    const pipeline = TextPipeline.hashing()
    expect(pipeline.columns).toBe(2 ** 20)
    expect(pipeline.transform('sea and sky').indices).toHaveLength(3)
    expect(pipeline.featureNames()).toBeUndefined()
    expect(pipeline.featureName(0)).toBeUndefined()
  })

  it('leaves out a column whose features cancel out', () => {
    const letters = [...'abcdefghijklmnopqrstuvwxyz']
    const pipeline = TextPipeline.hashing({ hashBits: 1, hashSign: true, sublinear: false, normalize: false })
    const [value] = pipeline.transform('a').values
    const opposite = letters.find(other => {
      const row = pipeline.transform(other)
      return row.indices[0] === pipeline.transform('a').indices[0] && row.values[0] === -value
    })
    expect(pipeline.transform(`a ${opposite}`).indices).toHaveLength(0)
  })

  it('refuses what must be learned from texts', () => {
    expect(() => TextPipeline.hashing({ idf: 'smooth' })).toThrow(/idf is 'smooth', expected 'none'/)
    expect(() => TextPipeline.hashing({ hashBits: 0 })).toThrow(/hashBits is 0, expected 1 to 24/)
  })

  it('takes idf where it is fitted', () => {
    const pipeline = TextPipeline.fit(titles, { hashBits: 20, normalize: false })
    const weights = (given: string): number[] => [...pipeline.transform(given).values]
    expect(weights('sea')).toEqual([1])
    expect(weights('sky')).toEqual([Math.fround(Math.log(4 / 2) + 1)])
    expect(weights('unknown')).toEqual([Math.fround(Math.log(4) + 1)])
  })
})

describe('any TextPipeline', () => {
  it('gives an empty row for empty text, emoji and unknown words', () => {
    const pipeline = TextPipeline.fit(titles)
    for (const given of ['', '😀', 'zzz']) expect(pipeline.transform(given).indices).toHaveLength(0)
    expect(pipeline.transformBatch([]).rows).toBe(0)
  })

  it('gives the fitted texts the rows that transform gives them', () => {
    fc.assert(
      fc.property(texts, options, (corpus, chosen) => {
        const { pipeline, features } = TextPipeline.fitTransform(corpus, chosen)
        const fitted = TextPipeline.fit(corpus, chosen)
        expect(fitted.state()).toEqual(pipeline.state())
        corpus.forEach((given, i) => {
          expect(fitted.transform(given)).toEqual(features.row(i))
        })
      }),
    )
  })

  it('has rows of length 1, or no entries', () => {
    fc.assert(
      fc.property(texts, options, (corpus, chosen) => {
        const { features } = TextPipeline.fitTransform(corpus, { ...chosen, normalize: true })
        for (let i = 0; i < features.rows; i++) {
          const { values } = features.row(i)
          if (values.length > 0) expect(Math.hypot(...values)).toBeCloseTo(1, 5)
        }
      }),
    )
  })

  it('gives the same columns and weights for the texts in any order', () => {
    fc.assert(
      fc.property(texts, options, fc.nat(), (corpus, chosen, by) => {
        const turned = [...corpus.slice(by % corpus.length), ...corpus.slice(0, by % corpus.length)].reverse()
        expect(TextPipeline.fit(turned, chosen).state()).toEqual(TextPipeline.fit(corpus, chosen).state())
      }),
    )
  })

  it('answers the same after its state was stored and loaded', () => {
    fc.assert(
      fc.property(texts, options, text, (corpus, chosen, query) => {
        const pipeline = TextPipeline.fit(corpus, chosen)
        const loaded = TextPipeline.fromState(JSON.parse(JSON.stringify(pipeline.state())))
        expect(loaded.state()).toEqual(pipeline.state())
        expect(loaded.transformBatch([...corpus, query])).toEqual(pipeline.transformBatch([...corpus, query]))
      }),
    )
  })

  it('agrees with tf-idf written plainly', () => {
    fc.assert(
      fc.property(texts, options, (corpus, chosen) => {
        const { pipeline, features } = TextPipeline.fitTransform(corpus, { ...chosen, hashBits: 0 })
        const expected = plainTfIdf(corpus, chosen)
        corpus.forEach((_, i) => {
          const row = named(pipeline, features.row(i))
          expect(Object.keys(row).sort()).toEqual([...expected[i].keys()].sort())
          for (const [feature, weight] of expected[i]) expect(row[feature]).toBeCloseTo(weight, 5)
        })
      }),
    )
  })
})

/** One Map of feature to weight a text, without zeros. */
function plainTfIdf(corpus: readonly string[], chosen: TextOptions): Map<string, number>[] {
  const { sublinear, idf, normalize, ...rest } = resolveTextOptions(chosen)
  const tokenizer = new Tokenizer(rest)
  const documents = corpus.map(given => tokenizer.features(given))
  const rarity = (feature: string): number => {
    const frequency = documents.filter(document => document.includes(feature)).length
    if (idf === 'smooth') return Math.log((1 + corpus.length) / (1 + frequency)) + 1
    return idf === 'plain' ? Math.log(corpus.length / frequency) : 1
  }
  return documents.map(document => {
    const weights = new Map<string, number>()
    for (const feature of document) {
      const count = document.filter(other => other === feature).length
      const weight = (sublinear ? 1 + Math.log(count) : count) * rarity(feature)
      if (weight !== 0) weights.set(feature, weight)
    }
    const length = normalize ? Math.hypot(...weights.values()) : 1
    return new Map([...weights].map(([feature, weight]) => [feature, weight / length]))
  })
}
