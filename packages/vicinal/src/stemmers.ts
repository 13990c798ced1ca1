// The Snowball stemmers, registered when this file is imported. The library behind them is nearly a megabyte of
// CommonJS without types: it is loaded when the first word is stemmed, and only what is typed here is used.

import { createRequire } from 'node:module'
import { registerStemmer, type Stemmer } from '@vicinal/core'

interface Snowball {
  newStemmer(language: string): { stem(word: string): string }
}

/** The languages that have a stemmer; 'porter' is the older one for English. */
export const stemmerLanguages: readonly string[] = Object.freeze([
  'arabic',
  'armenian',
  'basque',
  'catalan',
  'czech',
  'danish',
  'dutch',
  'english',
  'finnish',
  'french',
  'german',
  'hungarian',
  'irish',
  'italian',
  'norwegian',
  'porter',
  'portuguese',
  'romanian',
  'russian',
  'slovene',
  'spanish',
  'swedish',
  'tamil',
  'turkish',
])

for (const language of stemmerLanguages) registerStemmer(snowballStemmer(language))

function snowballStemmer(name: string): Stemmer {
  let loaded: Pick<Stemmer, 'stem'> | undefined
  return {
    name,
    stem(word) {
      loaded ??= loadSnowball().newStemmer(name)
      return loaded.stem(word)
    },
  }
}

// `require` instead of `import`: stemmers are synchronous.
function loadSnowball(): Snowball {
  return createRequire(import.meta.url)('snowball-stemmers') as Snowball // the library has no types
}
