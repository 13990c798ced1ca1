// Cuts room for many small tables or lists out of large chunks of the arena. The arena scans its free blocks one by one, so it should have
// few, large ones. Room is never returned to a chunk: pools keep what is given back, and reuse it for the same size.

import type { Arena, Slice } from '../kernels/arena.ts'

const chunkWords = 2 ** 18

export class MemoryChunks {
  readonly #arena: Arena
  /** Names the memory in errors. */
  readonly #purpose: string
  readonly #chunks: Slice<Uint32Array>[] = []
  /** The chunk that small pieces are cut from, and how many of its words are taken. */
  #shared: Slice<Uint32Array> | undefined
  #taken = 0

  constructor(arena: Arena, purpose: string) {
    this.#arena = arena
    this.#purpose = purpose
  }

  /** Bytes of all chunks. */
  get bytes(): number {
    return this.#chunks.reduce((sum, { length }) => sum + 4 * length, 0)
  }

  /** Room for this many 32-bit words, not cleared: a chunk, and the first word in it. */
  cut(words: number): { readonly chunk: Slice<Uint32Array>; readonly from: number } {
    if (words > chunkWords / 4) return { chunk: this.#chunk(words), from: 0 }
    if (!this.#shared || this.#taken + words > chunkWords) {
      this.#shared = this.#chunk(chunkWords)
      this.#taken = 0
    }
    this.#taken += words
    return { chunk: this.#shared, from: this.#taken - words }
  }

  free(): void {
    for (const chunk of this.#chunks.splice(0)) chunk.free()
  }

  #chunk(words: number): Slice<Uint32Array> {
    const chunk = this.#arena.allocate(Uint32Array, words, this.#purpose)
    this.#chunks.push(chunk)
    return chunk
  }
}
