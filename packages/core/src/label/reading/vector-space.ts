// How a model compares dense vectors: columns are shifted and scaled as learned from the training rows, and rows scaled to length 1 if only
// directions count. The results are dense rows; a row without a direction is empty.

import { squareLimit, tooLong } from '../../matrix/dense-checks.ts'
import { type DenseMatrix, scaleToUnit } from '../../matrix/dense-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Scaling } from './vector-options.ts'

export interface SpaceParts {
  /** What is subtracted from each column. */
  readonly center: Float32Array
  /** What each column is multiplied with then; 0 for a column that is the same in all rows. */
  readonly scale: Float32Array
  /** Whether rows get length 1. */
  readonly unit: boolean
}

export class VectorSpace {
  readonly parts: SpaceParts
  readonly #indices: Uint32Array

  constructor(parts: SpaceParts) {
    this.parts = parts
    this.#indices = Uint32Array.from({ length: parts.center.length }, (_, j) => j)
  }

  static fit(rows: DenseMatrix, scaling: Exclude<Scaling, 'auto'>, unit: boolean): VectorSpace {
    const { columns } = rows
    if (scaling === 'none') {
      return new VectorSpace({ center: new Float32Array(columns), scale: new Float32Array(columns).fill(1), unit })
    }
    const { means, deviations } = columnStatistics(rows)
    const inverse = deviations.map(deviation => (deviation > 0 ? 1 / deviation : 0))
    const scale = scaling === 'standard' ? Float32Array.from(inverse) : new Float32Array(columns).fill(1)
    return new VectorSpace({ center: Float32Array.from(means), scale, unit })
  }

  get columns(): number {
    return this.#indices.length
  }

  /** Takes a vector that passed `checkVector`. `name` is what messages call it. */
  row(vector: ArrayLike<number>, name: string): SparseRow {
    const values = new Float32Array(this.columns)
    return this.#fill(vector, 0, values, () => name)
      ? { indices: this.#indices, values }
      : { indices: new Uint32Array(0), values: new Float32Array(0) }
  }

  /** All rows of a matrix of finite numbers; `what` names one of them in messages. */
  rows({ rows, values: given }: DenseMatrix, what: string): SparseMatrix {
    const { columns } = this
    const values = new Float32Array(rows * columns)
    const offsets = new Float64Array(rows + 1)
    for (let row = 0; row < rows; row++) {
      const place = values.subarray(offsets[row], offsets[row] + columns)
      offsets[row + 1] = offsets[row] + (this.#fill(given, row * columns, place, () => `${what} ${row}`) ? columns : 0)
    }
    const indices = new Uint32Array(offsets[rows])
    for (let from = 0; from < indices.length; from += columns) indices.set(this.#indices, from)
    return new SparseMatrix(rows, columns, offsets, indices, values.subarray(0, indices.length))
  }

  /** Whether every row has a direction, or none is needed. */
  keepsDirections({ rows, values }: DenseMatrix): boolean {
    const { center, scale, unit } = this.parts
    const { columns } = this
    if (!unit) return true
    for (let row = 0; row < rows; row++) {
      let j = 0
      while (j < columns && Math.fround((values[row * columns + j] - center[j]) * scale[j]) === 0) j++
      if (j === columns) return false
    }
    return true
  }

  /** Whether the row has a direction, if it needs one. */
  #fill(given: ArrayLike<number>, from: number, row: Float32Array, name: () => string): boolean {
    const { center, scale, unit } = this.parts
    let square = 0
    for (let j = 0; j < row.length; j++) {
      row[j] = (given[from + j] - center[j]) * scale[j]
      square += row[j] * row[j]
    }
    if (!(square < squareLimit)) throw tooLong(name(), square)
    if (unit) scaleToUnit(row)
    return !unit || square > 0
  }
}

/** The mean and the standard deviation of each column. */
export function columnStatistics({ rows, columns, values }: Pick<DenseMatrix, 'rows' | 'columns' | 'values'>): {
  readonly means: Float64Array
  readonly deviations: Float64Array
} {
  const [means, squares] = [new Float64Array(columns), new Float64Array(columns)]
  for (let from = 0; from < values.length; from += columns) {
    for (let j = 0; j < columns; j++) means[j] += values[from + j]
  }
  for (let j = 0; j < columns; j++) means[j] /= rows
  for (let from = 0; from < values.length; from += columns) {
    for (let j = 0; j < columns; j++) squares[j] += (values[from + j] - means[j]) ** 2
  }
  return { means, deviations: squares.map(sum => Math.sqrt(sum / rows)) }
}
