// Allocates blocks of one WASM memory: a sorted list of free blocks, first fit; adjacent blocks are merged when freed. The memory grows if
// no block fits. Invariant: free blocks never touch each other and never overlap a block that is taken.

import { assert, EngineError } from '../errors.ts'
import type { WasmMemory } from '../web-types.ts'
import { comfortBytes } from './collection.ts'

const pageBytes = 65_536
/** Blocks start on cache lines, so that rows of 16, 32 or 64 bytes span no more lines than necessary. */
const alignment = 64

interface Block {
  start: number
  size: number
}

export class Heap {
  /**
   * For tests: memory that is not shared moves at every `take`, so that views held across an allocation are found at once and not
   * only when the memory happens to grow.
   */
  static restless = false
  readonly memory: WasmMemory
  /** Collecting garbage is worthwhile above this many bytes in use; see collection.ts. */
  comfort = comfortBytes
  readonly #maxBytes: number
  readonly #free: Block[] = []
  readonly #sizes = new Map<number, number>()
  #end: number
  #usedBytes = 0
  #views = 0

  constructor(memory: WasmMemory, start: number, maxBytes: number) {
    this.memory = memory
    this.#maxBytes = maxBytes
    this.#end = memory.buffer.byteLength
    this.#release({ start: roundUp(start), size: this.#end - roundUp(start) })
  }

  /** Bytes the memory has grown to. */
  get bytes(): number {
    return this.#end
  }

  /** Bytes of the blocks that are taken. */
  get usedBytes(): number {
    return this.#usedBytes
  }

  /** The largest block that can still be allocated. */
  get freeBytes(): number {
    return this.#free.reduce((largest, block) => Math.max(largest, block.size), this.#growable())
  }

  /** Changes whenever growing has detached the views of a memory that is not shared. */
  get views(): number {
    return this.#views
  }

  /** A block of at least this many bytes; `what` names it in an out-of-memory error. Returns its address. */
  take(bytes: number, what: string): number {
    const size = Math.max(alignment, roundUp(bytes))
    const pointer = this.#takeFree(size) ?? this.#takeGrowing(size, what)
    this.#sizes.set(pointer, size)
    this.#usedBytes += size
    if (Heap.restless) this.#grow(0)
    return pointer
  }

  give(pointer: number): void {
    const size = this.#sizes.get(pointer)
    assert(size !== undefined, `no block begins at ${pointer}`)
    this.#sizes.delete(pointer)
    this.#usedBytes -= size
    this.#release({ start: pointer, size })
  }

  #takeFree(size: number): number | undefined {
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
    const pages = Math.ceil((size - this.#tail()) / pageBytes)
    if (this.#end + pages * pageBytes > this.#maxBytes) throw this.#outOfMemory(size, what)
    try {
      this.#grow(pages)
    } catch (cause) {
      throw this.#outOfMemory(size, what, cause)
    }
    this.#release({ start: this.#end, size: pages * pageBytes })
    this.#end += pages * pageBytes
    const pointer = this.#takeFree(size)
    assert(pointer !== undefined, 'the memory grew, and still has no room')
    return pointer
  }

  /** Views of shared memory stay valid; all others are detached. */
  #grow(pages: number): void {
    this.memory.grow(pages)
    this.#views++
  }

  /** Free bytes at the end. */
  #tail(): number {
    const last = this.#free.at(-1)
    return last && last.start + last.size === this.#end ? last.size : 0
  }

  #growable(): number {
    return this.#maxBytes - this.#end + this.#tail()
  }

  #outOfMemory(size: number, what: string, cause?: unknown): EngineError {
    const message = `${what} needs ${megabytes(size)}, but at most ${megabytes(this.freeBytes)} of ${megabytes(this.#maxBytes)} are free`
    const hint =
      'Call free() on indexes and models that you no longer need, use smaller codes (quantized rows), or several engines.'
    return new EngineError('OUT_OF_MEMORY', message, { hint, cause })
  }

  /** Inserts a block in order and merges it with adjacent free blocks. */
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

function roundUp(size: number): number {
  return Math.ceil(size / alignment) * alignment
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 20 ? 3 : 0)} MiB`
}
