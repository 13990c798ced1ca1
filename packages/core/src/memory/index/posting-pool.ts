// A pool for many small lists that double in size. Lists of one size share chunks of the arena and reuse freed space. The arena scans its
// free blocks one by one, so it should have few, large ones.

import type { Arena, Slice } from '../../kernels/arena.ts'

/** Bytes of an entry: a row and a value. */
const entryBytes = 8
const chunkBytes = 2 ** 20

export class KeyPostingPool {
  readonly #arena: Arena
  readonly #chunks: Slice<Uint8Array>[] = []
  /** Freed addresses, by the logarithm of their entries. */
  readonly #returned: number[][] = []
  /** The chunk that small lists are cut from, and how many of its bytes are taken. */
  #shared: Slice<Uint8Array> | undefined
  #taken = 0

  constructor(arena: Arena) {
    this.#arena = arena
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + length, 0)
  }

  /** The address of room for 2^bits entries, not cleared. */
  take(bits: number): number {
    const returned = this.#returned[bits]?.pop()
    if (returned !== undefined) return returned
    const bytes = entryBytes * 2 ** bits
    if (bytes > chunkBytes / 4) return this.#chunk(bytes).pointer
    if (!this.#shared || this.#taken + bytes > chunkBytes) {
      this.#shared = this.#chunk(chunkBytes)
      this.#taken = 0
    }
    this.#taken += bytes
    return this.#shared.pointer + this.#taken - bytes
  }

  give(bits: number, pointer: number): void {
    this.#returned[bits] ??= []
    this.#returned[bits].push(pointer)
  }

  free(): void {
    for (const chunk of this.#chunks.splice(0)) chunk.free()
  }

  #chunk(bytes: number): Slice<Uint8Array> {
    const chunk = this.#arena.allocate(Uint8Array, bytes, 'the index of a memory')
    this.#chunks.push(chunk)
    return chunk
  }
}
