// The rows of a list, one byte per row: those that pass a filter.

import type { Arena, Slice } from '../../kernels/arena.ts'
import type { RowMask } from '../query-block.ts'

export class ListMask {
  readonly #arena: Arena
  #passing: Slice<Uint8Array> | undefined
  /** What #passing was made of. */
  #list: Uint32Array | undefined

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /** The listed rows; good until the next call. A list that is given again, and has not changed, costs nothing. */
  of(list: Uint32Array, rows: number): RowMask {
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
    this.#passing?.free()
    this.#passing = undefined
    this.#list = undefined
  }
}
