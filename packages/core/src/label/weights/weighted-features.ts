// Rows with their features weighted.

import { EngineError } from '../../errors.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'

/** A copy of the rows with every value times its feature's weight. */
export function weightFeatures(features: SparseMatrix, weights: Float32Array): SparseMatrix {
  if (weights.length !== features.columns) {
    throw new EngineError('DIMENSION_MISMATCH', `you gave ${weights.length} weights for ${features.columns} features`)
  }
  const values = features.values.map((value, e) => value * weights[features.indices[e]])
  return new SparseMatrix(features.rows, features.columns, features.offsets, features.indices, values)
}
