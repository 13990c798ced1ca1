// Sparse rows without the features that an index or a model has never seen: no stored row has them, so they match nothing. Test data
// often has some.

import { SparseMatrix, type SparseRow } from './sparse-matrix.ts'

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
  const offsets = new Float64Array(matrix.rows + 1)
  const indices = new Uint32Array(matrix.entries)
  const values = new Float32Array(matrix.entries)
  for (let row = 0; row < matrix.rows; row++) {
    const known = knownFeatures(matrix.row(row), columns)
    indices.set(known.indices, offsets[row])
    values.set(known.values, offsets[row])
    offsets[row + 1] = offsets[row] + known.indices.length
  }
  const end = offsets[matrix.rows]
  return new SparseMatrix(matrix.rows, columns, offsets, indices.slice(0, end), values.slice(0, end))
}
