// The words of a field, to find prefixes and near spellings.

import type { Steps } from '../../long-work.ts'
import { firstFrom, SortedValues } from '../sorted-values.ts'
import { SimilarWords } from './similar-words.ts'

/** Words between two steps. */
const stepWords = 32

export class WordList {
  #words: SortedValues<string>
  readonly #similar: SimilarWords

  constructor(words: Iterable<string> = []) {
    const all = [...words]
    this.#words = new SortedValues(all)
    this.#similar = new SimilarWords(all)
  }

  get size(): number {
    return this.#words.size
  }

  /** A word that is not there yet. */
  add(word: string): void {
    this.#words.add(word)
    this.#similar.add(word)
  }

  /** Another list, with the words of this one that pass. Those added meanwhile may be missing. */
  *kept(passes: (word: string) => boolean): Steps<WordList> {
    const { sorted, waiting } = this.#words
    const others = waiting.slice()
    const list = new WordList()
    const words: string[] = []
    for (let i = 0; i < sorted.length; i++) {
      if (i % stepWords === 0) yield
      if (!passes(sorted[i])) continue
      words.push(sorted[i])
      list.#similar.add(sorted[i])
    }
    list.#words = SortedValues.inOrder(words)
    for (let i = 0; i < others.length; i++) {
      if (i % stepWords === 0) yield
      if (passes(others[i])) list.add(others[i])
    }
    return list
  }

  /** The longer words with this prefix, shortest first, then in alphabetical order. */
  *withPrefix(prefix: string): Generator<string> {
    const { sorted, waiting } = this.#words
    const byLength: string[][] = []
    const keep = (word: string) => {
      if (word.length === prefix.length) return
      byLength[word.length] ??= []
      byLength[word.length].push(word)
    }
    for (let i = firstFrom(sorted, prefix); i < sorted.length && sorted[i].startsWith(prefix); i++) keep(sorted[i])
    for (const word of waiting) if (word.startsWith(prefix)) keep(word)
    for (const words of byLength) if (words) yield* words.sort()
  }

  /**
   * Calls `visit` with every other word at most `most` edits away that has the same first letter: letters replaced, inserted, deleted, or
   * two neighbors swapped.
   */
  near(word: string, most: number, visit: (word: string, edits: number) => void): void {
    this.#similar.near(word, most, visit)
  }
}
