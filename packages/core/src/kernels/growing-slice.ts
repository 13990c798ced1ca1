// A growing array in the arena. It grows by more than is asked for, so that adding an element takes constant time on average.

import type { Arena, Slice, TypedArray, TypedArrayType } from './arena.ts'
import type { Discard } from './readers.ts'

export interface GrowingOptions<T extends TypedArray> {
  /** Elements to begin with. Default 64. */
  readonly length?: number
  /** A slice to begin with, taken over, instead of zeros. */
  readonly from?: Slice<T>
  /** Grows to this multiple of the length asked for: more takes memory, less copies more often. Default 1.5. */
  readonly growth?: number
  /** Names it in an out-of-memory error. Default 'a memory'. */
  readonly what?: string
  /** Frees the old slice after growing; batches may still be reading it. Default: frees at once. */
  readonly discard?: Discard
}

export class GrowingSlice<T extends TypedArray> {
  readonly #arena: Arena
  readonly #type: TypedArrayType<T>
  readonly #what: string
  readonly #growth: number
  readonly #discard: Discard
  #slice: Slice<T>

  constructor(arena: Arena, type: TypedArrayType<T>, options: GrowingOptions<T> = {}) {
    const { length = 64, what = 'a memory', from = arena.allocate(type, length, what) } = options
    this.#arena = arena
    this.#type = type
    this.#what = what
    this.#growth = options.growth ?? 1.5
    this.#discard = options.discard ?? free
    this.#slice = from
  }

  get pointer(): number {
    return this.#slice.pointer
  }

  get length(): number {
    return this.#slice.length
  }

  /** Fetch it again after any allocation. */
  get array(): T {
    return this.#slice.array
  }

  /** Makes room for `length` elements and keeps those there are; addresses and views may change. */
  reserve(length: number): void {
    if (length > this.#slice.length)
      this.replace(Math.ceil(this.#growth * length), larger => larger.set(this.#slice.array))
  }

  /** The same without keeping the elements: zeros, if it has to grow. */
  reserveAnew(length: number): void {
    if (length > this.#slice.length) this.replace(Math.ceil(this.#growth * length))
  }

  /** Replaces the array by one of exactly `length` elements: zeros, which `fill` may fill from the old one before that is freed. */
  replace(length: number, fill?: (array: T) => void): void {
    const slice = this.#arena.allocate(this.#type, length, this.#what)
    fill?.(slice.array)
    this.free()
    this.#slice = slice
  }

  free(): void {
    this.#discard(this.#slice)
  }
}

function free(slice: Slice): void {
  slice.free()
}
