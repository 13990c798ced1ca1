// Arrays in the arena that worker threads may be reading while the model changes. While there is a reader, writing
// goes to a copy, and the reader's version is freed when the last reader is done. Invariant: an array does not change between the start
// and the end of a reading.

import type { Scope, Slice, TypedArray, TypedArrayType } from './arena.ts'
import type { Engine } from './engine.ts'

export class CopyOnWriteArrays {
  readonly engine: Engine
  readonly #live = new Set<Slice>()
  readonly #outdated: Slice[] = []
  #readers = 0
  /** Counts the times reading began. */
  #readings = 0

  constructor(engine: Engine) {
    this.engine = engine
  }

  make<T extends TypedArray>(type: TypedArrayType<T>, length: number): KeptArray<T> {
    return new KeptArray(this, type, length)
  }

  /** No current array changes or is freed until `work` is done. */
  async read<T>(work: () => Promise<T>): Promise<T> {
    const release = this.hold()
    try {
      return await work()
    } finally {
      release()
    }
  }

  /** The same until the function that it returns is called, once. */
  hold(): () => void {
    this.#readers++
    this.#readings++
    return () => {
      if (--this.#readers === 0) for (const slice of this.#outdated.splice(0)) slice.free()
    }
  }

  /** What `place` makes in a scope of its own, with the arrays as they are now. Both stay until `free` is called, once. */
  snapshot<T>(place: (scope: Scope) => T): { readonly placed: T; free(): void } {
    const scope = this.engine.arena.scope()
    try {
      const placed = place(scope)
      const release = this.hold()
      return {
        placed,
        free: () => {
          scope.free()
          release()
        },
      }
    } catch (error) {
      scope.free()
      throw error
    }
  }

  /** The number of the latest reading while there are readers; 0 if there are none. */
  get lastReading(): number {
    return this.#readers > 0 ? this.#readings : 0
  }

  reserve<T extends TypedArray>(type: TypedArrayType<T>, length: number): Slice<T> {
    const slice = this.engine.arena.allocate(type, length, 'the labels')
    this.#live.add(slice)
    return slice
  }

  discard(slice: Slice): void {
    this.#live.delete(slice)
    if (this.#readers > 0) this.#outdated.push(slice)
    else slice.free()
  }

  /** Frees all memory: at once, or when the last reader is done. */
  free(): void {
    for (const slice of [...this.#live]) this.discard(slice)
  }
}

export class KeptArray<T extends TypedArray> {
  readonly #owner: CopyOnWriteArrays
  readonly #type: TypedArrayType<T>
  #slice: Slice<T>
  #madeAt: number

  constructor(owner: CopyOnWriteArrays, type: TypedArrayType<T>, length: number) {
    this.#owner = owner
    this.#type = type
    this.#slice = owner.reserve(type, length)
    this.#madeAt = owner.lastReading
  }

  get pointer(): number {
    return this.#slice.pointer
  }

  get length(): number {
    return this.#slice.length
  }

  /** For reading. Outdated by the next call of `writable` or `resize`. */
  get array(): T {
    return this.#slice.array
  }

  /** For writing: a copy if a reader holds the array. */
  writable(): T {
    if (this.#owner.lastReading > this.#madeAt) this.resize(this.length)
    return this.#slice.array
  }

  /** Changes the length; keeps what fits, the rest is zeros. */
  resize(length: number): void {
    const old = this.#slice
    this.#slice = this.#owner.reserve(this.#type, length)
    this.#slice.array.set(old.array.subarray(0, length))
    this.#owner.discard(old)
    this.#madeAt = this.#owner.lastReading
  }

  /** Makes room for `length`; if it has to grow, by half as much again. */
  grow(length: number): void {
    if (length > this.length) this.resize(Math.ceil(1.5 * length) + 16)
  }
}
