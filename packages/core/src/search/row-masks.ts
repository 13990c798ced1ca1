// Which rows a search may return, one byte a row: all but those removed since the lists were made, or those that pass a filter.

import type { Arena, Slice } from '../kernels/arena.ts'
import type { IdTable } from './id-table.ts'
import type { Filter } from './neighbor.ts'
import type { RowMask } from './query-block.ts'

export class RowMasks {
  readonly #arena: Arena
  readonly #removed = new Set<number>()
  /** 0 for removed rows. Longer than the rows there are: those to come are visible. */
  #visible: Slice<Uint8Array> | undefined
  #passing: Slice<Uint8Array> | undefined

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /** Rows removed that are still in the lists. */
  get removedCount(): number {
    return this.#removed.size
  }

  remove(row: number): void {
    this.#removed.add(row)
    if (this.#visible && row < this.#visible.length) this.#visible.array[row] = 0
  }

  /** The lists were made anew, without the removed rows. */
  reset(): void {
    this.free()
    this.#removed.clear()
  }

  /** All rows but those removed. */
  visible(rows: number): RowMask {
    if (this.#removed.size === 0) return undefined
    if (!this.#visible || this.#visible.length < rows) {
      this.#visible?.free()
      this.#visible = this.#arena.allocate(Uint8Array, 2 * rows, 'a mask of rows')
      this.#visible.array.fill(1)
      for (const row of this.#removed) this.#visible.array[row] = 0
    }
    return this.#visible
  }

  /** The rows that pass; good until the next call. */
  passing(filter: Filter, ids: IdTable): RowMask {
    // Not in the arena yet: the caller's function may search too, and so replace what is there.
    const mask = new Uint8Array(ids.rows)
    if (typeof filter === 'function') {
      for (let row = 0; row < ids.rows; row++) {
        const id = ids.idOf(row)
        mask[row] = id !== undefined && filter(id) ? 1 : 0
      }
    } else {
      for (const id of filter) {
        const row = ids.rowOf(id)
        if (row !== undefined) mask[row] = 1
      }
    }
    this.#passing?.free()
    this.#passing = this.#arena.place(mask, 'a mask of rows')
    return this.#passing
  }

  free(): void {
    this.#visible?.free()
    this.#passing?.free()
    this.#visible = undefined
    this.#passing = undefined
  }
}
