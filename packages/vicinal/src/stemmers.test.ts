import { createRequire } from 'node:module'
import { TextPipeline } from '@vicinal/core'
import { findStemmer } from '@vicinal/core/internals'
import { describe, expect, it } from 'vitest'
import { stemmerLanguages } from './stemmers.ts'

describe('the Snowball stemmers', () => {
  it('are all those of the library', () => {
    const { algorithms } = createRequire(import.meta.url)('snowball-stemmers') as { algorithms(): string[] } // untyped
    expect(stemmerLanguages).toEqual(algorithms().sort())
  })

  it.each([
    ['english', 'universities', 'univers'],
    ['finnish', 'talossanikin', 'talo'],
    ['german', 'häuser', 'haus'],
    ['russian', 'катастрофами', 'катастроф'],
  ])('cut words in %s', (language, word, stem) => {
    expect(findStemmer(language).stem(word)).toBe(stem)
  })

  it('give inflected words one column', () => {
    const pipeline = TextPipeline.fit(['Running cats', 'cat runs'], { stemmer: 'english' })
    expect(pipeline.featureNames()).toEqual(['cat', 'run'])
  })
})
