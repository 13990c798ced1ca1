// Which rows a search may return, one byte per row: all except those removed since the lists were built, or those that pass a filter.

import type { Arena, Slice } from '../../kernels/arena.ts'
import type { RowMask } from '../query-block.ts'

export class RowMasks {
  readonly #arena: Arena
  readonly #removed = new Set<number>()
  /** 0 for removed rows. Longer than the rows there are: those to come are visible. */
  #visible: Slice<Uint8Array> | undefined
  #passing: Slice<Uint8Array> | undefined
  /** What #passing was made of. */
  #list: Uint32Array | undefined

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

  /** The lists were rebuilt without the removed rows. */
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

  /** The listed rows; good until the next call. A list that is given again, and has not changed, costs nothing. */
  listed(list: Uint32Array, rows: number): RowMask {
    if (list === this.#list && this.#passing) return this.#passing
    if (!this.#passing || this.#passing.length < rows) {
      this.#passing?.free()
      this.#passing = this.#arena.allocate(Uint8Array, Math.ceil(1.25 * rows), 'a mask of rows')
    } else this.#passing.array.fill(0)
    const { array } = this.#passing
    for (let i = 0; i < list.length; i++) array[list[i]] = 1
    this.#list = list
    return this.#passing
  }

  free(): void {
    this.#visible?.free()
    this.#passing?.free()
    this.#visible = undefined
    this.#passing = undefined
    this.#list = undefined
  }
}
