// New numbers of rows, once the holes that a collection had at some moment are closed. Rows added since keep their order behind the others.

import { removedRow } from '../ids/id-table.ts'

export class Renumbering {
  /** By row of then: its new number, `removedRow` for holes. */
  readonly #newRows: Uint32Array
  /** Rows of then that were no holes. */
  readonly kept: number

  constructor(newRows: Uint32Array, kept: number) {
    this.#newRows = newRows
    this.kept = kept
  }

  /** Rows there were, with holes. */
  get rows(): number {
    return this.#newRows.length
  }

  /** Of any row: `removedRow` if it was a hole. */
  of(row: number): number {
    return row < this.rows ? this.#newRows[row] : row - this.rows + this.kept
  }

  /** Of the rows of then: `removedRow` for all others too. */
  ofKept(row: number): number {
    return row < this.rows ? this.#newRows[row] : removedRow
  }
}
