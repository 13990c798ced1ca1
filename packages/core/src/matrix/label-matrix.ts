// Which row carries which labels: a binary matrix in compressed sparse rows (see csr.ts for the layout).

import { EngineError, shown } from '../errors.ts'
import { checkEntries, checkInstance, checkList, checkRange, checkRow } from './checks.ts'
import { type Csr, checkCsr, concatCsr, selectCsr, sliceCsr, transposeCsr } from './csr.ts'
import { requireNumberList } from './given-vector.ts'
import { registerMatrix } from './matrix-kind.ts'

/** The labels of each row, as a list of label numbers per row. */
export class LabelMatrix implements Csr {
  readonly rows: number
  /** Number of labels. */
  readonly columns: number
  readonly offsets: Float64Array
  readonly indices: Uint32Array

  /** Wraps the arrays without copying; they are checked. */
  constructor(rows: number, columns: number, offsets: Float64Array, indices: Uint32Array) {
    checkCsr('LabelMatrix', { rows, columns, offsets, indices })
    registerMatrix('LabelMatrix', LabelMatrix)
    this.rows = rows
    this.columns = columns
    this.offsets = offsets
    this.indices = indices
  }

  /** Makes a matrix from one list of labels per row, in any order, without repeats. Without `columns`, the largest label decides. */
  static from(rows: readonly ArrayLike<number>[], columns?: number): LabelMatrix {
    checkList('rows', rows, 'a list of lists of labels')
    const offsets = new Float64Array(rows.length + 1)
    Array.from(rows).forEach((row, i) => {
      requireNumberList(row, `row ${i}`)
      offsets[i + 1] = offsets[i] + row.length
    })
    checkEntries('LabelMatrix', offsets[rows.length])
    const indices = new Uint32Array(offsets[rows.length])
    let widest = 0
    rows.forEach((row, i) => {
      Array.from(row, label => checkLabel(i, label))
        .sort((a, b) => a - b)
        .forEach((label, j) => {
          indices[offsets[i] + j] = label
          widest = Math.max(widest, label + 1)
        })
    })
    return new LabelMatrix(rows.length, columns ?? widest, offsets, indices)
  }

  /** Number of (row, label) pairs. */
  get entries(): number {
    return this.indices.length
  }

  /** The labels of row `i`, ascending, as a view. */
  row(i: number): Uint32Array {
    checkRow(i, this.rows)
    return this.indices.subarray(this.offsets[i], this.offsets[i + 1])
  }

  /** Rows [from, to); indices are a view. */
  slice(from: number, to: number = this.rows): LabelMatrix {
    checkRange(from, to, this.rows)
    return wrap(sliceCsr(this, from, to))
  }

  /** The rows at `picked`, in that order, copied. */
  select(picked: ArrayLike<number>): LabelMatrix {
    return wrap(selectCsr(this, picked))
  }

  /** These rows followed by those of `other`. The result has as many columns as the wider one. */
  concat(other: LabelMatrix): LabelMatrix {
    checkInstance('other', other, LabelMatrix)
    return wrap(concatCsr(this, other))
  }

  /** The rows of each label. */
  transpose(): LabelMatrix {
    return wrap(transposeCsr(this))
  }

  /** How many rows have each label. */
  counts(): Float64Array {
    const counts = new Float64Array(this.columns)
    for (let e = 0; e < this.indices.length; e++) counts[this.indices[e]]++
    return counts
  }
}

function checkLabel(row: number, label: number): number {
  if (Number.isInteger(label) && label >= 0 && label < 2 ** 32) return label
  throw new EngineError('BAD_DATA', `row ${row} has label ${shown(label)}, expected a whole number in [0, 2³²)`)
}

function wrap({ rows, columns, offsets, indices }: Csr): LabelMatrix {
  return new LabelMatrix(rows, columns, offsets, indices)
}
