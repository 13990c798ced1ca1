// The rows that pass one filter, ascending, and one byte per row for single lookups. Updated on reuse: new rows are tested, removed ones
// dropped. Valid until rows are renumbered.

import type { DocumentTable, Entry } from '../document-table.ts'

export class FilteredRows<Metadata extends object> {
  readonly #table: DocumentTable<Metadata>
  readonly #passes: (entry: Entry<Metadata>) => boolean
  #rows: Uint32Array
  #mask = new Uint8Array(0)
  #seen: number
  #changes: number

  /** `rows` are those that pass now, ascending. */
  constructor(table: DocumentTable<Metadata>, passes: (entry: Entry<Metadata>) => boolean, rows: Uint32Array) {
    this.#table = table
    this.#passes = passes
    this.#rows = rows
    this.#seen = table.rows
    this.#changes = table.changes
    this.#mark()
  }

  /** The same array as long as nothing has changed. */
  get rows(): Uint32Array {
    return this.#rows
  }

  has(row: number): boolean {
    return this.#mask[row] === 1
  }

  refresh(): void {
    const table = this.#table
    if (table.changes === this.#changes) return
    const rows = new Uint32Array(this.#rows.length + table.rows - this.#seen)
    let count = 0
    for (const row of this.#rows) if (table.at(row)) rows[count++] = row
    for (let row = this.#seen; row < table.rows; row++) {
      const entry = table.at(row)
      if (entry && this.#passes(entry)) rows[count++] = row
    }
    this.#rows = rows.subarray(0, count)
    this.#seen = table.rows
    this.#changes = table.changes
    this.#mark()
  }

  #mark(): void {
    this.#mask = new Uint8Array(this.#seen)
    for (const row of this.#rows) this.#mask[row] = 1
  }
}
