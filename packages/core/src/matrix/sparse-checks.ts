// Checks of rows and queries for indexes of sparse rows. An inverted index takes no negative values, because its bounds, by which it skips
// rows, rely on that.

import { EngineError } from '../errors.ts'
import { checkWhole } from '../options.ts'
import { orderFault } from './checks.ts'
import type { SparseMatrix, SparseRow } from './sparse-matrix.ts'

/** `what` names the matrix in messages: 'row', 'query'. With `signed`, values may be negative. */
export function checkMatrix(matrix: SparseMatrix, what: string, signed = false): void {
  const { indices, values, offsets } = matrix
  for (let row = 0; row < matrix.rows; row++) {
    const [from, to] = [offsets[row], offsets[row + 1]]
    if (signed) checkFinite(indices.subarray(from, to), values.subarray(from, to), `${what} ${row}`)
    else checkValues(indices, values, from, to, () => `${what} ${row}`)
  }
}

/** With `signed`, for indexes without such bounds, values may be negative. */
export function checkRow(row: SparseRow, name: string, signed = false): void {
  const { indices, values } = row
  if (indices.length !== values.length) {
    throw new EngineError('DIMENSION_MISMATCH', `${name} has ${indices.length} indices but ${values.length} values`)
  }
  for (let e = 1; e < indices.length; e++) {
    if (indices[e] > indices[e - 1]) continue
    throw new EngineError('BAD_DATA', `${name} ${orderFault('feature', indices[e], indices[e - 1])}`)
  }
  if (signed) checkFinite(indices, values, name)
  else checkValues(indices, values, 0, indices.length, () => name)
}

export function checkRowNumber(row: number, rows: number): void {
  checkWhole('row', row, 0, rows - 1)
}

/** Refuses features that have no place among `columns` numbers. */
export function checkFeatures({ indices }: SparseRow, columns: number, name: string): void {
  const highest = indices.at(-1) ?? 0
  if (highest < columns || indices.length === 0) return
  throw new EngineError('DIMENSION_MISMATCH', `${name} has feature ${highest}, expected at most ${columns - 1}`, {
    hint: 'Use the features that the index or model was fitted on.',
  })
}

function checkValues(indices: Uint32Array, values: Float32Array, from: number, to: number, name: () => string): void {
  for (let e = from; e < to; e++) {
    if (values[e] >= 0 && values[e] < Number.POSITIVE_INFINITY) continue
    throw new EngineError(
      'BAD_DATA',
      `${name()}, feature ${indices[e]} is ${values[e]}, expected a finite number of at least 0`,
      { hint: 'An inverted index holds counts and weights, which cannot be negative.' },
    )
  }
}

function checkFinite(indices: Uint32Array, values: Float32Array, name: string): void {
  const bad = values.findIndex(value => !Number.isFinite(value))
  if (bad < 0) return
  throw new EngineError('BAD_DATA', `${name}, feature ${indices[bad]} is ${values[bad]}, expected a finite number`, {
    hint: 'Leave out the feature, or the whole row.',
  })
}
