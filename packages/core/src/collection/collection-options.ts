// The options of a collection, and their checks.

import { findStemmer } from '../data/text/stemmer.ts'
import { resolveTextOptions } from '../data/text/text-options.ts'
import type { Id } from '../ids/id.ts'
import { checkEngine, type Engine } from '../kernels/engine.ts'
import { checkMetric } from '../matrix/dense-checks.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import {
  type Check,
  checkFunction,
  checkHolder,
  checkNumber,
  checkRange,
  checkSignal,
  checkWhole,
  fillOptions,
  optionTable,
  refuse,
} from '../options.ts'
import { type ForestOptions, forestSettings } from '../search/forest/options.ts'
import type { WebSignal } from '../web-types.ts'
import type { StoredDocument } from './document.ts'
import type { Embed } from './embedder.ts'

/** Options that are stored with a collection. */
export interface CollectionShape {
  /** Weights of fields, such as { title: 3 }. Default 1 for each field; `text` is a field, too. */
  readonly boosts?: Readonly<Record<string, number>>
  /** Name of a registered stemmer: words count as the same if their stems are. Default 'none'. */
  readonly stemmer?: string
  /** Words to ignore in texts and queries. Default none: BM25 gives frequent words little weight anyway. */
  readonly stopWords?: readonly string[]
  /** Shortest word kept, from 1 to 64. Default 1. */
  readonly minLength?: number
  /** BM25's k1, from 0 to 10: the lower, the sooner repeats of a word stop adding to the score. Default 1.2. */
  readonly k1?: number
  /** BM25's b, from 0 (none) to 1 (full): how much the scores of long texts are reduced. Default 0.75. */
  readonly b?: number
  /** How vectors are compared. Default 'cosine'. */
  readonly metric?: DenseMetric
  /**
   * Number of vectors from which on a forest searches them instead of comparing all: faster, but approximate. `false`: never. Default: when
   * comparing takes a few milliseconds (2²⁴ numbers, such as 44,000 vectors of 384).
   */
  readonly forestFrom?: number | false | undefined
  /** Options of that forest: see `ForestOptions`. Default { maxTuningSeconds: 60 }: recall 0.95 of the 10 nearest. */
  readonly forest?: ForestOptions
  /** Texts per call of `embed`, from 1 to 4096. Default 32. */
  readonly embedBatch?: number
  /** How often to retry a failed call of `embed`, from 0 to 10. Default 2. */
  readonly embedRetries?: number
}

/** What a collection needs but a file cannot store: functions and the engine. */
export interface CollectionPlace {
  /** Turns texts into vectors, for documents and queries without a vector. Default: none. */
  readonly embed?: Embed
  /** Called right after a document is stored or removed, for example to log changes. Default: none. */
  readonly onChange?: (change: CollectionChange) => void
  /** The engine whose memory holds the model. Default: the shared engine. */
  readonly engine?: Engine
}

/** Options of `Collection.load` and `fromBytes`. */
export interface CollectionLoadOptions extends CollectionPlace {
  /** Stops the loading. */
  readonly signal?: WebSignal | undefined
}

/** A document that was stored, with its vector, or the id of one that was removed. */
export type CollectionChange =
  | { readonly do: 'upsert'; readonly document: StoredDocument; readonly vector?: Float32Array }
  | { readonly do: 'remove'; readonly id: Id }

/** Options of `Collection.create`. */
export interface CollectionOptions extends CollectionShape, CollectionPlace {}

/** All of `CollectionShape`, validated. */
export type CollectionSettings = Required<CollectionShape>

/** The defaults of `CollectionShape`. */
export const collectionDefaults: CollectionSettings = Object.freeze({
  boosts: Object.freeze({}),
  stemmer: 'none',
  stopWords: Object.freeze([]),
  minLength: 1,
  k1: 1.2,
  b: 0.75,
  metric: 'cosine',
  forestFrom: undefined,
  forest: Object.freeze({ maxTuningSeconds: 60 }),
  embedBatch: 32,
  embedRetries: 2,
})

const placeChecks = { embed: checkFunction, onChange: checkFunction, engine: checkEngine }
export const collectionPlaceOptions = optionTable<CollectionPlace>(placeChecks)
export const collectionLoadOptions = optionTable<CollectionLoadOptions>({ ...placeChecks, signal: checkSignal })

/** The shape that options give. */
export function resolveCollectionOptions(options: CollectionOptions): CollectionSettings {
  // An interface has no index signature, but its fields are options by name.
  const filled = fillOptions(collectionDefaults, options as Readonly<Record<string, unknown>>, collectionPlaceOptions)
  checkBoosts('boosts', filled.boosts)
  const { stemmer, stopWords, minLength } = resolveTextOptions(filledText(filled))
  findStemmer(stemmer)
  checkRange('k1', filled.k1, 10)
  checkRange('b', filled.b, 1)
  checkMetric(filled.metric)
  if (filled.forestFrom !== undefined && filled.forestFrom !== false) {
    checkWhole('forestFrom', filled.forestFrom, 1, 2 ** 32 - 1)
  }
  checkHolder(filled.forest)
  const { keep } = forestSettings(filled.forest)
  if (keep !== 'rows') refuse('forest.keep', keep, "'rows': a collection gives vectors back")
  checkWhole('embedBatch', filled.embedBatch, 1, 4096)
  checkWhole('embedRetries', filled.embedRetries, 0, 10)
  const boosts = Object.freeze({ ...filled.boosts })
  return Object.freeze({
    ...filled,
    stemmer,
    stopWords,
    minLength,
    boosts,
    forest: Object.freeze({ ...filled.forest }),
  })
}

function filledText({ stemmer, stopWords, minLength }: CollectionSettings) {
  return { stemmer, stopWords, minLength }
}

/** Weights of fields by name. */
export const checkBoosts: Check = (name, value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    refuse(name, value, 'an object of numbers, such as { title: 3 }')
  }
  for (const [field, boost] of Object.entries(value)) {
    const isBoost = (number: number) => number >= 0 && number <= 1e6
    checkNumber(`${name}.${field}`, boost, isBoost, 'a number from 0 to 1,000,000')
  }
}
