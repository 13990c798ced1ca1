// Which labels occur with which features, and how much: the walk of Algorithm 4 in paper 003, feature by feature, so that the
// sums of one feature are all that is held at a time.

import { EngineError } from '../../errors.ts'
import { transposeCsr } from '../../matrix/csr.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'

/** A feature and the labels of its rows. Valid during the visit only: the arrays are used again. */
export interface FeatureVisit {
  readonly feature: number
  /** The rows that have the feature, and their values. */
  readonly rows: Uint32Array
  readonly values: Float32Array
  /** The labels of those rows, unordered. */
  readonly labels: Uint32Array
  /** sums[label] = Σ values of the rows that have it. Zero for all other labels. */
  readonly sums: Float64Array
}

/** Every feature that some row has, ascending. */
export function* visitFeatures(features: SparseMatrix, labels: LabelMatrix): Generator<FeatureVisit, void, undefined> {
  checkSameRows(features, labels)
  const columns = transposeCsr(features)
  const columnValues = columns.values as Float32Array // a SparseMatrix has values
  const sums = new Float64Array(labels.columns)
  const touched = new Uint32Array(labels.columns)
  for (let feature = 0; feature < columns.rows; feature++) {
    const [from, to] = [columns.offsets[feature], columns.offsets[feature + 1]]
    if (from === to) continue
    const rows = columns.indices.subarray(from, to)
    const values = columnValues.subarray(from, to)
    const count = addUp(rows, values, labels, sums, touched)
    const found = touched.subarray(0, count)
    yield { feature, rows, values, labels: found, sums }
    for (let i = 0; i < count; i++) sums[found[i]] = 0
  }
}

export function checkSameRows(features: SparseMatrix, labels: LabelMatrix): void {
  if (features.rows === labels.rows) return
  throw new EngineError('DIMENSION_MISMATCH', `features have ${features.rows} rows, labels ${labels.rows}`)
}

/** Adds the rows' values to the sums of their labels; returns how many labels there are. */
function addUp(
  rows: Uint32Array,
  values: Float32Array,
  { offsets, indices }: LabelMatrix,
  sums: Float64Array,
  touched: Uint32Array,
): number {
  let count = 0
  for (let i = 0; i < rows.length; i++) {
    const value = values[i]
    if (value < 0) throw negativeValue(rows[i], value)
    if (value === 0) continue // a sum of 0 means that a label was not seen yet
    const end = offsets[rows[i] + 1]
    for (let e = offsets[rows[i]]; e < end; e++) {
      const label = indices[e]
      if (sums[label] === 0) touched[count++] = label
      sums[label] += value
    }
  }
  return count
}

function negativeValue(row: number, value: number): EngineError {
  return new EngineError('BAD_DATA', `row ${row} has the value ${value}, expected at least 0`, {
    hint: 'Shift the features so that 0 means absent and positive numbers mean present.',
  })
}
