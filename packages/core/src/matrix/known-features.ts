// Sparse rows without the features that an index or a model has never seen: no stored row has them, so they match nothing. Test data
// often has some.

import { mapRows } from './map-rows.ts'
import type { SparseMatrix, SparseRow } from './sparse-matrix.ts'

/** The features below `columns`, as views; the row itself if it has no others. */
export function knownFeatures(row: SparseRow, columns: number): SparseRow {
  const { indices, values } = row
  let known = indices.length
  while (known > 0 && indices[known - 1] >= columns) known--
  return known === indices.length ? row : { indices: indices.subarray(0, known), values: values.subarray(0, known) }
}

/** The same for all rows; the matrix itself if it has no other columns. */
export function knownColumns(matrix: SparseMatrix, columns: number): SparseMatrix {
  if (matrix.columns <= columns) return matrix
  return mapRows(matrix, columns, row => knownFeatures(row, columns))
}
