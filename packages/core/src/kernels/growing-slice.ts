// An array in the arena that grows: by half as much again, so that adding one element costs the same however many there are.

import type { Arena, Slice, TypedArray, TypedArrayType } from './arena.ts'

export class GrowingSlice<T extends TypedArray> {
  readonly #arena: Arena
  readonly #type: TypedArrayType<T>
  readonly #what: string
  #slice: Slice<T>

  /** `what` names the array in an out-of-memory error. */
  constructor(arena: Arena, type: TypedArrayType<T>, length = 64, what = 'a memory') {
    this.#arena = arena
    this.#type = type
    this.#what = what
    this.#slice = arena.allocate(type, length, what)
  }

  get pointer(): number {
    return this.#slice.pointer
  }

  get length(): number {
    return this.#slice.length
  }

  /** Fetch it anew after anything was allocated. */
  get array(): T {
    return this.#slice.array
  }

  /** Makes room for `length` elements; addresses and views may change. */
  reserve(length: number): void {
    if (length <= this.#slice.length) return
    const old = this.#slice
    this.#slice = this.#arena.allocate(this.#type, Math.ceil(1.5 * length), this.#what)
    this.#slice.array.set(old.array)
    old.free()
  }

  free(): void {
    this.#slice.free()
  }
}
