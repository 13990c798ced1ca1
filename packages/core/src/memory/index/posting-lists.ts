// An inverted index that grows: for every feature the rows that have it, with their values. A row is added to the lists of its
// features, or to none of them. A removed row stays in its lists, for the caller to ignore, until rows are renumbered.

import type { Slice } from '../../kernels/arena.ts'
import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { KeyPostingPool } from './posting-pool.ts'

interface PostingList {
  pointer: number
  /** There is room for 2^bits entries. */
  bits: number
  count: number
}

/** The new number of a removed row. */
export const goneRow = 0xffffffff

export class KeyPostingLists {
  readonly #kernels: MemoryKernels
  readonly #pool: KeyPostingPool
  readonly #lists = new Map<number, PostingList>()

  constructor(kernels: MemoryKernels, pool: KeyPostingPool) {
    this.#kernels = kernels
    this.#pool = pool
  }

  /** `isPivoted`: longer keys count a little more. */
  add(row: number, { indices, values }: SparseRow, isPivoted = true): void {
    const pivot = isPivoted ? this.#kernels.pivotOf(indices.length) : 1
    let added = 0
    try {
      for (; added < indices.length; added++) this.#put(indices[added], row, values[added] * pivot)
    } catch (error) {
      for (let e = 0; e < added; e++) this.#takeBack(indices[e])
      throw error
    }
  }

  /** Adds to every sum of a row what it shares with the weighted query. */
  addSums({ indices, values }: SparseRow, sums: number): void {
    for (let e = 0; e < indices.length; e++) {
      const list = this.#lists.get(indices[e])
      if (list) this.#kernels.postingAdd(list.pointer, list.count, values[e], sums)
    }
  }

  /** Renumbers rows by `numbers`; drops those that map to `goneRow`. */
  renumber(numbers: Slice<Uint32Array>): void {
    for (const [feature, list] of this.#lists) {
      list.count = this.#kernels.postingRenumber(list.pointer, list.count, numbers.pointer)
      if (list.count === 0) this.#drop(feature, list)
    }
  }

  /** Returns all lists to the pool. */
  clear(): void {
    for (const [feature, list] of this.#lists) this.#drop(feature, list)
  }

  #put(feature: number, row: number, value: number): void {
    const list = this.#listOf(feature)
    if (list.count === 2 ** list.bits) this.#grow(list)
    this.#kernels.postingPut(list.pointer, list.count, row, value)
    list.count++
  }

  #takeBack(feature: number): void {
    const list = this.#lists.get(feature)
    if (!list) return
    list.count--
    if (list.count === 0) this.#drop(feature, list)
  }

  #listOf(feature: number): PostingList {
    const known = this.#lists.get(feature)
    if (known) return known
    const list = { pointer: this.#pool.take(0), bits: 0, count: 0 }
    this.#lists.set(feature, list)
    return list
  }

  #grow(list: PostingList): void {
    const larger = this.#pool.take(list.bits + 1)
    this.#kernels.postingMove(list.pointer, larger, list.count)
    this.#pool.give(list.bits, list.pointer)
    list.pointer = larger
    list.bits++
  }

  #drop(feature: number, { bits, pointer }: PostingList): void {
    this.#pool.give(bits, pointer)
    this.#lists.delete(feature)
  }
}
