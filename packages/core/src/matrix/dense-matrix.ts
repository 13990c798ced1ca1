// A dense matrix [rows × columns], row-major: element (i, j) is values[i * columns + j].
// Numbers keep the type of their source if it is smaller than f32 (u8 images) or exact (i32 neighbor lists).

import { EngineError } from '../errors.ts'
import { finish, type Steps } from '../long-work.ts'
import { checkEntries, checkInstance, checkList, checkNumbers, checkRange, checkRow, checkSize } from './checks.ts'
import { type DenseNumbers, type DenseValues, denseNumbersInSteps, numbersPerStep } from './dense-values.ts'
import { type DenseVector, requireNumberList } from './given-vector.ts'
import { registerMatrix } from './matrix-kind.ts'

const denseTypes = [Float32Array, Uint8Array, Int32Array]

/** Rows of numbers, all of the same length, one after another in one typed array. */
export class DenseMatrix implements DenseNumbers {
  readonly rows: number
  readonly columns: number
  readonly values: DenseValues

  /** Wraps `values` without copying. */
  constructor(rows: number, columns: number, values: DenseValues) {
    checkSize('DenseMatrix', rows, columns)
    checkNumbers('DenseMatrix: values', values, denseTypes)
    if (values.length !== rows * columns) {
      throw new EngineError(
        'DIMENSION_MISMATCH',
        `a ${rows} × ${columns} matrix needs ${rows * columns} values, got ${values.length}`,
      )
    }
    registerMatrix('DenseMatrix', DenseMatrix)
    this.rows = rows
    this.columns = columns
    this.values = values
  }

  /** Makes a matrix from one array per row. Rows must have the same length and hold finite numbers. */
  static from(rows: readonly DenseVector[]): DenseMatrix {
    checkList('rows', rows, 'a list of vectors')
    return denseMatrixOf(rows, 'row')
  }

  /** Throws on NaN and infinite values; the error names the row and column of the first. */
  assertFinite(): this {
    const { values, columns } = this
    for (let i = 0; i < values.length; i++) {
      if (!Number.isFinite(values[i])) {
        const place = `row ${Math.floor(i / columns)}, column ${i % columns}`
        throw new EngineError('BAD_DATA', `${place} is ${values[i]}, expected a finite 32-bit number`, {
          hint: 'Remove or replace the value before passing the matrix.',
        })
      }
    }
    return this
  }

  /** Row `i` as a view: writing to it writes to the matrix. */
  row(i: number): DenseValues {
    checkRow(i, this.rows)
    return this.values.subarray(i * this.columns, (i + 1) * this.columns)
  }

  /** Rows [from, to) as a view. */
  slice(from: number, to: number = this.rows): DenseMatrix {
    checkRange(from, to, this.rows)
    return new DenseMatrix(to - from, this.columns, this.values.subarray(from * this.columns, to * this.columns))
  }

  /** The rows at `picked`, in that order, copied. */
  select(picked: ArrayLike<number>): DenseMatrix {
    requireNumberList(picked, 'the selection')
    checkEntries('the selection', picked.length * this.columns)
    const values = emptyLike(this.values, picked.length * this.columns)
    for (let i = 0; i < picked.length; i++) values.set(this.row(picked[i]), i * this.columns)
    return new DenseMatrix(picked.length, this.columns, values)
  }

  /** These rows followed by those of `other`. */
  concat(other: DenseMatrix): DenseMatrix {
    checkInstance('other', other, DenseMatrix)
    if (other.columns !== this.columns) {
      throw new EngineError(
        'DIMENSION_MISMATCH',
        `cannot append rows with ${other.columns} columns to rows with ${this.columns}`,
      )
    }
    const sameType = other.values.constructor === this.values.constructor
    const length = this.values.length + other.values.length
    const values = sameType ? emptyLike(this.values, length) : new Float32Array(length)
    values.set(this.values)
    values.set(other.values, this.values.length)
    return new DenseMatrix(this.rows + other.rows, this.columns, values)
  }

  /** The transposed matrix, as a copy. */
  transpose(): DenseMatrix {
    const { rows, columns, values } = this
    const flipped = emptyLike(values, values.length)
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < columns; j++) flipped[j * rows + i] = values[i * columns + j]
    }
    return new DenseMatrix(columns, rows, flipped)
  }

  /** A copy in which each row has Euclidean length 1; zero rows stay zero. */
  normalizeRows(): DenseMatrix {
    const values = Float32Array.from(this.values)
    for (let i = 0; i < this.rows; i++) scaleToUnit(values.subarray(i * this.columns, (i + 1) * this.columns))
    return new DenseMatrix(this.rows, this.columns, values)
  }

  /** The values as 32-bit floats. No copy if they already are. */
  toFloat32(): Float32Array {
    return this.values instanceof Float32Array ? this.values : Float32Array.from(this.values)
  }
}

/** From unchecked vectors; `one` is what messages call them: 'row'. */
export function denseMatrixOf(vectors: readonly unknown[], one: string): DenseMatrix {
  return finish(denseMatrixInSteps(vectors, one))
}

/** The same in steps. The vectors must not change meanwhile. */
export function* denseMatrixInSteps(vectors: readonly unknown[], one: string): Steps<DenseMatrix> {
  return yield* finiteInSteps(yield* denseNumbersInSteps(vectors, one))
}

/** A matrix of these numbers. Refuses those that are not finite, naming the first. */
export function* finiteInSteps({ rows, columns, values }: DenseNumbers): Steps<DenseMatrix> {
  const matrix = new DenseMatrix(rows, columns, values)
  for (let from = 0; from < values.length; from += numbersPerStep) {
    const to = Math.min(values.length, from + numbersPerStep)
    for (let i = from; i < to; i++) if (!Number.isFinite(values[i])) return matrix.assertFinite()
    yield
  }
  return matrix
}

/** Scales `row` in place to Euclidean length 1; a zero row stays zero. */
export function scaleToUnit(row: Float32Array): void {
  let sum = 0
  for (let j = 0; j < row.length; j++) sum += row[j] * row[j]
  if (sum === 0) return
  const scale = 1 / Math.sqrt(sum)
  for (let j = 0; j < row.length; j++) row[j] *= scale
}

function emptyLike(values: DenseValues, length: number): DenseValues {
  if (values instanceof Uint8Array) return new Uint8Array(length)
  return values instanceof Int32Array ? new Int32Array(length) : new Float32Array(length)
}
