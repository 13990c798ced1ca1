// The keys of all memories, one after the other in the arena. Slots are dense: a key that is removed gives its slot to the last
// one. Its features stay until half of all are unused; then the keys are compacted, unless somebody still reads them as they were.

import type { Arena } from '../../kernels/arena.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { Steps } from '../../long-work.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { KeyAt } from '../learning/linear-model.ts'

/** Keys one after the other. */
export interface PackedKeys {
  readonly sizes: Uint32Array
  readonly features: Uint32Array
  readonly values: Float32Array
}

/** Where the keys were at some moment. Features are never overwritten, so they stay there until `release` is called. */
export interface FrozenKeys {
  readonly starts: Uint32Array
  readonly sizes: Uint32Array
  /** Features of all keys. */
  readonly entries: number
  release(): void
}

/** Keys packed between two steps. */
const stepKeys = 256

/** Fewer left-over features than this are not worth moving. */
const fewest = 4096

export class KeyStore {
  readonly features: GrowingSlice<Uint32Array>
  readonly values: GrowingSlice<Float32Array>
  readonly starts: GrowingSlice<Uint32Array>
  readonly sizes: GrowingSlice<Uint32Array>
  #count = 0
  /** Where the next key goes. */
  #end = 0
  #living = 0
  /** How many freezes hold. */
  #frozen = 0

  constructor(arena: Arena) {
    this.features = new GrowingSlice(arena, Uint32Array)
    this.values = new GrowingSlice(arena, Float32Array)
    this.starts = new GrowingSlice(arena, Uint32Array)
    this.sizes = new GrowingSlice(arena, Uint32Array)
  }

  get count(): number {
    return this.#count
  }

  /** Features of all keys. */
  get entries(): number {
    return this.#living
  }

  /** Its slot is the next one. */
  add({ indices, values }: SparseRow): void {
    this.starts.reserve(this.#count + 1)
    this.sizes.reserve(this.#count + 1)
    // Not copied all at once when they grow: for many dense keys, an insert would take a tenth of a second.
    this.features.append(indices, this.#end)
    this.values.append(values, this.#end)
    this.starts.array[this.#count] = this.#end
    this.sizes.array[this.#count] = indices.length
    this.#count++
    this.#end += indices.length
    this.#living += indices.length
  }

  /** Moves the last key to this slot. */
  remove(slot: number): void {
    const [starts, sizes] = [this.starts.array, this.sizes.array]
    this.#living -= sizes[slot]
    this.#count--
    starts[slot] = starts[this.#count]
    sizes[slot] = sizes[this.#count]
    this.#tidy()
  }

  at(slot: number): KeyAt {
    const start = 4 * this.starts.array[slot]
    return {
      features: this.features.pointer + start,
      values: this.values.pointer + start,
      count: this.sizes.array[slot],
    }
  }

  row(slot: number): SparseRow {
    const start = this.starts.array[slot]
    const end = start + this.sizes.array[slot]
    return { indices: this.features.array.slice(start, end), values: this.values.array.slice(start, end) }
  }

  /** Call `release` when done with it. */
  freeze(): FrozenKeys {
    this.#frozen++
    const [starts, sizes] = [this.starts.array.slice(0, this.#count), this.sizes.array.slice(0, this.#count)]
    const release = () => {
      this.#frozen--
      this.#tidy()
    }
    return { starts, sizes, entries: this.#living, release }
  }

  /** The keys of a freeze, in the order of their slots. */
  *pack({ starts, sizes, entries }: FrozenKeys): Steps<PackedKeys> {
    const features = new Uint32Array(entries)
    const values = new Float32Array(entries)
    let end = 0
    for (const [slot, start] of starts.entries()) {
      features.set(this.features.array.subarray(start, start + sizes[slot]), end)
      values.set(this.values.array.subarray(start, start + sizes[slot]), end)
      end += sizes[slot]
      if (slot % stepKeys === 0) yield slot
    }
    return { sizes, features, values }
  }

  free(): void {
    for (const slice of [this.features, this.values, this.starts, this.sizes]) slice.free()
  }

  #tidy(): void {
    if (this.#frozen === 0 && this.#end > 2 * this.#living + fewest) this.#moveTogether()
  }

  #moveTogether(): void {
    const [features, values, starts, sizes] = [
      this.features.array,
      this.values.array,
      this.starts.array,
      this.sizes.array,
    ]
    const order = Array.from({ length: this.#count }, (_, slot) => slot).sort((a, b) => starts[a] - starts[b])
    let end = 0
    for (const slot of order) {
      features.copyWithin(end, starts[slot], starts[slot] + sizes[slot])
      values.copyWithin(end, starts[slot], starts[slot] + sizes[slot])
      starts[slot] = end
      end += sizes[slot]
    }
    this.#end = end
    for (const slice of [this.features, this.values]) slice.rewritten()
  }
}
