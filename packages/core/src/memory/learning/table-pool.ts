// A pool for thousands of tables that are created, doubled and freed. Small tables share chunks of the arena, and reuse the space of
// freed ones of their size; the space of large ones goes back to the arena.

import type { Arena, Slice } from '../../kernels/arena.ts'
import { slotLength, tableLength } from '../../kernels/generated/blocks/memory.ts'
import { MemoryChunks } from '../memory-chunks.ts'

/** A table's place. */
export interface TableRoom {
  readonly pointer: number
  readonly chunk: Slice<Uint32Array>
  /** The table as 32-bit words: a view, invalid after the next change. */
  words(): Uint32Array
}

/** The 32-bit words of a table with 2^bits slots. */
export function tableWords(bits: number): number {
  return tableLength + slotLength * 2 ** bits
}

export class TablePool {
  readonly #chunks: MemoryChunks
  /** Freed tables, by their bits. */
  readonly #returned: TableRoom[][] = []

  constructor(arena: Arena) {
    this.#chunks = new MemoryChunks(arena, 'the routers of a memory')
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#chunks.bytes
  }

  /** Room for a table of 2^bits slots, not cleared. */
  take(bits: number): TableRoom {
    const returned = this.#returned[bits]?.pop()
    if (returned) return returned
    const words = tableWords(bits)
    const { chunk, from } = this.#chunks.cut(words)
    return room(chunk, from, words)
  }

  give(bits: number, table: TableRoom): void {
    if (this.#chunks.release(table.chunk)) return
    this.#returned[bits] ??= []
    this.#returned[bits].push(table)
  }

  free(): void {
    this.#chunks.free()
  }
}

function room(chunk: Slice<Uint32Array>, from: number, words: number): TableRoom {
  return { chunk, pointer: chunk.pointer + 4 * from, words: () => chunk.array.subarray(from, from + words) }
}
