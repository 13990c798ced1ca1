// The options of the text pipeline, their defaults and their checks.

import { EngineError, shown } from '../../errors.ts'
import { fillOptions, type OptionTable } from '../../options.ts'

/** How texts become features. */
export interface TextOptions {
  /** Name of a registered stemmer. Default 'none'. Stems help inflected languages and small data. */
  readonly stemmer?: string
  /**
   * Shortest and longest run of words that is a feature, from 1 to 8; [0, 0] for no words. Default [1, 1]. Pairs of
   * words make the token table about ten times as large and as slow to learn; `hashBits` needs no token table.
   */
  readonly wordGrams?: readonly [from: number, to: number]
  /**
   * Shortest and longest run of characters within a word that is a feature, from 1 to 16; [0, 0] for none. Default
   * [0, 0]. Runs include the ends of a word, and use the word before stemming. They tolerate misspellings, and cost several
   * features per word.
   */
  readonly charGrams?: readonly [from: number, to: number]
  /** Shortest word kept, in UTF-16 code units, from 1 to 64. Default 1. Scripts without spaces are not affected. */
  readonly minLength?: number
  /** Words to leave out, compared before stemming, ignoring case. Default none. */
  readonly stopWords?: readonly string[]
  /** Whether a feature that occurs n times counts 1 + ln n instead of n. Default true. */
  readonly sublinear?: boolean
  /**
   * How much rare features weigh, for `documents` texts of which `frequency` have the feature. 'smooth':
   * ln((1 + documents) / (1 + frequency)) + 1; 'plain': ln(documents / frequency), so 0 for a feature that all texts
   * have; 'none': 1. Default 'smooth'; 'none' for `TextPipeline.hashing`, which learns nothing.
   */
  readonly idf?: 'smooth' | 'plain' | 'none'
  /** Fewest texts a feature must be in to become a column. Default 1. */
  readonly minDocuments?: number
  /** Largest share of the texts a feature may be in to become a column, above 0, at most 1. Default 1. */
  readonly maxDocumentShare?: number
  /** The most columns to keep, those of the most frequent features; 0 for no limit. Default 0. */
  readonly maxFeatures?: number
  /** Whether each row is scaled to Euclidean length 1. Default true. */
  readonly normalize?: boolean
  /**
   * Columns are hashes of this many bits, from 1 to 24, and there is no token table: memory stays the same whatever the
   * texts, columns have no names, and features may share one. 0, the default, for a token table.
   */
  readonly hashBits?: number
  /** Whether half of the hashed features count negative, so that those sharing a column cancel out. Default false. */
  readonly hashSign?: boolean
}

/** The default options. */
export const textDefaults: Required<TextOptions> = Object.freeze({
  stemmer: 'none',
  wordGrams: Object.freeze([1, 1] as const),
  charGrams: Object.freeze([0, 0] as const),
  minLength: 1,
  stopWords: Object.freeze([]),
  sublinear: true,
  idf: 'smooth',
  minDocuments: 1,
  maxDocumentShare: 1,
  maxFeatures: 0,
  normalize: true,
  hashBits: 0,
  hashSign: false,
})

/** All options, checked, with defaults filled in. Names in `others` are allowed, and left to the caller. */
export function resolveTextOptions(options: TextOptions, others?: OptionTable): Required<TextOptions> {
  // An interface has no index signature, but its fields are options by name.
  const filled = fillOptions(textDefaults, options as Readonly<Record<string, unknown>>, others)
  const entries = Object.entries(filled).map(([name, value]) => [name, copy(value)])
  const resolved = Object.fromEntries(entries) as Required<TextOptions> // one entry a name; the values are checked next
  checkTextOptions(resolved)
  return Object.freeze(resolved)
}

// Lists are copied and frozen: the caller may change theirs later.
function copy(value: unknown): unknown {
  return Array.isArray(value) ? Object.freeze([...value]) : value
}

export const optionNames = Object.keys(textDefaults) as readonly (keyof TextOptions)[] // Object.keys forgets the names

function checkTextOptions(options: Required<TextOptions>): void {
  if (typeof options.stemmer !== 'string') refuse('stemmer', options.stemmer, 'a name')
  checkGrams('wordGrams', options.wordGrams, 8)
  checkGrams('charGrams', options.charGrams, 16)
  if (options.wordGrams[1] === 0 && options.charGrams[1] === 0) {
    throw new EngineError('INVALID_OPTION', 'wordGrams and charGrams are both [0, 0]: no features are left', {
      hint: 'Leave out wordGrams to use words, or set charGrams, for example to [3, 5].',
    })
  }
  checkWhole('minLength', options.minLength, 1, 64)
  checkWhole('minDocuments', options.minDocuments, 1, Number.MAX_SAFE_INTEGER)
  checkWhole('maxFeatures', options.maxFeatures, 0, Number.MAX_SAFE_INTEGER)
  checkWhole('hashBits', options.hashBits, 0, 24)
  const share = options.maxDocumentShare
  if (typeof share !== 'number' || !(share > 0 && share <= 1))
    refuse('maxDocumentShare', share, 'a number above 0 and at most 1')
  if (!['smooth', 'plain', 'none'].includes(options.idf)) refuse('idf', options.idf, "'smooth', 'plain' or 'none'")
  for (const name of ['sublinear', 'normalize', 'hashSign'] as const) {
    if (typeof options[name] !== 'boolean') refuse(name, options[name], 'true or false')
  }
  const { stopWords } = options
  if (!Array.isArray(stopWords) || !stopWords.every(word => typeof word === 'string')) {
    refuse('stopWords', stopWords, 'a list of words')
  }
  checkHashing(options)
}

/** Hashing keeps no counts of single features, so features cannot be chosen by them. */
function checkHashing(options: Required<TextOptions>): void {
  for (const name of ['minDocuments', 'maxDocumentShare', 'maxFeatures'] as const) {
    if (options.hashBits > 0 && options[name] !== textDefaults[name]) {
      throw new EngineError(
        'INVALID_OPTION',
        `${name} is ${shown(options[name])}, but with hashBits there is no token table`,
        {
          hint: `Leave out ${name}, or hashBits.`,
        },
      )
    }
  }
}

function checkGrams(name: string, grams: readonly [number, number], longest: number): void {
  const range = Array.isArray(grams) && grams.length === 2 && grams.every(Number.isInteger)
  const [from, to] = range ? grams : [-1, -1]
  const allowed = (from === 0 && to === 0) || (from >= 1 && from <= to && to <= longest)
  if (!allowed) refuse(name, grams, `[from, to] with 1 ≤ from ≤ to ≤ ${longest}, or [0, 0]`)
}

function checkWhole(name: string, value: number, from: number, to: number): void {
  if (Number.isInteger(value) && value >= from && value <= to) return
  refuse(
    name,
    value,
    to === Number.MAX_SAFE_INTEGER ? `a whole number of at least ${from}` : `a whole number from ${from} to ${to}`,
  )
}

function refuse(name: string, given: unknown, allowed: string): never {
  throw new EngineError('INVALID_OPTION', `${name} is ${shown(given)}, expected ${allowed}`)
}
