// Decides which vectors are compared as dense ones, and converts between the two layouts.

import type { Dataset } from '../../data/dataset.ts'
import { EngineError, shown } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { floatsOf, isNumberList, isSparseVector, requireNumberList, sparseArraysOf } from '../../matrix/given-vector.ts'
import { knownFeatures } from '../../matrix/known-features.ts'
import { checkRow } from '../../matrix/sparse-checks.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { hasNegative } from './signed-parts.ts'

/** A dense matrix with a smaller share of nonzero numbers, none of them negative, probably holds counts: it is read as sparse. */
const leastShare = 0.25
/** Sparse rows with negative numbers and almost no zeros are dense rows in a sparse file. */
const fullShare = 0.9

/** Whether a model compares these rows as dense ones. */
export function isDense(features: DenseMatrix | SparseMatrix): boolean {
  const { rows, columns } = features
  if (features instanceof SparseMatrix) {
    return features.entries >= fullShare * rows * columns && hasNegative(features)
  }
  let filled = 0
  for (let e = 0; e < features.values.length; e++) {
    if (features.values[e] < 0) return true
    if (features.values[e] !== 0) filled++
  }
  return filled >= leastShare * rows * columns
}

/** Whether models of these data compare dense vectors: texts come before features. */
export function isDenseData({ texts, features }: Pick<Dataset, 'texts' | 'features'>): boolean {
  return texts === undefined && features !== undefined && isDense(features)
}

/** The same rows without their zeros. */
export function toSparse({ rows, columns, values }: DenseMatrix): SparseMatrix {
  const offsets = new Float64Array(rows + 1)
  for (let i = 0; i < rows; i++) {
    let filled = offsets[i]
    for (let j = 0; j < columns; j++) if (values[i * columns + j] !== 0) filled++
    offsets[i + 1] = filled
  }
  const indices = new Uint32Array(offsets[rows])
  const kept = new Float32Array(offsets[rows])
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = values[i * columns + j]
      if (value === 0) continue
      indices[e] = j
      kept[e++] = value
    }
  }
  return new SparseMatrix(rows, columns, offsets, indices, kept)
}

/** The same rows with their zeros. */
export function toDense(matrix: SparseMatrix, columns = matrix.columns): DenseMatrix {
  const values = new Float32Array(matrix.rows * columns)
  for (let i = 0; i < matrix.rows; i++) {
    for (let e = matrix.offsets[i]; e < matrix.offsets[i + 1]; e++) {
      values[i * columns + matrix.indices[e]] = matrix.values[e]
    }
  }
  return new DenseMatrix(matrix.rows, columns, values)
}

export function isSparseRow(item: object): item is SparseRow {
  return 'indices' in item && 'values' in item
}

/** A vector without its zeros. */
export function toSparseRow(vector: ArrayLike<number>): SparseRow {
  const filled = Uint32Array.from({ length: vector.length }, (_, j) => j).filter(j => vector[j] !== 0)
  return { indices: filled, values: Float32Array.from(filled, j => vector[j]) }
}

/** A row with its zeros, checked. Features beyond the columns are left out. `name` is what messages call it. */
export function toDenseRow(row: SparseRow, columns: number, name: string): Float32Array {
  checkRow(row, name, true)
  const { indices, values } = knownFeatures(row, columns)
  if (indices.length === 0 && row.indices.length > 0) {
    throw new EngineError('BAD_DATA', `${name} has no feature that the model knows: those are 0 to ${columns - 1}`, {
      hint: 'Give vectors with the same columns as the training data.',
    })
  }
  const dense = new Float32Array(columns)
  for (let e = 0; e < indices.length; e++) dense[indices[e]] = values[e]
  return dense
}

/** Refuses a vector of another length; `name` is what messages call it. */
export function checkLength(length: number, columns: number, name: string): void {
  if (length === columns) return
  throw new EngineError('DIMENSION_MISMATCH', `${name} has ${length} numbers, this model takes ${columns}`, {
    hint: 'Give vectors with the same columns as the training data.',
  })
}

/** One vector in any form, as floats or as a sparse row; `name` is what messages call it. */
export function readVector(item: unknown, columns: number, name: string): Float32Array | SparseRow {
  if (!isNumberList(item) && !isSparseVector(item)) throw notVector(item, name)
  if (isSparseVector(item) && !(isNumberList(item) && item.length === 0)) return sparseArraysOf(item, name)
  requireNumberList(item, name)
  checkLength(item.length, columns, name)
  const floats = floatsOf(item, name)
  const bad = floats.findIndex(value => !Number.isFinite(value))
  if (bad < 0) return floats
  throw new EngineError('BAD_DATA', `${name}, column ${bad} is ${floats[bad]}, expected a finite 32-bit number`, {
    hint: 'Remove or replace the value.',
  })
}

/** Items may come from anywhere, such as a line of JSON. */
function notVector(item: unknown, name: string): EngineError {
  return new EngineError(
    'BAD_DATA',
    `${name} is ${shown(item)}, expected a text, a list of numbers or a sparse vector`,
    {
      hint: 'Sparse vectors are { indices, values }, [feature, value] pairs, or a Map from feature to value.',
    },
  )
}
