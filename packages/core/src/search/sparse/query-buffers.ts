// Where one query at a time is answered: working memory that is kept from query to query, and grows with the largest.

import type { Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { roomBytes } from '../../kernels/generated/blocks/rooms.ts'
import { sparseBatchBlock } from '../../kernels/generated/blocks/sparse-search.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import { type SparseKernels, sparseKernels } from '../../kernels/sets/sparse.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { listNames, type RowMask, type SearchNames, writeQueryBlock } from '../query-block.ts'
import type { Algorithm } from './layout.ts'

/** Neighbors by internal row, best first. */
export interface NearestRows {
  readonly rows: Uint32Array
  readonly similarities: Float32Array
}

/** Some of them, by their places. */
export function pickNearest({ rows, similarities }: NearestRows, places: readonly number[]): NearestRows {
  return {
    rows: Uint32Array.from(places, i => rows[i]),
    similarities: Float32Array.from(places, i => similarities[i]),
  }
}

export interface QueryAnswer extends NearestRows {
  /** Rows whose similarity was computed. */
  readonly candidates: number
}

export interface DeskQuery {
  /** Address of what is searched. */
  readonly index: number
  readonly query: SparseRow
  readonly k: number
  readonly algorithm: Algorithm
  readonly mask: RowMask
}

export class QueryBuffers {
  readonly #kernels: SparseKernels
  readonly #names: SearchNames
  readonly #block: Slice<Uint32Array>
  readonly #offsets: Slice<Uint32Array>
  readonly #count: Slice<Uint32Array>
  readonly #indices: GrowingSlice<Uint32Array>
  readonly #values: GrowingSlice<Float32Array>
  readonly #rows: GrowingSlice<Uint32Array>
  readonly #similarities: GrowingSlice<Float32Array>
  readonly #scratch: GrowingSlice<Uint8Array>

  constructor(engine: Engine, names: SearchNames = listNames) {
    const { arena } = engine
    this.#kernels = engine.exactKernels(sparseKernels)
    this.#names = names
    this.#block = arena.allocate(Uint32Array, sparseBatchBlock.length)
    this.#offsets = arena.allocate(Uint32Array, 2)
    this.#count = arena.allocate(Uint32Array, 1)
    const what = 'a search'
    this.#indices = new GrowingSlice(arena, Uint32Array, { what })
    this.#values = new GrowingSlice(arena, Float32Array, { what })
    this.#rows = new GrowingSlice(arena, Uint32Array, { length: 16, what })
    this.#similarities = new GrowingSlice(arena, Float32Array, { length: 16, what })
    this.#scratch = new GrowingSlice(arena, Uint8Array, { length: roomBytes, what })
  }

  /** The answer is copied: the caller may keep it. */
  answer({ index, query, k, algorithm, mask }: DeskQuery): QueryAnswer {
    this.#place(query, k)
    const scratch = this.#scratchFor(index, k, query.indices.length)
    writeQueryBlock(this.#block.array, {
      ...{ offsets: this.#offsets, indices: this.#indices, values: this.#values, terms: query.indices.length },
      ...{ k, algorithm, mask, excludeSelf: false },
      ...{ rows: this.#rows, similarities: this.#similarities, counts: this.#count },
    })
    const candidates = this.#kernels[this.#names.search](scratch, index, this.#block.pointer, 0, 1)
    const [found] = this.#count.array
    const [rows, similarities] = [this.#rows.array.slice(0, found), this.#similarities.array.slice(0, found)]
    return { rows, similarities, candidates }
  }

  /** Forgets the working memory, which fits one index only: to be called when the index changes. */
  reset(): void {
    this.#scratch.replace(roomBytes)
  }

  free(): void {
    const queries = [this.#block, this.#offsets, this.#count, this.#indices, this.#values]
    for (const slice of [...queries, this.#rows, this.#similarities, this.#scratch]) slice.free()
  }

  #place({ indices, values }: SparseRow, k: number): void {
    this.#indices.reserveAnew(indices.length)
    this.#values.reserveAnew(indices.length)
    this.#rows.reserveAnew(k)
    this.#similarities.reserveAnew(k)
    this.#indices.array.set(indices)
    this.#values.array.set(values)
    this.#offsets.array[1] = indices.length
  }

  #scratchFor(index: number, k: number, terms: number): number {
    this.#scratch.reserveAnew(this.#kernels[this.#names.scratchBytes](this.#scratch.pointer, index, k, terms))
    return this.#scratch.pointer
  }
}
