// Cuts room for many small tables or lists out of large chunks of the arena. The arena scans its free blocks one by one, so it should have
// few, large ones. Small room is never returned to a chunk: pools keep what is given back, and reuse it for the same size.

import type { Arena, Slice } from '../kernels/arena.ts'

const chunkWords = 2 ** 18

export class MemoryChunks {
  readonly #arena: Arena
  /** Names the memory in errors. */
  readonly #purpose: string
  readonly #chunks = new Set<Slice<Uint32Array>>()
  /** Those that were made for one large piece. */
  readonly #own = new WeakSet<Slice<Uint32Array>>()
  /** The chunk that small pieces are cut from, and how many of its words are taken. */
  #shared: Slice<Uint32Array> | undefined
  #taken = 0

  constructor(arena: Arena, purpose: string) {
    this.#arena = arena
    this.#purpose = purpose
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return [...this.#chunks].reduce((sum, { length }) => sum + 4 * length, 0)
  }

  /** Room for this many 32-bit words, not cleared: a chunk, and the first word in it. */
  cut(words: number): { readonly chunk: Slice<Uint32Array>; readonly from: number } {
    if (words > chunkWords / 4) {
      const chunk = this.#chunk(words)
      this.#own.add(chunk)
      return { chunk, from: 0 }
    }
    if (!this.#shared || this.#taken + words > chunkWords) {
      this.#shared = this.#chunk(chunkWords)
      this.#taken = 0
    }
    this.#taken += words
    return { chunk: this.#shared, from: this.#taken - words }
  }

  /** Frees the chunk of a large piece. Returns false if other pieces may be in it. */
  release(chunk: Slice<Uint32Array>): boolean {
    if (!this.#own.has(chunk)) return false
    this.#chunks.delete(chunk)
    chunk.free()
    return true
  }

  free(): void {
    for (const chunk of this.#chunks) chunk.free()
    this.#chunks.clear()
  }

  #chunk(words: number): Slice<Uint32Array> {
    const chunk = this.#arena.allocate(Uint32Array, words, this.#purpose)
    this.#chunks.add(chunk)
    return chunk
  }
}
