// A pool for thousands of tables that are created, doubled and freed. Tables of one size share chunks of the arena and reuse freed space.
// The arena scans its free blocks one by one, so it should have few, large ones.

import type { Arena, Slice } from '../../kernels/arena.ts'
import { slotLength, tableLength } from '../../kernels/generated/blocks/memory.ts'

/** A table's place. */
export interface TableRoom {
  readonly pointer: number
  /** The table as 32-bit words: a view, invalid after the next change. */
  words(): Uint32Array
}

const chunkWords = 2 ** 18

/** The 32-bit words of a table with 2^bits slots. */
export function tableWords(bits: number): number {
  return tableLength + slotLength * 2 ** bits
}

export class TablePool {
  readonly #arena: Arena
  readonly #chunks: Slice<Uint32Array>[] = []
  /** Freed tables, by their bits. */
  readonly #returned: TableRoom[][] = []
  /** The chunk that small tables are cut from, and how many of its words are taken. */
  #shared: Slice<Uint32Array> | undefined
  #taken = 0

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + 4 * length, 0)
  }

  /** Room for a table of 2^bits slots, not cleared. */
  take(bits: number): TableRoom {
    const returned = this.#returned[bits]?.pop()
    if (returned) return returned
    const words = tableWords(bits)
    if (words > chunkWords / 4) return room(this.#chunk(words), 0, words)
    if (!this.#shared || this.#taken + words > chunkWords) {
      this.#shared = this.#chunk(chunkWords)
      this.#taken = 0
    }
    this.#taken += words
    return room(this.#shared, this.#taken - words, words)
  }

  give(bits: number, table: TableRoom): void {
    this.#returned[bits] ??= []
    this.#returned[bits].push(table)
  }

  free(): void {
    for (const chunk of this.#chunks.splice(0)) chunk.free()
  }

  #chunk(words: number): Slice<Uint32Array> {
    const chunk = this.#arena.allocate(Uint32Array, words, 'the routers of a memory')
    this.#chunks.push(chunk)
    return chunk
  }
}

function room(chunk: Slice<Uint32Array>, from: number, words: number): TableRoom {
  return { pointer: chunk.pointer + 4 * from, words: () => chunk.array.subarray(from, from + words) }
}
