// The postings of all lists, in one pool in the arena: row and count of each. A list has a chunk whose capacity is a power of two; when it
// is full, the list moves to one twice as large, and its old chunk is reused. Chunks of 64 postings and more begin on a multiple of 64, so
// that block i of the pool belongs to one list: its bounds are kept at [i] (see assembly/blocks/text.ts).

import type { Arena } from '../../kernels/arena.ts'
import { blockPostings } from '../../kernels/generated/blocks/text.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'

const what = 'the postings'
/** Counts are 16 bits wide. For BM25, larger ones make no difference. */
export const mostCounted = 0xffff

export class PostingPool {
  readonly rows: GrowingSlice<Uint32Array>
  readonly counts: GrowingSlice<Uint16Array>
  /** Of each block the largest count, and the smallest quotient of the field's length and the count. */
  readonly blockCounts: GrowingSlice<Float32Array>
  readonly blockRatios: GrowingSlice<Float32Array>
  /** Chunks that no list uses, by the logarithm of their capacity. */
  readonly #unused: number[][] = []
  #end = 0

  constructor(arena: Arena, postings = 64) {
    this.rows = new GrowingSlice(arena, Uint32Array, { length: postings, what })
    this.counts = new GrowingSlice(arena, Uint16Array, { length: postings, what })
    const blocks = Math.ceil(postings / blockPostings) + 1
    this.blockCounts = new GrowingSlice(arena, Float32Array, { length: blocks, what })
    this.blockRatios = new GrowingSlice(arena, Float32Array, { length: blocks, what })
  }

  /** Where a chunk of this capacity, a power of two, begins. */
  take(capacity: number): number {
    const unused = this.#unused[Math.log2(capacity)]?.pop()
    if (unused !== undefined) return unused
    const start = capacity < blockPostings ? this.#end : Math.ceil(this.#end / blockPostings) * blockPostings
    const end = start + capacity
    this.rows.reserve(end)
    this.counts.reserve(end)
    this.blockCounts.reserve(Math.ceil(end / blockPostings))
    this.blockRatios.reserve(Math.ceil(end / blockPostings))
    this.#end = end
    return start
  }

  give(start: number, capacity: number): void {
    const power = Math.log2(capacity)
    for (let i = this.#unused.length; i <= power; i++) this.#unused.push([])
    this.#unused[power].push(start)
  }

  /** Moves `count` postings to another chunk, and the bounds of their blocks if both chunks have blocks. */
  move(from: number, to: number, count: number, areBlocked: boolean): void {
    this.rows.array.copyWithin(to, from, from + count)
    this.counts.array.copyWithin(to, from, from + count)
    if (!areBlocked) return
    const [first, target, blocks] = [from / blockPostings, to / blockPostings, Math.ceil(count / blockPostings)]
    this.blockCounts.array.copyWithin(target, first, first + blocks)
    this.blockRatios.array.copyWithin(target, first, first + blocks)
  }

  set(at: number, row: number, count: number): void {
    this.rows.array[at] = row
    this.counts.array[at] = count
  }

  /** Includes a posting in the bounds of its block; it may be the block's first. */
  bound(at: number, count: number, ratio: number, isFirst: boolean): void {
    const block = Math.floor(at / blockPostings)
    const [counts, ratios] = [this.blockCounts.array, this.blockRatios.array]
    if (isFirst || count > counts[block]) counts[block] = count
    if (isFirst || ratio < ratios[block]) ratios[block] = ratio
  }

  /** Where the last chunk ends. */
  get end(): number {
    return this.#end
  }

  get bytes(): number {
    return 4 * this.rows.length + 2 * this.counts.length + 4 * (this.blockCounts.length + this.blockRatios.length)
  }

  free(): void {
    for (const part of [this.rows, this.counts, this.blockCounts, this.blockRatios]) part.free()
  }
}
