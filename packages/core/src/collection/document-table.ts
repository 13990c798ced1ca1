// The documents of a collection, by id and by row. A new version of a document gets a new row, so rows are in write order. Rows
// of removed documents stay as holes until rows are renumbered.

import type { Id } from '../ids/id.ts'
import { removedRow } from '../ids/id-table.ts'
import type { StoredDocument } from './document.ts'
import { Renumbering } from './renumbering.ts'

/** A stored document and where its parts are. */
export interface Entry<Metadata extends object> {
  readonly document: StoredDocument<Metadata>
  /** Its key in the index of vectors; undefined if it has no vector. */
  readonly vectorKey: number | undefined
  row: number
}

export class DocumentTable<Metadata extends object> {
  #entries: (Entry<Metadata> | undefined)[] = []
  readonly #byId = new Map<Id, Entry<Metadata>>()
  readonly #byVector = new Map<number, Entry<Metadata>>()
  #changes = 0
  #renumberings = 0

  /** Documents. */
  get live(): number {
    return this.#byId.size
  }

  /** Rows, holes included. */
  get rows(): number {
    return this.#entries.length
  }

  /** How often documents were added or removed. */
  get changes(): number {
    return this.#changes
  }

  /** How often rows were renumbered. */
  get renumberings(): number {
    return this.#renumberings
  }

  /** Undefined for a hole. */
  at(row: number): Entry<Metadata> | undefined {
    return this.#entries[row]
  }

  get(id: Id): Entry<Metadata> | undefined {
    return this.#byId.get(id)
  }

  /** The document of a vector. */
  withVector(key: number): Entry<Metadata> | undefined {
    return this.#byVector.get(key)
  }

  /** All documents, in the order of their rows. */
  *entries(): Generator<Entry<Metadata>> {
    for (const entry of this.#entries) if (entry) yield entry
  }

  /** The rows whose documents pass, ascending. */
  passing(passes: (entry: Entry<Metadata>) => boolean): Uint32Array {
    const entries = this.#entries
    const rows = new Uint32Array(entries.length)
    let count = 0
    // Leaves out those that a caller's function adds meanwhile.
    for (let row = 0; row < rows.length; row++) {
      const entry = entries[row]
      if (entry && passes(entry)) rows[count++] = row
    }
    return rows.slice(0, count)
  }

  /** Adds a document whose id is free. */
  add(document: StoredDocument<Metadata>, vectorKey: number | undefined): Entry<Metadata> {
    const entry = { document, vectorKey, row: this.#entries.length }
    this.#entries.push(entry)
    this.#byId.set(document.id, entry)
    if (vectorKey !== undefined) this.#byVector.set(vectorKey, entry)
    this.#changes++
    return entry
  }

  remove(entry: Entry<Metadata>): void {
    this.#entries[entry.row] = undefined
    this.#byId.delete(entry.document.id)
    if (entry.vectorKey !== undefined) this.#byVector.delete(entry.vectorKey)
    this.#changes++
  }

  /** All rows as they are now; undefined for holes. A document that changes gets another entry. */
  copyRows(): readonly (Entry<Metadata> | undefined)[] {
    return this.#entries.slice()
  }

  /** The numbers that rows would have without the holes. */
  withoutHoles(): Renumbering {
    const newRows = new Uint32Array(this.#entries.length)
    let next = 0
    for (const [row, entry] of this.#entries.entries()) newRows[row] = entry ? next++ : removedRow
    return new Renumbering(newRows, next)
  }

  /** Closes the holes that there were when rows were numbered. Later ones stay. */
  renumber(rows: Renumbering): void {
    const entries: (Entry<Metadata> | undefined)[] = []
    for (const [row, entry] of this.#entries.entries()) {
      const renewed = rows.of(row)
      if (renewed === removedRow) continue
      if (entry) entry.row = renewed
      entries.push(entry)
    }
    this.#entries = entries
    this.#renumberings++
  }
}
