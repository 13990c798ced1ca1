// The metrics of sparse rows: both are products, of rows as they are ('dot') or scaled to length 1 ('cosine').

import { scaleToUnit } from '../../matrix/dense-matrix.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'

/** A row as it is stored and searched. */
export function scaleRow(row: SparseRow, metric: SparseMetric): SparseRow {
  if (metric === 'dot') return row
  const values = row.values.slice()
  scaleToUnit(values)
  return { indices: row.indices, values }
}

export function scaleRows(rows: SparseMatrix, metric: SparseMetric): SparseMatrix {
  return metric === 'cosine' ? rows.normalizeRows() : rows
}

/** The true distance of a similarity, as 32 bits hold it. */
export function toDistance(similarity: number, metric: SparseMetric): number {
  return Math.fround(metric === 'cosine' ? 1 - similarity : -similarity)
}

/** 'cosine': rows and queries are scaled to length 1. 'dot': their products as they are. */
export type SparseMetric = 'cosine' | 'dot'
