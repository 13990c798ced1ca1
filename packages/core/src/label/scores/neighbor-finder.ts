// Where LCIF finds the nearest rows of an item: an inverted index for sparse rows, DenseNeighbors for dense ones.

import type { Id } from '../../ids/id.ts'
import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { ModelContents } from '../../store/header.ts'
import type { ScoredNeighbors } from './label-scores.ts'

export interface NearestOptions extends LongWork {
  readonly k?: number
  readonly threads?: number
}

export interface NeighborFinder {
  /** Numbers in a row. */
  readonly columns: number
  /** Number of rows, without removed ones. */
  readonly rows: number
  /** Row numbers in use, including those of removed rows. */
  readonly rowNumbers: number
  idOf(row: number): Id | undefined
  rowOf(id: Id): number | undefined
  /** What a row holds; empty if it was removed. */
  row(row: number): SparseRow
  nearest(query: SparseRow, k: number): NearestRows
  nearestBatch(queries: SparseMatrix, options: NearestOptions): Promise<ScoredNeighbors>
  add(row: SparseRow, id?: Id): Id
  remove(id: Id): boolean
  contents(): ModelContents
  free(): void
}
