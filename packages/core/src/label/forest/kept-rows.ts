// Training rows in the arena, which grow at the end: sparse ones as compressed rows, dense ones with all their numbers.

import type { CopyOnWriteArrays, KeptArray } from '../../kernels/copy-on-write-arrays.ts'
import type { LeafRowsBlock } from '../../kernels/generated/blocks/forest-labels.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'

type RowPointers = Pick<LeafRowsBlock, 'offsets' | 'indices' | 'values'>

export interface KeptRows {
  readonly columns: number
  /** Whether rows are dense. */
  readonly dense: boolean
  /** A row, copied: views would be outdated by what is allocated next. */
  row(row: number): SparseRow
  /** Adds a row at the end, which gets the number `row`. */
  add(row: number, added: SparseRow): void
  /** The first `rows` rows, copied. */
  matrix(rows: number): SparseMatrix
  /** Addresses of offsets, indices and values: the first two are 0 for dense rows. */
  pointers(): RowPointers
}

/** `dense` rows include their zeros. */
export function keepRows(arrays: CopyOnWriteArrays, rows: SparseMatrix, dense: boolean): KeptRows {
  return dense ? new KeptDenseRows(arrays, rows) : new KeptSparseRows(arrays, rows)
}

class KeptSparseRows implements KeptRows {
  readonly dense = false
  readonly columns: number
  readonly #offsets: KeptArray<Uint32Array>
  readonly #indices: KeptArray<Uint32Array>
  readonly #values: KeptArray<Float32Array>

  constructor(arrays: CopyOnWriteArrays, rows: SparseMatrix) {
    this.columns = rows.columns
    this.#offsets = arrays.make(Uint32Array, rows.rows + 1)
    this.#indices = arrays.make(Uint32Array, rows.entries)
    this.#values = arrays.make(Float32Array, rows.entries)
    this.#offsets.array.set(rows.offsets)
    this.#indices.array.set(rows.indices)
    this.#values.array.set(rows.values)
  }

  row(row: number): SparseRow {
    const [from, to] = [this.#offsets.array[row], this.#offsets.array[row + 1]]
    return { indices: this.#indices.array.slice(from, to), values: this.#values.array.slice(from, to) }
  }

  add(row: number, { indices, values }: SparseRow): void {
    const from = this.#offsets.array[row]
    const to = from + indices.length
    for (const array of [this.#indices, this.#values]) array.grow(to)
    this.#offsets.grow(row + 2)
    this.#indices.writable().set(indices, from)
    this.#values.writable().set(values, from)
    this.#offsets.writable()[row + 1] = to
  }

  matrix(rows: number): SparseMatrix {
    const offsets = Float64Array.from(this.#offsets.array.subarray(0, rows + 1))
    const entries = offsets[rows]
    const [indices, values] = [this.#indices.array.slice(0, entries), this.#values.array.slice(0, entries)]
    return new SparseMatrix(rows, this.columns, offsets, indices, values)
  }

  pointers(): RowPointers {
    return { offsets: this.#offsets.pointer, indices: this.#indices.pointer, values: this.#values.pointer }
  }
}

class KeptDenseRows implements KeptRows {
  readonly dense = true
  readonly columns: number
  readonly #values: KeptArray<Float32Array>
  readonly #indices: Uint32Array

  constructor(arrays: CopyOnWriteArrays, rows: SparseMatrix) {
    this.columns = rows.columns
    this.#indices = Uint32Array.from({ length: rows.columns }, (_, j) => j)
    this.#values = arrays.make(Float32Array, rows.entries)
    this.#values.array.set(rows.values)
  }

  row(row: number): SparseRow {
    const values = this.#values.array.slice(row * this.columns, (row + 1) * this.columns)
    return { indices: this.#indices, values }
  }

  add(row: number, { values }: SparseRow): void {
    this.#values.grow((row + 1) * this.columns)
    this.#values.writable().set(values, row * this.columns)
  }

  matrix(rows: number): SparseMatrix {
    return fullRows(new DenseMatrix(rows, this.columns, this.#values.array.slice(0, rows * this.columns)))
  }

  pointers(): RowPointers {
    return { offsets: 0, indices: 0, values: this.#values.pointer }
  }
}

/** Rows with all their numbers, zeros too, as compressed rows. */
export function fullRows(matrix: DenseMatrix): SparseMatrix {
  const { rows, columns } = matrix
  const offsets = Float64Array.from({ length: rows + 1 }, (_, row) => row * columns)
  const indices = new Uint32Array(rows * columns)
  for (let e = 0; e < indices.length; e++) indices[e] = e % columns
  return new SparseMatrix(rows, columns, offsets, indices, matrix.toFloat32())
}
