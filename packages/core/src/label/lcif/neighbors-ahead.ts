// Nearest rows for the items of one batch, in chunks. An index answers with its state at the moment of the query. So before the index
// changes, the neighbors of all remaining items are looked up and kept: a few numbers per item.

import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { ScoredNeighbors } from '../scores/label-scores.ts'

export class NeighborsAhead {
  readonly #rowsFrom: (from: number) => SparseMatrix
  readonly #find: (rows: SparseMatrix) => Promise<ScoredNeighbors>
  /** Items up to here have been answered. */
  #next = 0
  #rest: Promise<ScoredNeighbors> | undefined

  constructor(rowsFrom: (from: number) => SparseMatrix, find: (rows: SparseMatrix) => Promise<ScoredNeighbors>) {
    this.#rowsFrom = rowsFrom
    this.#find = find
  }

  /** The neighbors of the items [from, to), which are these rows. Ranges come in order. */
  async take(rows: SparseMatrix, from: number, to: number): Promise<ScoredNeighbors> {
    if (this.#rest) return rangeOf(await this.#rest, from - this.#next, to - this.#next)
    this.#next = to
    return this.#find(rows)
  }

  /** Looks up all remaining items now. */
  findRest(): void {
    if (this.#rest) return
    try {
      this.#rest = this.#find(this.#rowsFrom(this.#next))
    } catch (error) {
      this.#rest = Promise.reject(error) // a bad item fails the batch, not the change
    }
    this.#rest.catch(() => {}) // the caller that awaits it gets the error
  }
}

function rangeOf({ k, rows, similarities, counts }: ScoredNeighbors, from: number, to: number): ScoredNeighbors {
  return {
    k,
    rows: rows.subarray(from * k, to * k),
    similarities: similarities.subarray(from * k, to * k),
    counts: counts.subarray(from, to),
  }
}
