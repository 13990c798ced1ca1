// Where one key at a time is compared with memories: room in the arena for the key, its weighted values, the memories it meets
// and what comes out.

import type { Engine } from '../kernels/engine.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'
import { GrowingSlice } from './growing-slice.ts'
import type { KeyStore } from './key-store.ts'
import type { KeyAt } from './linear-model.ts'
import type { Scorer } from './scorer.ts'

export class QueryDesk {
  readonly #engine: Engine
  readonly #keys: KeyStore
  readonly #features: GrowingSlice<Uint32Array>
  readonly #values: GrowingSlice<Float32Array>
  readonly #weighted: GrowingSlice<Float32Array>
  readonly #picked: GrowingSlice<Uint32Array>
  readonly #sums: GrowingSlice<Float32Array>
  #count = 0

  constructor(engine: Engine, keys: KeyStore) {
    const { arena } = engine
    this.#engine = engine
    this.#keys = keys
    this.#features = new GrowingSlice(arena, Uint32Array)
    this.#values = new GrowingSlice(arena, Float32Array)
    this.#weighted = new GrowingSlice(arena, Float32Array)
    this.#picked = new GrowingSlice(arena, Uint32Array)
    this.#sums = new GrowingSlice(arena, Float32Array)
  }

  /** Lays a key on the desk; it stays until the next one comes. */
  lay({ indices, values }: SparseRow): KeyAt {
    // The second half is for the features shared with a memory.
    for (const slice of [this.#features, this.#values, this.#weighted]) slice.reserve(2 * indices.length)
    this.#features.array.set(indices)
    this.#values.array.set(values)
    this.#count = indices.length
    return { features: this.#features.pointer, values: this.#values.pointer, count: this.#count }
  }

  /** The scorer's sums of the key with the memories in `slots`. */
  sums(slots: readonly number[], scorer: Scorer): Float32Array {
    const { pointer: features } = this.#features
    scorer.weigh({ features, values: this.#values.pointer, count: this.#count }, this.#weighted.pointer)
    return this.#products(slots, this.#weighted.pointer)
  }

  /** The cosines of the key with the memories in `slots`. */
  cosines(slots: readonly number[]): Float32Array {
    return this.#products(slots, this.#values.pointer)
  }

  /** The features that the key shares with a memory, and the products of their values. */
  shared(slot: number): KeyAt {
    const { features, values, count } = this.#keys.at(slot)
    const [shared, products] = [this.#features.pointer + 4 * this.#count, this.#values.pointer + 4 * this.#count]
    const { pointer: own } = this.#features
    const found = this.#engine.exactKernels.keyProducts(
      ...([features, values, count, own, this.#values.pointer, this.#count, shared, products] as const),
    )
    return { features: shared, values: products, count: found }
  }

  free(): void {
    for (const slice of [this.#features, this.#values, this.#weighted, this.#picked, this.#sums]) slice.free()
  }

  #products(slots: readonly number[], queryValues: number): Float32Array {
    this.#picked.reserve(slots.length)
    this.#sums.reserve(slots.length)
    this.#picked.array.set(slots)
    const { features, values, starts, sizes } = this.#keys
    this.#engine.exactKernels.keyScores(
      ...([features.pointer, values.pointer, starts.pointer, sizes.pointer] as const),
      ...([this.#picked.pointer, slots.length] as const),
      ...([this.#features.pointer, queryValues, this.#count, this.#sums.pointer] as const),
    )
    return this.#sums.array.slice(0, slots.length)
  }
}
