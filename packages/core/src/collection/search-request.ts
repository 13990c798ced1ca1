// The options of a search, and their checks.

import { EngineError, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { DenseVector } from '../matrix/given-vector.ts'
import {
  checkedLater,
  checkHolder,
  checkNumber,
  checkOptions,
  checkSignal,
  checkText,
  checkTexts,
  checkWhole,
  checkWord,
  optionTable,
  refuse,
} from '../options.ts'
import { checkK } from '../search/neighbor.ts'
import type { WebSignal } from '../web-types.ts'
import { checkBoosts } from './collection-options.ts'
import type { StoredDocument } from './document.ts'
import { checkMetadataFilter, type MetadataFilter } from './filters/metadata-filter.ts'
import { type FusionName, type FusionWeights, fusionNames } from './fusion.ts'
import type { MatchedWord } from './text/text-index.ts'

/** What to search for: a text, a vector, both, or a stored document to find others like it. */
export interface CollectionQuery<Metadata extends object> {
  /** Words to look for. With `embed`, and no vector, its vector is searched for as well. */
  readonly text?: string | undefined
  readonly vector?: DenseVector | undefined
  /** The id of a stored document: finds similar documents, by its text and vector, without itself. */
  readonly like?: Id | undefined
  /** Which documents may be returned. Default: all. */
  readonly filter?: MetadataFilter<Metadata> | undefined
  /** How many documents. Default 10. */
  readonly k?: number | undefined
  /** How many of the best to skip, for the next page. Default 0. */
  readonly offset?: number | undefined
  /**
   * The text fields to search: a list, or weights such as { title: 3 }. A name that no document ever had is refused. Default: all, weighted
   * by `boosts`.
   */
  readonly fields?: readonly string[] | Readonly<Record<string, number>> | undefined
  /**
   * Match words that begin with the query's words, at a lower weight: for the last word ('last', for search as you type) or for all.
   * Default false.
   */
  readonly prefix?: boolean | 'last' | undefined
  /**
   * Match words with typos, at a lower weight: one edit in words of 4 to 7 letters, two in longer ones. The first letter must match.
   * Default false.
   */
  readonly typos?: boolean | undefined
  /**
   * How to fuse words and vectors: by scores, each in standard deviations above the floor of its ranking, or by ranks. Default 'scores'.
   */
  readonly fusion?: FusionName | undefined
  /** Weights of words and vectors, from 0. Default { text: 1, vector: 1 }. */
  readonly weights?: FusionWeights | undefined
  /** Stops `embed`. */
  readonly signal?: WebSignal | undefined
}

/** Why a document was found. */
export interface Because {
  /** The matching words, by how much they add to the score. */
  readonly words?: readonly MatchedWord[]
  /** Its ranks, from 1, by words and by vectors, if both were searched. */
  readonly textRank?: number
  readonly vectorRank?: number
}

/** A document that was found. */
export interface CollectionHit<Metadata extends object> {
  readonly id: string | number
  /**
   * Larger is better. BM25 for words; 1 − distance for 'cosine', −distance for 'dot', 1 / (1 + distance) for 'euclidean'; fused for both.
   */
  readonly score: number
  /** Distance from the query vector, if vectors were compared and the document is among the nearest. */
  readonly distance?: number
  readonly document: StoredDocument<Metadata>
  readonly because?: Because
}

const queryOptions = optionTable<CollectionQuery<object>>({
  text: checkText,
  vector: checkedLater,
  like: checkedLater,
  filter: checkMetadataFilter,
  k: checkedLater,
  offset: (name, value) => checkWhole(name, value, 0, 2 ** 32 - 1),
  fields: (name, value) => (Array.isArray(value) ? checkTexts(name, value) : checkBoosts(name, value)),
  prefix: (name, value) => {
    if (typeof value !== 'boolean' && value !== 'last') refuse(name, value, "true, false or 'last'")
  },
  typos: (name, value) => {
    if (typeof value !== 'boolean') refuse(name, value, 'true or false')
  },
  fusion: (name, value) => checkWord(name, value, fusionNames),
  weights: checkWeights,
  signal: checkSignal,
})

export function checkQuery<Metadata extends object>(query: CollectionQuery<Metadata>): void {
  if (typeof query === 'string') {
    throw new EngineError('INVALID_OPTION', `your search is ${shown(query)}, expected an object`, {
      hint: 'Write search({ text: "…" }).',
    })
  }
  checkHolder(query)
  checkOptions(query, queryOptions)
  if (query.k !== undefined) checkK(query.k)
  const { text, vector, like } = query
  if (text === undefined && vector === undefined && like === undefined) {
    throw new EngineError('INVALID_OPTION', 'your search has no text, vector or like', {
      hint: 'Say what to search for, or call list({ filter }) for all that pass.',
    })
  }
  if (like !== undefined && (text !== undefined || vector !== undefined)) {
    throw new EngineError('INVALID_OPTION', `your search has like and ${text === undefined ? 'vector' : 'text'}`, {
      hint: 'Give like alone, with a filter if you want one.',
    })
  }
}

const weightOptions = optionTable<FusionWeights>({ text: checkWeight, vector: checkWeight })

function checkWeights(_: string, value: unknown): void {
  checkHolder(value)
  checkOptions(value as object, weightOptions) // an object: checked
}

function checkWeight(name: string, value: unknown): void {
  checkNumber(`weights.${name}`, value, weight => weight >= 0 && weight <= 1e6, 'a number from 0 to 1,000,000')
}
