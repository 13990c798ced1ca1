// Splits signed features into two that are never negative: feature j holds the positive part, feature columns + j the negative one.
// The definitions of paper 003 and the bounds of the inverted index need such values. Rows are similar if their signs agree; features
// whose signs differ add nothing.

import { mapRows } from '../../matrix/map-rows.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'

export function hasNegative({ values }: Pick<SparseMatrix, 'values'>): boolean {
  for (let e = 0; e < values.length; e++) if (values[e] < 0) return true
  return false
}

export function splitRow({ indices, values }: SparseRow, columns: number): SparseRow {
  const above = Uint32Array.from(indices.keys()).filter(e => values[e] > 0)
  const below = Uint32Array.from(indices.keys()).filter(e => values[e] < 0)
  const split = { indices: new Uint32Array(above.length + below.length), values: new Float32Array(above.length + below.length) } // biome-ignore format: one row
  above.forEach((e, i) => {
    split.indices[i] = indices[e]
    split.values[i] = values[e]
  })
  below.forEach((e, i) => {
    split.indices[above.length + i] = columns + indices[e]
    split.values[above.length + i] = -values[e]
  })
  return split
}

/** All rows; `columns` is the number of features before they are split. */
export function splitRows(matrix: SparseMatrix, columns: number): SparseMatrix {
  return mapRows(matrix, 2 * columns, row => splitRow(row, columns))
}

/** Names of the features that a split makes. */
export function splitNames(names: readonly string[] | undefined, columns: number): string[] {
  return Array.from({ length: 2 * columns }, (_, feature) => splitName(names, columns, feature))
}

/** The name of one of them: those of parts below 0 begin with a minus. */
export function splitName(names: readonly string[] | undefined, columns: number, feature: number): string {
  const column = feature % columns
  const name = names?.[column] ?? String(column)
  return feature < columns ? name : `−${name}`
}
