// A key in the arena, for kernels to read: one at a time, in room that is used again.

import type { Arena } from '../../kernels/arena.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { KeyAt } from '../learning/linear-model.ts'

export class KeyBuffer {
  readonly #features: GrowingSlice<Uint32Array>
  readonly #values: GrowingSlice<Float32Array>
  #count = 0

  constructor(arena: Arena) {
    this.#features = new GrowingSlice(arena, Uint32Array)
    this.#values = new GrowingSlice(arena, Float32Array)
  }

  /** It stays until the next one comes. */
  lay({ indices, values }: SparseRow): KeyAt {
    this.reserve(indices.length)
    this.#features.array.set(indices)
    this.#values.array.set(values)
    this.#count = indices.length
    return this.at
  }

  /** A copy of the key. */
  row(): SparseRow {
    const count = this.#count
    return { indices: this.#features.array.slice(0, count), values: this.#values.array.slice(0, count) }
  }

  /** All room there is, as views that are outdated by the next change. */
  arrays(): { readonly features: Uint32Array; readonly values: Float32Array } {
    return { features: this.#features.array, values: this.#values.array }
  }

  /** Room for a key of this many features, which a kernel writes. */
  reserve(count: number): void {
    this.#features.reserve(count)
    this.#values.reserve(count)
  }

  get at(): KeyAt {
    return { features: this.#features.pointer, values: this.#values.pointer, count: this.#count }
  }

  free(): void {
    this.#features.free()
    this.#values.free()
  }
}
