// The arena: typed arrays ("slices") inside one WASM memory. An engine has one arena, and every index, classifier or memory an arena
// of its own within it, whose slices can be freed together. Invariant: a slice has one owner and returns its block to the heap
// once, because it knows that it was freed.

import { assert } from '../errors.ts'
import { reclaim, tidy } from './collection.ts'
import type { Heap } from './heap.ts'

/** The typed arrays that an arena hands out. */
export type TypedArray =
  | Float32Array
  | Float64Array
  | Uint8Array
  | Int8Array
  | Uint16Array
  | Int16Array
  | Uint32Array
  | Int32Array

export interface TypedArrayType<T extends TypedArray = TypedArray> {
  readonly BYTES_PER_ELEMENT: number
  new (buffer: ArrayBufferLike, byteOffset: number, length: number): T
}

/** A typed array in the arena. `pointer` is what kernels take. */
export interface Slice<T extends TypedArray = TypedArray> {
  readonly pointer: number
  readonly length: number
  /** The view. Fetch it again after anything was allocated: if memory is not shared, growing it detaches old views. */
  readonly array: T
  /** Frees the memory. A freed slice has no `array` any more; freeing it again does nothing. */
  free(): void
}

/** Something that hands out slices: the arena, or a scope of it that frees them all at once. */
export interface Allocator {
  /** `length` zeros of a typed array's type; `what` names them in an out-of-memory error. */
  allocate<T extends TypedArray>(type: TypedArrayType<T>, length: number, what?: string): Slice<T>
  /** The same with whatever the memory holds: for arrays of which every element is written before it is read. */
  allocateUnset<T extends TypedArray>(type: TypedArrayType<T>, length: number, what?: string): Slice<T>
  /** A copy of `array` inside the arena. */
  place<T extends TypedArray>(array: T, what?: string): Slice<T>
}

interface Freeable {
  /** Frees everything that was allocated in it. */
  free(): void
}

/** Allocates what is freed together. */
export interface Scope extends Allocator, Freeable {}

/** Hands out typed arrays inside one WASM memory, and takes them back. */
export class Arena implements Allocator {
  readonly #heap: Heap
  /** What is not freed yet: slices, and arenas within this one. The arena of an engine is never freed, and does not count. */
  readonly #live: Set<Freeable> | undefined
  readonly #around: Arena | undefined
  #freed = false

  /** `around` is the arena that this one is within. */
  constructor(heap: Heap, around?: Arena) {
    this.#heap = heap
    this.#around = around
    this.#live = around && new Set()
    if (around) around.#live?.add(this)
  }

  /** Bytes the memory has grown to. */
  get bytes(): number {
    return this.#heap.bytes
  }

  /** Bytes held by slices, of all arenas in this memory. */
  get usedBytes(): number {
    return this.#heap.usedBytes
  }

  /** The largest slice that can still be allocated. */
  get freeBytes(): number {
    return this.#heap.freeBytes
  }

  /** If much memory is in use, tries to reclaim that of objects that are no longer used. */
  tidy(): Promise<void> {
    return tidy(this.#heap)
  }

  /** Tries to reclaim such memory in any case. Returns whether it got some. */
  reclaim(): Promise<boolean> {
    return reclaim(this.#heap)
  }

  /** An arena in the same memory, whose slices can be freed together. */
  within(): Arena {
    return new Arena(this.#heap, this)
  }

  allocate<T extends TypedArray>(type: TypedArrayType<T>, length: number, what = 'an array'): Slice<T> {
    const slice = this.#reserve(type, length, what)
    slice.array.fill(0)
    return slice
  }

  allocateUnset<T extends TypedArray>(type: TypedArrayType<T>, length: number, what = 'an array'): Slice<T> {
    return this.#reserve(type, length, what)
  }

  /**
   * An array to fill, which `place` of any arena in this memory takes over instead of copying it. Shared memory only: there, views stay
   * valid.
   */
  allocateToPlace<T extends TypedArray>(type: TypedArrayType<T>, length: number, what = 'an array'): T {
    const slice = this.#reserve(type, length, what)
    const { array } = slice
    toPlace.set(array, slice)
    return array
  }

  place<T extends TypedArray>(array: T, what = 'an array'): Slice<T> {
    const waiting = toPlace.get(array)
    if (waiting?.isIn(this.#heap)) return waiting.moveTo(this.#live) as ArenaSlice<T> // of this array
    // A typed array's own constructor makes arrays of its type.
    const type = array.constructor as unknown as TypedArrayType<T>
    // Allocating detaches views of memory that is not shared, and `array` may be such a view.
    const [inside, start, length] = [array.buffer === this.#heap.memory.buffer, array.byteOffset, array.length]
    const slice = this.#reserve(type, length, what)
    slice.array.set(inside ? new type(this.#heap.memory.buffer, start, length) : array)
    return slice
  }

  /** Slices that are freed together: the working memory of one job. */
  scope(): Scope {
    const slices: Slice[] = []
    const keep = <T extends TypedArray>(slice: Slice<T>): Slice<T> => {
      slices.push(slice)
      return slice
    }
    return {
      allocate: (type, length, what) => keep(this.allocate(type, length, what)),
      allocateUnset: (type, length, what) => keep(this.allocateUnset(type, length, what)),
      place: (array, what) => keep(this.place(array, what)),
      free: () => {
        for (const slice of slices.splice(0)) slice.free()
      },
    }
  }

  /** Frees all slices of an arena that is within another one; nothing can be allocated in it afterwards. */
  free(): void {
    assert(this.#live !== undefined, 'the arena of an engine cannot be freed')
    this.#freed = true
    for (const part of [...this.#live]) part.free()
    if (this.#around) this.#around.#live?.delete(this)
  }

  #reserve<T extends TypedArray>(type: TypedArrayType<T>, length: number, what: string): ArenaSlice<T> {
    assert(Number.isSafeInteger(length) && length >= 0, `the arena was asked for ${length} elements`)
    assert(!this.#freed, `${what} cannot be allocated in an arena that was freed`)
    const pointer = this.#heap.take(length * type.BYTES_PER_ELEMENT, what)
    const slice = new ArenaSlice(this.#heap, type, pointer, length, this.#live)
    this.#live?.add(slice)
    return slice
  }
}

/** Arrays that were allocated to be placed, and are not yet. */
const toPlace = new WeakMap<TypedArray, ArenaSlice<TypedArray>>()

/** In the place of `views`, for a slice that was freed. */
const freed = -1

class ArenaSlice<T extends TypedArray> implements Slice<T> {
  readonly pointer: number
  readonly length: number
  readonly #heap: Heap
  readonly #type: TypedArrayType<T>
  #live: Set<Freeable> | undefined
  #array: T
  /** The heap's `views` when the view was made. */
  #views: number

  constructor(heap: Heap, type: TypedArrayType<T>, pointer: number, length: number, live: Set<Freeable> | undefined) {
    this.pointer = pointer
    this.length = length
    this.#heap = heap
    this.#type = type
    this.#live = live
    this.#array = this.#view()
    this.#views = heap.views
  }

  get array(): T {
    if (this.#views !== this.#heap.views) this.#renew()
    return this.#array
  }

  free(): void {
    if (this.#views === freed) return
    this.#views = freed
    this.#live?.delete(this)
    this.#heap.give(this.pointer)
  }

  isIn(heap: Heap): boolean {
    return this.#heap === heap && this.#views !== freed
  }

  /** To another arena's slices. */
  moveTo(live: Set<Freeable> | undefined): this {
    this.#live?.delete(this)
    this.#live = live
    live?.add(this)
    toPlace.delete(this.#array)
    return this
  }

  #view(): T {
    return new this.#type(this.#heap.memory.buffer, this.pointer, this.length)
  }

  #renew(): void {
    assert(this.#views !== freed, 'a slice was used after it was freed')
    this.#array = this.#view()
    this.#views = this.#heap.views
  }
}
