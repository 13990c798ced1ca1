// A pool for many small lists that double in size. Lists of one size share chunks of the arena and reuse freed space.

import type { Arena } from '../../kernels/arena.ts'
import { MemoryChunks } from '../memory-chunks.ts'

/** 32-bit words of an entry: a row and a value. */
const entryWords = 2

export class KeyPostingPool {
  readonly #chunks: MemoryChunks
  /** Freed addresses, by the logarithm of their entries. */
  readonly #returned: number[][] = []

  constructor(arena: Arena) {
    this.#chunks = new MemoryChunks(arena, 'the index of a memory')
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#chunks.bytes
  }

  /** The address of room for 2^bits entries, not cleared. */
  take(bits: number): number {
    const returned = this.#returned[bits]?.pop()
    if (returned !== undefined) return returned
    const { chunk, from } = this.#chunks.cut(entryWords * 2 ** bits)
    return chunk.pointer + 4 * from
  }

  give(bits: number, pointer: number): void {
    this.#returned[bits] ??= []
    this.#returned[bits].push(pointer)
  }

  free(): void {
    this.#chunks.free()
  }
}
