// The features of many texts as numbers, one text after another, repeats included, in one growing array.
// A key is 2 × column, plus 1 if the feature counts negatively, so that sorting the keys of a text brings the
// occurrences of a column together.

import { EngineError } from '../../errors.ts'
import { checkEntries } from '../../matrix/checks.ts'
import type { Tokenizer } from './tokenizer.ts'

/** Gives each feature its key; −1 if it has no column. */
export interface FeatureSpace {
  readonly columns: number
  keyOf(feature: string): number
}

/** In `remap`: this column is left out. */
export const noColumn = 0xffffffff

// Invariant: text i's keys are keys[offsets[i], offsets[i + 1]); beyond offsets[rows] is scratch.
export class KeyStream {
  keys = new Uint32Array(64)
  readonly offsets: number[] = [0]

  get rows(): number {
    return this.offsets.length - 1
  }

  /** Appends the keys of one text. */
  add(text: string, tokenizer: Tokenizer, space: FeatureSpace): void {
    if (typeof text !== 'string') {
      throw new EngineError(
        'BAD_DATA',
        `text ${this.rows} is ${text === null ? 'null' : typeof text}, expected a string`,
      )
    }
    let end = this.offsets[this.rows]
    tokenizer.each(text, feature => {
      const key = space.keyOf(feature)
      if (key < 0) return
      if (end === this.keys.length) this.#grow()
      this.keys[end++] = key
    })
    this.offsets.push(end)
  }

  /** Drops the keys of the last text, which then counts as empty. */
  dropLast(): void {
    this.offsets[this.rows] = this.offsets[this.rows - 1]
  }

  /** Replaces each column by `columnOf[column]`; keys whose column is `noColumn` there are left out. */
  remap(columnOf: Uint32Array): void {
    const { keys, offsets } = this
    let from = 0
    let end = 0
    for (let row = 0; row < this.rows; row++) {
      const to = offsets[row + 1]
      for (let e = from; e < to; e++) {
        const column = columnOf[keys[e] >>> 1]
        if (column !== noColumn) keys[end++] = column * 2 + (keys[e] & 1)
      }
      offsets[row + 1] = end
      from = to
    }
  }

  #grow(): void {
    checkEntries('the list of all features of the texts', this.keys.length * 2)
    const grown = new Uint32Array(this.keys.length * 2)
    grown.set(this.keys)
    this.keys = grown
  }
}
