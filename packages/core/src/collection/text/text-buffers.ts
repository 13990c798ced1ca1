// The query block of a text search (see assembly/blocks/text.ts) and its scratch memory. Reused between searches; in between, the part of
// the scratch that must be zero is.

import type { Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import {
  textQueryBlock,
  textTermBlock,
  textTermLength,
  textWeightsFloatAt,
  textWeightsLength,
} from '../../kernels/generated/blocks/text.ts'
import { textKernels } from '../../kernels/sets/text.ts'
import type { RowMask } from '../../search/query-block.ts'
import type { PostingPool } from './posting-pool.ts'

/** A posting list that a query asks for. A posting adds weight · count / (count + flat + slope · length). */
export interface QueryList {
  readonly start: number
  readonly size: number
  readonly isBlocked: boolean
  /** Address of the field's lengths. */
  readonly lengths: number
  readonly weight: number
  readonly flat: number
  readonly slope: number
  readonly bound: number
}

export interface TextQuestion {
  readonly lists: readonly QueryList[]
  /** Rows there are. */
  readonly rows: number
  readonly k: number
  readonly mask?: RowMask
  /** Scores only these rows, ascending, and ignores the mask. Default: all. */
  readonly listed?: Uint32Array | undefined
  /** Adds up every posting, ignoring the bounds: for comparison. Default false. */
  readonly exhaustive?: boolean | undefined
}

/** Rows with their scores, best first, ties by row. */
export interface ScoredRows {
  readonly rows: Uint32Array
  readonly scores: Float32Array
}

export class TextBuffers {
  readonly #engine: Engine
  readonly #query: Slice<Uint32Array>
  #terms: Slice<Uint32Array>
  #weights: Slice<Float64Array>
  #scratch: Slice<Uint8Array>
  #outRows: Slice<Uint32Array>
  #outScores: Slice<Float32Array>

  constructor(engine: Engine) {
    this.#engine = engine
    const { arena } = engine
    this.#query = arena.allocate(Uint32Array, textQueryBlock.length)
    this.#terms = arena.allocate(Uint32Array, 0)
    this.#weights = arena.allocate(Float64Array, 0)
    this.#scratch = arena.allocate(Uint8Array, 0)
    this.#outRows = arena.allocate(Uint32Array, 0)
    this.#outScores = arena.allocate(Float32Array, 0)
  }

  search(pool: PostingPool, question: TextQuestion): ScoredRows {
    const { textScratchBytes, textSearch } = this.#engine.exactKernels(textKernels)
    this.#reserve(question, textScratchBytes(question.k, question.lists.length))
    const listed = question.listed && this.#engine.arena.place(question.listed, 'a list of rows')
    try {
      this.#write(pool, question, listed)
      const found = textSearch(this.#scratch.pointer, this.#query.pointer)
      return { rows: this.#outRows.array.slice(0, found), scores: this.#outScores.array.slice(0, found) }
    } finally {
      listed?.free()
    }
  }

  /** What each list adds to the scores of some rows: [rows × lists], 0 where the row is not in the list. */
  matches(pool: PostingPool, question: TextQuestion, rows: Uint32Array): Float32Array {
    this.#reserve(question, 0)
    const scope = this.#engine.arena.scope()
    try {
      const placed = scope.place(rows)
      const out = scope.allocate(Float32Array, rows.length * question.lists.length)
      this.#write(pool, question, undefined)
      this.#engine.exactKernels(textKernels).textMatches(this.#query.pointer, placed.pointer, rows.length, out.pointer)
      return out.array.slice()
    } finally {
      scope.free()
    }
  }

  #write(pool: PostingPool, question: TextQuestion, listed: Slice | undefined): void {
    const { lists, rows, k, mask, exhaustive = false } = question
    textQueryBlock.write(this.#query.array, {
      rows: pool.rows.pointer,
      counts: pool.counts.pointer,
      blockCounts: pool.blockCounts.pointer,
      blockRatios: pool.blockRatios.pointer,
      terms: this.#terms.pointer,
      termCount: lists.length,
      rowCount: rows,
      k,
      mask: mask?.pointer ?? 0,
      listed: listed?.pointer ?? 0,
      listedCount: listed?.length ?? 0,
      exhaustive: exhaustive ? 1 : 0,
      outRows: this.#outRows.pointer,
      outScores: this.#outScores.pointer,
    })
    lists.forEach((list, i) => {
      this.#writeList(list, i)
    })
  }

  #writeList({ start, size, isBlocked, lengths, weight, flat, slope, bound }: QueryList, i: number): void {
    const weights = i * textWeightsLength
    textTermBlock.write(this.#terms.array.subarray(i * textTermLength), {
      ...{ start, end: start + size, position: start, blocked: isBlocked ? 1 : 0, lengths, near: 0 },
      weights: this.#weights.pointer + 8 * weights,
    })
    const numbers = this.#weights.array
    numbers[weights + textWeightsFloatAt.weight] = weight
    numbers[weights + textWeightsFloatAt.flat] = flat
    numbers[weights + textWeightsFloatAt.slope] = slope
    numbers[weights + textWeightsFloatAt.listBound] = bound
  }

  #reserve({ lists, k }: TextQuestion, scratchBytes: number): void {
    const { arena } = this.#engine
    if (this.#terms.length < lists.length * textTermLength) {
      this.#terms = replaced(this.#terms, arena.allocate(Uint32Array, 2 * lists.length * textTermLength))
      this.#weights = replaced(this.#weights, arena.allocate(Float64Array, 2 * lists.length * textWeightsLength))
    }
    if (this.#outRows.length < k) {
      this.#outRows = replaced(this.#outRows, arena.allocate(Uint32Array, 2 * k))
      this.#outScores = replaced(this.#outScores, arena.allocate(Float32Array, 2 * k))
    }
    if (this.#scratch.length < scratchBytes) {
      this.#scratch = replaced(this.#scratch, arena.allocate(Uint8Array, 2 * scratchBytes))
    }
  }
}

function replaced<S extends Slice>(old: S, renewed: S): S {
  old.free()
  return renewed
}
