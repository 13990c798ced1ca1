// The words of a field in sorted order, to find prefixes and near spellings.

import { firstFrom, SortedValues } from '../sorted-values.ts'
import { EditRows } from './edit-rows.ts'

export class WordList {
  readonly #words: SortedValues<string>

  constructor(words: Iterable<string> = []) {
    this.#words = new SortedValues(words)
  }

  get size(): number {
    return this.#words.size
  }

  /** A word that is not there yet. */
  add(word: string): void {
    this.#words.add(word)
  }

  /** Calls `visit` with every longer word that begins so. */
  withPrefix(prefix: string, visit: (word: string) => void): void {
    const { sorted, waiting } = this.#words
    for (let i = firstFrom(sorted, prefix); i < sorted.length && sorted[i].startsWith(prefix); i++) {
      if (sorted[i].length > prefix.length) visit(sorted[i])
    }
    for (const word of waiting) if (word.length > prefix.length && word.startsWith(prefix)) visit(word)
  }

  /**
   * Calls `visit` with every other word at most `most` edits away that has the same first letter: letters changed, added, left out, or two
   * neighbors swapped. Sorted words share prefixes, whose distances are computed once; prefixes that are too different are skipped as a
   * whole.
   */
  near(word: string, most: number, visit: (word: string, edits: number) => void): void {
    const { sorted, waiting } = this.#words
    const rows = new EditRows(word, most)
    const first = String.fromCodePoint(word.codePointAt(0) ?? 0)
    const check = (other: string) => {
      const edits = rows.distance(other)
      if (edits > 0 && edits <= most) visit(other, edits)
    }
    for (let i = firstFrom(sorted, first); i < sorted.length && sorted[i].startsWith(first); ) {
      check(sorted[i])
      const hopeless = rows.hopelessPrefix
      // No word has the last code unit there is: it comes after all words that begin so.
      i = hopeless === undefined ? i + 1 : firstFrom(sorted, `${hopeless}\uffff`, i + 1)
    }
    for (const other of waiting) if (other.startsWith(first)) check(other)
  }
}
