// A sparse matrix of 32-bit floats in compressed sparse rows (see csr.ts for the layout).

import { EngineError } from '../errors.ts'
import { checkEntries, checkRange, checkRow } from './checks.ts'
import { type Csr, checkCsr, concatCsr, selectCsr, sliceCsr, transposeCsr } from './csr.ts'
import { scaleToUnit } from './dense-matrix.ts'

/** A sparse row: ascending, different indices and their values. */
export interface SparseRow {
  readonly indices: Uint32Array
  readonly values: Float32Array
}

export class SparseMatrix implements Csr {
  readonly rows: number
  readonly columns: number
  readonly offsets: Float64Array
  readonly indices: Uint32Array
  readonly values: Float32Array

  /** Wraps the arrays without copying; they are checked. */
  constructor(rows: number, columns: number, offsets: Float64Array, indices: Uint32Array, values: Float32Array) {
    checkCsr('SparseMatrix', { rows, columns, offsets, indices, values })
    this.rows = rows
    this.columns = columns
    this.offsets = offsets
    this.indices = indices
    this.values = values
  }

  /** From one list of [index, value] pairs a row, in any order; indices may not repeat. Without `columns`, the largest index decides. */
  static from(rows: readonly (readonly (readonly [number, number])[])[], columns?: number): SparseMatrix {
    const offsets = new Float64Array(rows.length + 1)
    rows.forEach((row, i) => {
      offsets[i + 1] = offsets[i] + row.length
    })
    checkEntries('SparseMatrix', offsets[rows.length])
    const indices = new Uint32Array(offsets[rows.length])
    const values = new Float32Array(indices.length)
    let widest = 0
    rows.forEach((row, i) => {
      const sorted = [...row].sort((a, b) => a[0] - b[0])
      sorted.forEach(([index, value], j) => {
        checkEntry(i, index, value)
        indices[offsets[i] + j] = index
        values[offsets[i] + j] = value
        widest = Math.max(widest, index + 1)
      })
    })
    return new SparseMatrix(rows.length, columns ?? widest, offsets, indices, values)
  }

  /** How many entries are stored. */
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

  /** These rows followed by those of `other`; the wider of the two decides the columns. */
  concat(other: SparseMatrix): SparseMatrix {
    return wrap(concatCsr(this, other))
  }

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

function checkEntry(row: number, index: number, value: number): void {
  if (!Number.isInteger(index) || index < 0 || index >= 2 ** 32) {
    throw new EngineError('BAD_DATA', `row ${row} has index ${index}, expected a whole number in [0, 2³²)`)
  }
  if (!Number.isFinite(Math.fround(value))) {
    throw new EngineError('BAD_DATA', `row ${row}, index ${index} is ${value}, expected a finite 32-bit number`)
  }
}

function wrap({ rows, columns, offsets, indices, values }: Csr): SparseMatrix {
  return new SparseMatrix(rows, columns, offsets, indices, values as Float32Array) // csr functions keep values where they were given
}
