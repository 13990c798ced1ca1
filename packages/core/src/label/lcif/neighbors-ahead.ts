// Nearest rows for the items of one batch, some items after the other. An index answers as of the moment it is asked. So before it
// changes, it is asked about all items that are left: a few numbers an item, which wait for their turn.

import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { ScoredNeighbors } from '../scores/label-scores.ts'

export class NeighborsAhead {
  readonly #rowsFrom: (from: number) => SparseMatrix
  readonly #find: (rows: SparseMatrix) => Promise<ScoredNeighbors>
  /** Items up to here were asked about one by one. */
  #next = 0
  #rest: Promise<ScoredNeighbors> | undefined

  constructor(rowsFrom: (from: number) => SparseMatrix, find: (rows: SparseMatrix) => Promise<ScoredNeighbors>) {
    this.#rowsFrom = rowsFrom
    this.#find = find
  }

  /** Of the items [from, to), which are these rows. Ranges come in order. */
  async take(rows: SparseMatrix, from: number, to: number): Promise<ScoredNeighbors> {
    if (this.#rest) return rangeOf(await this.#rest, from - this.#next, to - this.#next)
    this.#next = to
    return this.#find(rows)
  }

  /** Asks about all items that were not asked about yet. */
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
