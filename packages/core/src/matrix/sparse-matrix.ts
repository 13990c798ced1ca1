// A sparse matrix of 32-bit floats in compressed sparse rows (see csr.ts for the layout).

import { finish, mapInSteps, type Steps } from '../long-work.ts'
import { checkEntries, checkInstance, checkList, checkRange, checkRow } from './checks.ts'
import { type Csr, checkCsr, concatCsr, selectCsr, sliceCsr, transposeCsr } from './csr.ts'
import { scaleToUnit } from './dense-matrix.ts'
import { type SparseVector, sparseArraysOf } from './given-vector.ts'
import { registerMatrix } from './matrix-kind.ts'

/** A sparse row: ascending distinct indices and their values. */
export interface SparseRow {
  readonly indices: Uint32Array
  readonly values: Float32Array
}

/** A sparse matrix in CSR form: the indices and values that are not zero. */
export class SparseMatrix implements Csr {
  readonly rows: number
  readonly columns: number
  readonly offsets: Float64Array
  readonly indices: Uint32Array
  readonly values: Float32Array

  /** Wraps the arrays without copying; they are checked. */
  constructor(rows: number, columns: number, offsets: Float64Array, indices: Uint32Array, values: Float32Array) {
    checkCsr('SparseMatrix', { rows, columns, offsets, indices, values })
    registerMatrix('SparseMatrix', SparseMatrix)
    this.rows = rows
    this.columns = columns
    this.offsets = offsets
    this.indices = indices
    this.values = values
  }

  /**
   * Makes a matrix from sparse vectors, such as one list of [index, value] pairs per row. Indices must not repeat within a row. Without
   * `columns`, the largest decides.
   */
  static from(rows: readonly SparseVector[], columns?: number): SparseMatrix {
    checkList('rows', rows, 'a list of sparse vectors')
    return sparseMatrixOf(rows, 'row', columns)
  }

  /** Number of stored entries. */
  get entries(): number {
    return this.indices.length
  }

  /** Row `i` as views: writing to them writes to the matrix. */
  row(i: number): SparseRow {
    checkRow(i, this.rows)
    const [from, to] = [this.offsets[i], this.offsets[i + 1]]
    return { indices: this.indices.subarray(from, to), values: this.values.subarray(from, to) }
  }

  /** Rows [from, to); indices and values are views. */
  slice(from: number, to: number = this.rows): SparseMatrix {
    checkRange(from, to, this.rows)
    return wrap(sliceCsr(this, from, to))
  }

  /** The rows at `picked`, in that order, copied. */
  select(picked: ArrayLike<number>): SparseMatrix {
    return wrap(selectCsr(this, picked))
  }

  /** These rows followed by those of `other`. The result has as many columns as the wider one. */
  concat(other: SparseMatrix): SparseMatrix {
    checkInstance('other', other, SparseMatrix)
    return wrap(concatCsr(this, other))
  }

  /** The transposed matrix, as a copy. */
  transpose(): SparseMatrix {
    return wrap(transposeCsr(this))
  }

  /** A copy in which each row has Euclidean length 1; zero rows stay zero. */
  normalizeRows(): SparseMatrix {
    const values = this.values.slice()
    for (let i = 0; i < this.rows; i++) scaleToUnit(values.subarray(this.offsets[i], this.offsets[i + 1]))
    return new SparseMatrix(this.rows, this.columns, this.offsets, this.indices, values)
  }
}

/** From unchecked vectors; `one` is what messages call them: 'row'. */
export function sparseMatrixOf(vectors: readonly unknown[], one: string, columns?: number): SparseMatrix {
  return finish(sparseMatrixInSteps(vectors, one, columns))
}

/** The same in steps. The vectors must not change meanwhile. */
export function* sparseMatrixInSteps(vectors: readonly unknown[], one: string, columns?: number): Steps<SparseMatrix> {
  const rows = yield* mapInSteps(vectors, (vector, i) => sparseArraysOf(vector, `${one} ${i}`))
  const offsets = new Float64Array(rows.length + 1)
  rows.forEach((row, i) => {
    offsets[i + 1] = offsets[i] + row.indices.length
  })
  checkEntries('SparseMatrix', offsets[rows.length])
  const indices = new Uint32Array(offsets[rows.length])
  const values = new Float32Array(indices.length)
  let widest = 0
  yield* mapInSteps(rows, (row, i) => {
    indices.set(row.indices, offsets[i])
    values.set(row.values, offsets[i])
    for (const index of row.indices) widest = Math.max(widest, index + 1)
  })
  return new SparseMatrix(rows.length, columns ?? widest, offsets, indices, values)
}

function wrap({ rows, columns, offsets, indices, values }: Csr): SparseMatrix {
  return new SparseMatrix(rows, columns, offsets, indices, values as Float32Array) // csr functions return values if they got some
}

/** Whether two rows have the same features with the same values. */
export function sameRow(a: SparseRow, b: SparseRow): boolean {
  const isSame = (x: Uint32Array | Float32Array, y: Uint32Array | Float32Array) =>
    x.length === y.length && x.every((number, i) => number === y[i])
  return isSame(a.indices, b.indices) && isSame(a.values, b.values)
}
