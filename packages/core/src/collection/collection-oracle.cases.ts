// A collection as a plain array: the oracle of every answer, written for clarity, not speed.

import type { CollectionDocument } from './document.ts'

export interface BookData {
  readonly year?: number
  readonly lang?: string
  readonly tags?: readonly string[]
}
export type Book = CollectionDocument<BookData>

export interface OracleHit {
  readonly id: string | number
  readonly score: number
}

/** By score, ties in the order of storing. */
function best(hits: OracleHit[], k: number): OracleHit[] {
  return hits.sort((a, b) => b.score - a.score).slice(0, k)
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? []

export class OracleCollection {
  books: Book[] = []

  upsert(book: Book): void {
    this.remove(book.id)
    this.books.push(book)
  }

  remove(id: string | number): boolean {
    const before = this.books.length
    this.books = this.books.filter(book => book.id !== id)
    return this.books.length < before
  }

  get(id: string | number): Book | undefined {
    return this.books.find(book => book.id === id)
  }

  /** BM25 of every field, added up. */
  searchText(
    text: string,
    k: number,
    passes: (book: Book) => boolean,
    boosts: Record<string, number> = {},
  ): OracleHit[] {
    const hits: OracleHit[] = []
    for (const book of this.books) {
      if (!passes(book)) continue
      let score = 0
      for (const field of Object.keys(textsOf(book))) {
        for (const word of new Set(wordsOf(text))) {
          const asked = wordsOf(text).filter(other => other === word).length
          score += this.#part(book, field, word, (boosts[field] ?? 1) * asked)
        }
      }
      if (score > 0) hits.push({ id: book.id, score: Math.fround(score) })
    }
    return best(hits, k)
  }

  /** By squared distance. */
  searchVector(vector: readonly number[], k: number, passes: (book: Book) => boolean): OracleHit[] {
    const hits = this.books
      .filter(book => book.vector && passes(book))
      .map(book => {
        const own = Array.from(book.vector ?? [])
        return { id: book.id, score: -own.reduce((sum, x, j) => sum + (x - (vector[j] ?? 0)) ** 2, 0) }
      })
    return best(hits, k)
  }

  #part(book: Book, field: string, word: string, boost: number): number {
    const having = this.books.filter(other => textsOf(other)[field] !== undefined)
    const lengths = having.map(other => wordsOf(textsOf(other)[field] ?? '').length)
    const mean = lengths.reduce((sum, length) => sum + length, 0) / having.length
    const frequency = having.filter(other => wordsOf(textsOf(other)[field] ?? '').includes(word)).length
    const idf = Math.log(1 + (having.length - frequency + 0.5) / (frequency + 0.5))
    const own = wordsOf(textsOf(book)[field] ?? '')
    const count = own.filter(other => other === word).length
    const [k1, b] = [1.2, 0.75]
    const slope = mean === 0 ? 0 : (k1 * b) / mean
    return Math.fround((boost * idf * (k1 + 1) * count) / (count + k1 * (1 - b) + slope * own.length))
  }
}

export function textsOf(book: Book): Record<string, string> {
  return { ...(book.text !== undefined && { text: book.text }), ...book.fields }
}
