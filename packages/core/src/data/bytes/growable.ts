// A typed array that grows by doubling: how readers collect numbers without knowing how many there will be.
// Invariant: items[0, length) are set; the rest is unused room.

import { allocate, checkEntries, maxEntries } from '../../matrix/checks.ts'

const firstRoom = 1024

type NumberArray = Float32Array | Float64Array | Uint32Array

export class Growable<T extends NumberArray> {
  items: T
  length = 0
  readonly #make: new (
    length: number,
  ) => T

  constructor(make: new (length: number) => T) {
    this.#make = make
    this.items = new make(firstRoom)
  }

  push(value: number): void {
    if (this.length === this.items.length) this.#grow()
    this.items[this.length++] = value
  }

  /** The items in an array of exactly their length; the unused room is freed. */
  finish(): T {
    // `slice` of a typed array is of the same type, which the compiler does not follow through a type parameter.
    this.items = this.items.slice(0, this.length) as T
    return this.items
  }

  #grow(): void {
    checkEntries('the data', this.length + 1)
    const room = Math.min(Math.max(this.length * 2, firstRoom), maxEntries)
    const grown = allocate('the data', () => new this.#make(room))
    grown.set(this.items)
    this.items = grown
  }
}
