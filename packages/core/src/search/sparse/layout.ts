// The lists of an inverted index in the arena, and the block of addresses that the kernels read (InvertedLists in
// assembly/blocks/sparse-search.ts). Lists that only some algorithms need are made when first asked for.
// Invariant: never changed once made, so that running batches can continue to read.

import type { Scope, Slice, TypedArray } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { Engine } from '../../kernels/engine.ts'
import {
  type InvertedListsBlock,
  invertedListsAt,
  invertedListsBlock,
} from '../../kernels/generated/blocks/sparse-search.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { checkWord } from '../../options.ts'
import { type AppendedRows, interleave, pairsToMatrix, separate } from './appended-rows.ts'
import { columnBytes, type FrequentColumns } from './frequent-columns.ts'
import { listByRow, listByValue, type PostingLists, partition } from './posting-lists.ts'

/** The ways to search. */
export const algorithms = ['auto', 'taat', 'wand', 'partitioned', 'threshold'] as const
/**
 * The search algorithm. 'auto' is ours and the fastest. 'partitioned' comes from the LCIF paper, which compares it with the others: term at
 * a time, Weak-AND and Fagin's threshold algorithm. All give the same answers, to the last bit.
 */
export type Algorithm = (typeof algorithms)[number]

export class InvertedLayout {
  readonly rows: number
  readonly columns: number
  readonly #scope: Scope
  readonly #block: Slice<Uint32Array>
  readonly #made = new Set<Algorithm>()
  readonly #partitionBest: number
  // What toMatrix and toSplit read again.
  readonly #rowOffsets: Slice<Uint32Array>
  readonly #rowPairs: Slice<Uint32Array>
  readonly #tops: Slice<Float32Array>
  readonly #shortOffsets: Slice<Uint32Array>
  readonly #shortPairs: Slice<Uint32Array>
  readonly #columnBytes: Slice<Uint8Array>
  readonly #frequent: Uint32Array
  readonly #columnTops: Float32Array

  /** `partitionBest`: how many of the highest values of a feature put their rows into the first part ('partitioned'). */
  constructor(engine: Engine, matrix: SparseMatrix, split: FrequentColumns, partitionBest: number) {
    this.rows = matrix.rows
    this.columns = matrix.columns
    this.#partitionBest = partitionBest
    this.#frequent = split.frequent
    this.#columnTops = split.columnTops
    this.#scope = engine.arena.scope()
    try {
      this.#rowOffsets = this.#place(Uint32Array.from(matrix.offsets))
      this.#rowPairs = this.#placePairs(matrix.indices, matrix.values)
      this.#tops = this.#place(split.tops)
      this.#shortOffsets = this.#place(split.short.offsets)
      this.#shortPairs = this.#placePairs(split.short.rows, split.short.values)
      this.#columnBytes = this.#place(split.columns)
      this.#block = placeBlock(this.#scope, invertedListsBlock, {
        ...{ rows: matrix.rows, features: matrix.columns, maxLength: longestRow(matrix) },
        rowOffsets: this.#rowOffsets.pointer,
        rowPairs: this.#rowPairs.pointer,
        tops: this.#tops.pointer,
        shortOffsets: this.#shortOffsets.pointer,
        shortPairs: this.#shortPairs.pointer,
        ...this.#placeColumns(split),
        // Set before each search.
        ...{ tailRows: 0, tailOffsets: 0, tailPairs: 0 },
        // Set when an algorithm first needs them.
        ...{ listOffsets: 0, listPairs: 0, sortedPairs: 0, partPairs: 0, partStarts: 0, partTops: 0 },
      })
    } catch (error) {
      this.#scope.free()
      throw error
    }
  }

  /** The block as a search with this algorithm needs it; `tail` holds the rows from `rows` on. */
  blockFor(algorithm: Algorithm, tail: AppendedRows): Slice<Uint32Array> {
    this.#prepare(algorithm)
    this.#set('tailRows', tail.rows)
    this.#set('tailOffsets', tail.offsetsPointer)
    this.#set('tailPairs', tail.pairsPointer)
    return this.#block
  }

  /** One row, copied. */
  row(row: number): SparseRow {
    const { array: offsets } = this.#rowOffsets
    const pairs = this.#rowPairs.array.subarray(2 * offsets[row], 2 * offsets[row + 1])
    const { numbers: indices, values } = separate(pairs, pairs.length / 2)
    return { indices, values }
  }

  /** The rows, copied. */
  toMatrix(): SparseMatrix {
    return pairsToMatrix(this.rows, this.columns, this.#rowOffsets.array, this.#rowPairs.array)
  }

  /** What the constructor was given, copied. */
  toSplit(): FrequentColumns {
    const offsets = this.#shortOffsets.array.slice()
    const { numbers: rows, values } = separate(this.#shortPairs.array, offsets[this.columns])
    return {
      tops: this.#tops.array.slice(),
      short: { offsets, rows, values },
      frequent: this.#frequent,
      columnTops: this.#columnTops,
      columns: this.#columnBytes.array.slice(),
    }
  }

  free(): void {
    this.#scope.free()
  }

  #prepare(algorithm: Algorithm): void {
    if (algorithm === 'auto' || this.#made.has(algorithm)) return
    const lists = listByRow(this.toMatrix())
    if (this.#made.size === 0) this.#set('listOffsets', this.#place(lists.offsets).pointer)
    if (algorithm === 'partitioned') this.#placeParts(lists)
    else if (algorithm === 'threshold') this.#placeSorted(lists)
    else this.#set('listPairs', this.#placePairs(lists.rows, lists.values).pointer)
    this.#made.add(algorithm)
    // These two read the same lists.
    if (algorithm === 'taat' || algorithm === 'wand') this.#made.add('taat').add('wand')
  }

  #placeColumns({ frequent, columnTops }: FrequentColumns): Pick<InvertedListsBlock, 'columns' | 'columnTops'> {
    const addresses = new Uint32Array(this.columns)
    const tops = new Float32Array(this.columns)
    frequent.forEach((feature, i) => {
      addresses[feature] = this.#columnBytes.pointer + i * columnBytes(this.rows)
      tops[feature] = columnTops[i]
    })
    return { columns: this.#place(addresses).pointer, columnTops: this.#place(tops).pointer }
  }

  #placeParts(lists: PostingLists): void {
    const parts = partition(lists, this.rows, this.#partitionBest)
    this.#set('partPairs', this.#placePairs(parts.rows, parts.values).pointer)
    this.#set('partStarts', this.#place(parts.starts).pointer)
    this.#set('partTops', this.#place(parts.tops).pointer)
  }

  #placeSorted(lists: PostingLists): void {
    const sorted = listByValue(lists)
    this.#set('sortedPairs', this.#placePairs(sorted.rows, sorted.values).pointer)
  }

  #place<T extends TypedArray>(array: T): Slice<T> {
    return this.#scope.place(array, 'the inverted index')
  }

  #placePairs(numbers: Uint32Array, values: Float32Array): Slice<Uint32Array> {
    const slice = this.#scope.allocate(Uint32Array, 2 * numbers.length, 'the inverted index')
    interleave(numbers, values, slice.array)
    return slice
  }

  #set(field: keyof typeof invertedListsAt, value: number): void {
    this.#block.array[invertedListsAt[field]] = value
  }
}

function longestRow(matrix: SparseMatrix): number {
  let longest = 0
  for (let row = 0; row < matrix.rows; row++) {
    let squares = 0
    for (let e = matrix.offsets[row]; e < matrix.offsets[row + 1]; e++) squares += matrix.values[e] ** 2
    longest = Math.max(longest, squares)
  }
  return Math.sqrt(longest)
}

export function checkAlgorithm(name: Algorithm): void {
  checkWord('algorithm', name, algorithms)
}
