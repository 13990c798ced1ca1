// Features that the training rows have. One that no row has weighs nothing: an item with no other is one that nothing is known
// about.

import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'

/** The weights, 0 for features that no row has. */
export function onlySeen(weights: Float32Array, features: SparseMatrix): Float32Array {
  const seen = new Uint8Array(features.columns)
  for (let e = 0; e < features.entries; e++) seen[features.indices[e]] = 1
  return weights.map((weight, feature) => weight * seen[feature])
}
