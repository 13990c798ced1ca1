// Texts as rows, for code that takes rows of any layout.

import { checkTexts } from '../options.ts'
import { checkRange, checkRow } from './checks.ts'

/** Texts as rows of an index, as they are. */
export class TextRows {
  readonly texts: readonly string[]
  /** A text has no columns. */
  readonly columns = 0

  constructor(texts: readonly string[]) {
    checkTexts('texts', texts)
    this.texts = texts
  }

  get rows(): number {
    return this.texts.length
  }

  /** The text of row `i`. */
  row(i: number): string {
    checkRow(i, this.rows)
    return this.texts[i]
  }

  /** Rows [from, to). */
  slice(from: number, to: number = this.rows): TextRows {
    checkRange(from, to, this.rows)
    return new TextRows(this.texts.slice(from, to))
  }
}
