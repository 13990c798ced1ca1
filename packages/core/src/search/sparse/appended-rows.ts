// Rows added since an inverted index's lists were made. They are in no list: every search computes all of them. So they are
// few, and stay together in two arrays that grow.

import type { Arena } from '../../kernels/arena.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { Discard } from '../../kernels/readers.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'

export class AppendedRows {
  readonly #offsets: GrowingSlice<Uint32Array>
  readonly #pairs: GrowingSlice<Uint32Array>
  #rows = 0

  constructor(arena: Arena, discard: Discard) {
    const what = 'added rows'
    this.#offsets = new GrowingSlice(arena, Uint32Array, { what, discard })
    this.#pairs = new GrowingSlice(arena, Uint32Array, { length: 1024, what, discard })
  }

  get rows(): number {
    return this.#rows
  }

  /** Addresses for the kernels: u32 offsets [rows + 1]; pairs of a feature and its value. */
  get offsetsPointer(): number {
    return this.#offsets.pointer
  }

  get pairsPointer(): number {
    return this.#pairs.pointer
  }

  append({ indices, values }: SparseRow): void {
    const start = this.#offsets.array[this.#rows]
    const end = start + indices.length
    this.#offsets.reserve(this.#rows + 2)
    this.#pairs.reserve(2 * end)
    interleave(indices, values, this.#pairs.array.subarray(2 * start, 2 * end))
    this.#rows++
    this.#offsets.array[this.#rows] = end
  }

  /** Row `i`, copied. */
  row(i: number): SparseRow {
    const [start, end] = [this.#offsets.array[i], this.#offsets.array[i + 1]]
    const { numbers, values } = separate(this.#pairs.array.subarray(2 * start), end - start)
    return { indices: numbers, values }
  }

  toMatrix(columns: number): SparseMatrix {
    return pairsToMatrix(this.#rows, columns, this.#offsets.array, this.#pairs.array)
  }

  free(): void {
    this.#offsets.free()
    this.#pairs.free()
  }
}

/** Numbers and values interleaved, values as bits: one memory stream instead of two. */
export function interleave(numbers: Uint32Array, values: Float32Array, pairs: Uint32Array): void {
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  for (let i = 0; i < numbers.length; i++) {
    pairs[2 * i] = numbers[i]
    pairs[2 * i + 1] = bits[i]
  }
}

/** The first `count` pairs, apart again. */
export function separate(pairs: Uint32Array, count: number): { numbers: Uint32Array; values: Float32Array } {
  const numbers = new Uint32Array(count)
  const bits = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    numbers[i] = pairs[2 * i]
    bits[i] = pairs[2 * i + 1]
  }
  return { numbers, values: new Float32Array(bits.buffer) }
}

/** Compressed rows of pairs as a matrix, copied. */
export function pairsToMatrix(rows: number, columns: number, offsets: Uint32Array, pairs: Uint32Array): SparseMatrix {
  const { numbers, values } = separate(pairs, offsets[rows])
  return new SparseMatrix(rows, columns, Float64Array.from(offsets.subarray(0, rows + 1)), numbers, values)
}
