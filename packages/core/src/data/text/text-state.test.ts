import { describe, expect, it } from 'vitest'
import { textDefaults } from './text-options.ts'
import { TextPipeline } from './text-pipeline.ts'

const good = { version: 1, options: textDefaults, features: ['sea', 'sky'], idf: [1, 1.5] }

function codeOf(state: unknown): unknown {
  try {
    TextPipeline.fromState(state)
  } catch (error) {
    return (error as { code?: unknown }).code // an EngineError has one; anything else shows as undefined
  }
  return 'loaded'
}

describe('the state of a TextPipeline', () => {
  it('is written in this form, which stored models depend on', () => {
    const pipeline = TextPipeline.fit(['sea sky', 'sea'], { idf: 'smooth' })
    // ln(3 / 2) + 1 = 1.405465108…, as a 32-bit float in nine digits
    expect(pipeline.state()).toEqual({
      version: 1,
      options: textDefaults,
      features: ['sea', 'sky'],
      idf: [1, 1.40546513],
    })
  })

  it('is loaded where it is whole', () => {
    const pipeline = TextPipeline.fromState(good)
    expect(pipeline.featureNames()).toEqual(['sea', 'sky'])
    expect(pipeline.columns).toBe(2)
  })

  it.each([
    ['no object', null],
    ['a text', 'state'],
    ['no version', { ...good, version: undefined }],
    ['no options', { ...good, options: undefined }],
    ['a missing option', { ...good, options: { ...textDefaults, idf: undefined } }],
    ['an option that is none', { ...good, options: { ...textDefaults, stemer: 'none' } }],
    ['an option out of range', { ...good, options: { ...textDefaults, minLength: 0 } }],
    ['a stop word of two words', { ...good, options: { ...textDefaults, stopWords: ['a b'] } }],
    ['no features', { ...good, features: undefined }],
    ['a feature that is no string', { ...good, features: ['sea', 1] }],
    ['features out of order', { ...good, features: ['sky', 'sea'] }],
    ['a feature twice', { ...good, features: ['sea', 'sea'] }],
    ['too few weights', { ...good, idf: [1] }],
    ['a negative weight', { ...good, idf: [1, -1] }],
    ['a weight beyond 32 bits', { ...good, idf: [1, 1e39] }],
    ['a weight that is no number', { ...good, idf: [1, null] }],
  ])('is refused as damaged: %s', (_, state) => {
    expect(codeOf(state)).toBe('MODEL_DAMAGED')
  })

  it('of a newer version is refused as such', () => {
    expect(codeOf({ ...good, version: 2 })).toBe('FORMAT_TOO_NEW')
  })

  it('with a stemmer that is not there asks for it', () => {
    expect(codeOf({ ...good, options: { ...textDefaults, stemmer: 'klingon' } })).toBe('UNKNOWN_NAME')
  })
})
