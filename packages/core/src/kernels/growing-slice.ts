// A growing array in the arena. It grows by more than is asked for, so that adding an element takes constant time on average; or, with
// `append`, every time: elements move to the next, larger array a few at a time while the present one fills up.

import type { Arena, Slice, TypedArray, TypedArrayType } from './arena.ts'
import { isOutOfMemory } from './collection.ts'
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
  readonly discard?: Discard | undefined
}

export class GrowingSlice<T extends TypedArray> {
  readonly #arena: Arena
  readonly #type: TypedArrayType<T>
  readonly #what: string
  readonly #growth: number
  readonly #discard: Discard
  #slice: Slice<T>
  /** The next, larger array, and how many elements it has so far. */
  #next: Slice<T> | undefined
  #moved = 0

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

  /** Where the elements are now. When they move it is discarded: readers who hold it can go on reading. */
  get slice(): Slice<T> {
    return this.#slice
  }

  /** Fetch it again after any allocation. */
  get array(): T {
    return this.#slice.array
  }

  /**
   * Writes `elements` at `at`, where the array ends: elements before it must not have changed since they were appended, unless `rewritten` was
   * called. What follows is undefined.
   */
  append(elements: T, at: number): void {
    const end = at + elements.length
    this.#moved = Math.min(this.#moved, at) // what was appended here before, and given up, may have moved
    if (end > this.#slice.length) this.#enlarge(at, end)
    this.#slice.array.set(elements as ArrayLike<number>, at)
    if (end >= begunShare * this.#slice.length) this.#moveSome(elements.length, end)
  }

  /** Elements that were appended have changed: those that have moved must move again. */
  rewritten(): void {
    this.#next?.free()
    this.#next = undefined
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
    this.rewritten()
    this.#discard(this.#slice)
  }

  /** Begins with the next array, or moves a few more elements there. If there is no memory for both, all move at once later. */
  #moveSome(appended: number, end: number): void {
    if (!this.#next && !this.#allocateNext()) return
    const to = Math.min(end, this.#moved + appended * movedPerAppended)
    this.#next?.array.set(this.#slice.array.subarray(this.#moved, to) as ArrayLike<number>, this.#moved)
    this.#moved = to
  }

  #allocateNext(): boolean {
    try {
      this.#moved = 0
      this.#next = this.#arena.allocateUnset(this.#type, Math.ceil(this.#growth * this.#slice.length), this.#what)
      return true
    } catch (error) {
      if (!isOutOfMemory(error)) throw error
      return false
    }
  }

  #enlarge(used: number, length: number): void {
    const next = this.#next
    if (!next || next.length < length) {
      this.reserve(length)
      return
    }
    next.array.set(this.#slice.array.subarray(this.#moved, used) as ArrayLike<number>, this.#moved)
    this.#next = undefined
    this.#discard(this.#slice)
    this.#slice = next
  }
}

/** `append` begins to move elements when this share of the array is in use, and moves so many for each one that is appended. */
const begunShare = 3 / 4
const movedPerAppended = 8

function free(slice: Slice): void {
  slice.free()
}
