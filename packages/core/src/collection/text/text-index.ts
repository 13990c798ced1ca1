// An inverted index that starts empty and grows: every field has its words, every word its posting list, and BM25 ranks rows exactly. It
// knows rows and texts, and neither documents nor ids.

import { Tokenizer } from '../../data/text/tokenizer.ts'
import type { Engine } from '../../kernels/engine.ts'
import { blockPostings } from '../../kernels/generated/blocks/text.ts'
import type { RowMask } from '../../search/query-block.ts'
import type { Renumbering } from '../renumbering.ts'
import { type Bm25, denominator, inverseFrequency } from './bm25.ts'
import { expandWord, type Forgiveness } from './expansion.ts'
import { type FieldLists, listCost, type WordCounts } from './field-lists.ts'
import type { PostingPool } from './posting-pool.ts'
import { type QueryList, type ScoredRows, TextBuffers, type TextQuestion } from './text-buffers.ts'
import { type CountedTexts, TextLists } from './text-lists.ts'
import { TextRepack } from './text-repack.ts'

/** What shapes a text index. */
export interface TextSettings extends Bm25 {
  readonly stemmer: string
  readonly stopWords: readonly string[]
  readonly minLength: number
}

/** The texts of one document by field. */
export type FieldTexts = Readonly<Record<string, string>>
/** What each field counts. */
export type Boosts = Readonly<Record<string, number>>

/** How each word is matched. */
export interface WordQuery extends Forgiveness {
  /** The fields to search, and their weights. */
  readonly boosts: Boosts
}

/** A word that matched. */
export interface MatchedWord {
  /** As in the query, stemmed. */
  readonly asked: string
  /** As in the document, stemmed. */
  readonly word: string
  readonly field: string
  /** What it adds to the score. */
  readonly score: number
}

/** A list with the words it represents. */
export interface AskedList extends QueryList, Omit<MatchedWord, 'score'> {}

/** Which rows may be returned: those of the mask, or the listed ones. */
export interface VisibleRows {
  readonly mask?: RowMask
  readonly listed?: Uint32Array | undefined
  readonly exhaustive?: boolean | undefined
}

/** Number of most characteristic words of a document to search for: more cost time and add little. */
const mostTelling = 25

export class TextIndex {
  readonly #engine: Engine
  readonly #settings: TextSettings
  readonly #tokenizer: Tokenizer
  readonly #buffers: TextBuffers
  #lists: TextLists
  #repack: TextRepack | undefined

  constructor(engine: Engine, settings: TextSettings) {
    this.#engine = engine
    this.#settings = settings
    const { stemmer, stopWords, minLength } = settings
    const words = { wordGrams: [1, 1], charGrams: [0, 0], emoji: true } as const
    this.#tokenizer = new Tokenizer({ stemmer, stopWords, minLength, ...words })
    this.#lists = new TextLists(engine.arena)
    this.#buffers = new TextBuffers(engine)
  }

  /** All fields that documents ever had, in the order of first use. */
  get fields(): ReadonlyMap<string, FieldLists> {
    return this.#lists.fields
  }

  get pool(): PostingPool {
    return this.#lists.pool
  }

  /**
   * Splits texts into words and allocates room for a row, which must be above all earlier ones. Only this step can fail; nothing has
   * changed then.
   */
  prepare(row: number, texts: FieldTexts): CountedTexts {
    const counted = this.#countAll(texts)
    this.#lists.reserve(row, counted)
    return counted
  }

  /** Adds the row that was prepared. */
  add(row: number, texts: CountedTexts): void {
    this.#lists.add(row, texts)
    this.#repack?.added(row, texts)
  }

  /** Pass the texts that the row was added with. The caller must hide the row until holes are closed. */
  remove(texts: FieldTexts): void {
    const counted = this.#countAll(texts)
    this.#lists.remove(counted)
    this.#repack?.removed(counted)
  }

  /** Begins to close the holes. Searches see the lists as they are, and rows by their old numbers, until `stepRepack` is done. */
  beginRepack(rows: Renumbering, stepPostings: number): void {
    this.abandonRepack()
    this.#repack = new TextRepack(this.#engine.arena, this.#lists, rows, stepPostings)
  }

  /** Returns whether it is done: rows have their new numbers then. If memory runs out, abandon it. */
  stepRepack(): boolean {
    if (!this.#repack?.step()) return false
    this.#lists.free()
    this.#lists = this.#repack.lists
    this.#repack = undefined
    return true
  }

  /** About how many steps a repack takes. */
  repackSteps(stepPostings: number): number {
    let lists = 0
    for (const field of this.fields.values()) lists += field.lists.size
    return Math.ceil((2 * this.pool.end + listCost * lists) / stepPostings)
  }

  abandonRepack(): void {
    this.#repack?.free()
    this.#repack = undefined
  }

  /** The field with that name, created if it is new. */
  field(name: string): FieldLists {
    return this.#lists.field(name)
  }

  /** Sets the number of rows, after fields were restored. */
  restored(rows: number): void {
    this.#lists.restored(rows)
  }

  /** The posting lists of a query text. */
  listsFor(text: string, how: WordQuery): AskedList[] {
    const counts = [...this.#count(text)]
    return counts.flatMap(([asked, count], i) => {
      return Object.entries(how.boosts).flatMap(([name, boost]) => {
        const field = this.fields.get(name)
        if (!field || boost === 0) return []
        const expanded = expandWord(field, asked, how, i === counts.length - 1)
        // A rare spelling must not outweigh the query's own word.
        const most = field.find(asked) ? this.#idf(field, asked) : Number.POSITIVE_INFINITY
        return expanded.map(({ word, closeness }) => {
          const idf = Math.min(most, this.#idf(field, word))
          return { asked, word, field: name, ...this.#listOf(field, word, boost * count * closeness * idf) }
        })
      })
    })
  }

  /** The lists of a document's most characteristic words: frequent in it, rare elsewhere. */
  listsLike(texts: FieldTexts, boosts: Boosts): AskedList[] {
    const telling = Object.entries(texts).flatMap(([name, text]) => {
      const [field, boost] = [this.fields.get(name), boosts[name] ?? 0]
      if (!field || boost === 0) return []
      return Array.from(this.#count(text), ([word, count]) => {
        const idf = this.#idf(field, word)
        return {
          asked: word,
          word,
          field: name,
          tells: boost * idf * Math.log1p(count),
          ...this.#listOf(field, word, boost * idf),
        }
      })
    })
    return telling.sort((a, b) => b.tells - a.tells || (a.word < b.word ? -1 : 1)).slice(0, mostTelling)
  }

  /** The k best rows by the sum of what the lists add, best first, ties by row. */
  search(lists: readonly AskedList[], k: number, visible: VisibleRows): ScoredRows {
    if (lists.length === 0 || k === 0) return { rows: new Uint32Array(0), scores: new Float32Array(0) }
    return this.#buffers.search(this.pool, this.#question(lists, k, visible))
  }

  /** The words that match each row, by how much they add. */
  matches(lists: readonly AskedList[], rows: Uint32Array): MatchedWord[][] {
    if (lists.length === 0) return Array.from(rows, () => [])
    const parts = this.#buffers.matches(this.pool, this.#question(lists, 1, {}), rows)
    return Array.from(rows, (_, i) => {
      const own = parts.subarray(i * lists.length, (i + 1) * lists.length)
      return lists
        .map(({ asked, word, field }, list) => ({ asked, word, field, score: own[list] }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
    })
  }

  #question(lists: readonly AskedList[], k: number, visible: VisibleRows): TextQuestion {
    return { lists, rows: this.#lists.rows, k, ...visible }
  }

  #idf(field: FieldLists, word: string): number {
    return inverseFrequency(field.documents, field.find(word)?.having ?? 0)
  }

  /** `weight` is boost · idf. */
  #listOf(field: FieldLists, word: string, weight: number): QueryList {
    const list = field.find(word)
    if (!list) return { start: 0, size: 0, isBlocked: false, lengths: 0, weight: 0, flat: 0, slope: 0, bound: 0 }
    const { flat, slope } = denominator(this.#settings, field.meanLength)
    const full = weight * (this.#settings.k1 + 1)
    return {
      ...{ start: list.start, size: list.size, isBlocked: list.capacity >= blockPostings, lengths: field.lengths },
      ...{ weight: full, flat, slope },
      bound: boundOf(full, flat, slope, list.mostCount, list.leastRatio),
    }
  }

  /** The words of a query. */
  #count(text: string, singles = false): WordCounts {
    const counts = new Map<string, number>()
    this.#tokenizer.each(text, word => counts.set(word, (counts.get(word) ?? 0) + 1), singles)
    return counts
  }

  /** The words of stored texts: single characters of Chinese and the like too, in case a query has only one. */
  #countAll(texts: FieldTexts): CountedTexts {
    return Object.entries(texts).map(([name, text]) => ({ name, counts: this.#count(text, true) }))
  }
}

/** As blockBound of assembly/text/search.ts. */
function boundOf(weight: number, flat: number, slope: number, count: number, ratio: number): number {
  return Math.fround((weight / (1 + flat / count + slope * ratio)) * (1 + 1e-12))
}
