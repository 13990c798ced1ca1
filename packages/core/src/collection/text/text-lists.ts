// The posting lists of all fields, and the pool they share.

import type { Arena } from '../../kernels/arena.ts'
import { FieldLists, type WordCounts } from './field-lists.ts'
import { PostingPool } from './posting-pool.ts'

/** The words of a document's texts, by field. */
export type CountedTexts = readonly { readonly name: string; readonly counts: WordCounts }[]

export class TextLists {
  /** All fields that documents ever had, in the order of first use. */
  readonly fields = new Map<string, FieldLists>()
  readonly pool: PostingPool
  readonly #arena: Arena
  #rows = 0

  constructor(arena: Arena) {
    this.#arena = arena
    this.pool = new PostingPool(arena)
  }

  /** Rows there are, with removed ones. */
  get rows(): number {
    return this.#rows
  }

  /** The field with that name, created if it is new. */
  field(name: string): FieldLists {
    let field = this.fields.get(name)
    if (!field) {
      field = new FieldLists(this.#arena)
      this.fields.set(name, field)
    }
    return field
  }

  /** Allocates room for a row, which must be above all earlier ones. Only this step can fail; nothing has changed then. */
  reserve(row: number, texts: CountedTexts): void {
    for (const { name, counts } of texts) this.field(name).reserve(this.pool, row, counts)
  }

  /** Adds the row that room was allocated for. */
  add(row: number, texts: CountedTexts): void {
    this.#rows = row + 1
    for (const { name, counts } of texts) this.field(name).add(this.pool, row, counts)
  }

  /** The words that the row was added with. */
  remove(texts: CountedTexts): void {
    for (const { name, counts } of texts) this.fields.get(name)?.remove(counts)
  }

  /** Sets the number of rows, after fields were filled. */
  restored(rows: number): void {
    this.#rows = rows
  }

  free(): void {
    for (const field of this.fields.values()) field.free()
    this.pool.free()
  }
}
