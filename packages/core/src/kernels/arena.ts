// The arena: typed arrays inside one WASM memory. A sorted list of free blocks, first fit, neighbors merged on free; the
// memory grows when no block fits. Invariant: free blocks never touch each other and never overlap a slice.

import { assert, EngineError } from '../errors.ts'

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
  /** The view. Fetch it anew after anything was allocated: where memory is not shared, growing it detaches old views. */
  readonly array: T
  /** Gives the memory back; the slice must not be used afterwards. */
  free(): void
}

/** Something that hands out slices: the arena, or a scope of it that frees them all at once. */
export interface Allocator {
  /** `length` zeros of a typed array's type; `what` names them in an out-of-memory error. */
  allocate<T extends TypedArray>(type: TypedArrayType<T>, length: number, what?: string): Slice<T>
  /** A copy of `array` inside the arena. */
  place<T extends TypedArray>(array: T, what?: string): Slice<T>
}

export interface Scope extends Allocator {
  free(): void
}

const pageBytes = 65_536
/** Slices start on cache lines, so that rows of 16, 32 or 64 bytes never straddle one more than they must. */
const alignment = 64

interface Block {
  start: number
  size: number
}

export class Arena implements Allocator {
  readonly #memory: WebAssembly.Memory
  readonly #maxBytes: number
  readonly #free: Block[] = []
  readonly #sizes = new Map<number, number>()
  #end: number

  constructor(memory: WebAssembly.Memory, start: number, maxBytes: number) {
    this.#memory = memory
    this.#maxBytes = maxBytes
    this.#end = memory.buffer.byteLength
    this.#release({ start: roundUp(start, alignment), size: this.#end - roundUp(start, alignment) })
  }

  /** Bytes the memory has grown to. */
  get bytes(): number {
    return this.#end
  }

  /** Bytes held by slices. */
  get usedBytes(): number {
    let sum = 0
    for (const size of this.#sizes.values()) sum += size
    return sum
  }

  /** The largest slice that can still be had. */
  get freeBytes(): number {
    const last = this.#free.at(-1)
    const tail = last && last.start + last.size === this.#end ? last.size : 0
    const growable = this.#maxBytes - this.#end + tail
    return this.#free.reduce((largest, block) => Math.max(largest, block.size), growable)
  }

  allocate<T extends TypedArray>(type: TypedArrayType<T>, length: number, what = 'an array'): Slice<T> {
    const slice = this.#reserve(type, length, what)
    slice.array.fill(0)
    return slice
  }

  place<T extends TypedArray>(array: T, what = 'an array'): Slice<T> {
    // A typed array's own constructor makes arrays of its type.
    const slice = this.#reserve(array.constructor as unknown as TypedArrayType<T>, array.length, what)
    slice.array.set(array)
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
      place: (array, what) => keep(this.place(array, what)),
      free: () => {
        for (const slice of slices.splice(0)) slice.free()
      },
    }
  }

  #reserve<T extends TypedArray>(type: TypedArrayType<T>, length: number, what: string): Slice<T> {
    assert(Number.isSafeInteger(length) && length >= 0, `the arena was asked for ${length} elements`)
    const size = Math.max(alignment, roundUp(length * type.BYTES_PER_ELEMENT, alignment))
    const pointer = this.#take(size) ?? this.#takeGrowing(size, what)
    this.#sizes.set(pointer, size)
    return new ArenaSlice(this.#memory, type, pointer, length, () => this.#freeAt(pointer))
  }

  #take(size: number): number | undefined {
    const at = this.#free.findIndex(block => block.size >= size)
    const block = this.#free[at]
    if (!block) return undefined
    const { start } = block
    block.start += size
    block.size -= size
    if (block.size === 0) this.#free.splice(at, 1)
    return start
  }

  #takeGrowing(size: number, what: string): number {
    const last = this.#free.at(-1)
    const tail = last && last.start + last.size === this.#end ? last.size : 0
    const pages = Math.ceil((size - tail) / pageBytes)
    if (this.#end + pages * pageBytes > this.#maxBytes) throw this.#outOfMemory(size, what)
    try {
      this.#memory.grow(pages)
    } catch (cause) {
      throw this.#outOfMemory(size, what, cause)
    }
    this.#release({ start: this.#end, size: pages * pageBytes })
    this.#end += pages * pageBytes
    const pointer = this.#take(size)
    assert(pointer !== undefined, 'the arena grew, and still has no room')
    return pointer
  }

  #outOfMemory(size: number, what: string, cause?: unknown): EngineError {
    const message = `${what} needs ${megabytes(size)}, but at most ${megabytes(this.freeBytes)} of ${megabytes(this.#maxBytes)} are free`
    const hint =
      'Use smaller codes (quantized rows), several shards with an engine each, or free what is no longer needed.'
    return new EngineError('OUT_OF_MEMORY', message, { hint, cause })
  }

  #freeAt(pointer: number): void {
    const size = this.#sizes.get(pointer)
    assert(size !== undefined, 'a slice was freed twice')
    this.#sizes.delete(pointer)
    this.#release({ start: pointer, size })
  }

  /** Puts a block back in order and merges it with the free blocks it touches. */
  #release(block: Block): void {
    const free = this.#free
    let at = free.findIndex(other => other.start > block.start)
    if (at < 0) at = free.length
    free.splice(at, 0, block)
    this.#mergeWithNext(at)
    if (at > 0) this.#mergeWithNext(at - 1)
  }

  #mergeWithNext(at: number): void {
    const [block, next] = [this.#free[at], this.#free[at + 1]]
    if (!next || block.start + block.size !== next.start) return
    block.size += next.size
    this.#free.splice(at + 1, 1)
  }
}

class ArenaSlice<T extends TypedArray> implements Slice<T> {
  readonly pointer: number
  readonly length: number
  readonly free: () => void
  readonly #memory: WebAssembly.Memory
  readonly #type: TypedArrayType<T>
  #view: T

  constructor(memory: WebAssembly.Memory, type: TypedArrayType<T>, pointer: number, length: number, free: () => void) {
    this.pointer = pointer
    this.length = length
    this.free = free
    this.#memory = memory
    this.#type = type
    this.#view = new type(memory.buffer, pointer, length)
  }

  get array(): T {
    // Growing an unshared memory detaches its views; shared memory keeps them.
    if (this.#view.length !== this.length) this.#view = new this.#type(this.#memory.buffer, this.pointer, this.length)
    return this.#view
  }
}

function roundUp(size: number, unit: number): number {
  return Math.ceil(size / unit) * unit
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 3 : 0)} MiB`
}
