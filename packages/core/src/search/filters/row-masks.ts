// Which rows a search may return, one byte per row: all except those removed since the lists were built.

import type { Arena, Slice } from '../../kernels/arena.ts'
import type { RowMask } from '../query-block.ts'

export class RowMasks {
  readonly #arena: Arena
  readonly #removed = new Set<number>()
  /** 0 for removed rows. Longer than the rows there are: those to come are visible. */
  #visible: Slice<Uint8Array> | undefined

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

  free(): void {
    this.#visible?.free()
    this.#visible = undefined
  }
}
