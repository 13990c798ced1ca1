// A sparse matrix with rows made of another one's.

import { SparseMatrix, type SparseRow } from './sparse-matrix.ts'

/** What `of` makes of each row, which must not be longer than the row, in a matrix with `columns` columns. */
export function mapRows(matrix: SparseMatrix, columns: number, of: (row: SparseRow) => SparseRow): SparseMatrix {
  const offsets = new Float64Array(matrix.rows + 1)
  const indices = new Uint32Array(matrix.entries)
  const values = new Float32Array(matrix.entries)
  for (let i = 0; i < matrix.rows; i++) {
    const row = of(matrix.row(i))
    indices.set(row.indices, offsets[i])
    values.set(row.values, offsets[i])
    offsets[i + 1] = offsets[i] + row.indices.length
  }
  const end = offsets[matrix.rows]
  return new SparseMatrix(matrix.rows, columns, offsets, indices.slice(0, end), values.slice(0, end))
}
