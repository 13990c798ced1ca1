// What `searchBatch` answers: typed arrays, which cost nothing beyond the search, and the same as lists of ids when somebody asks.

import type { IdTable } from '../ids/id-table.ts'
import { checkWhole } from '../options.ts'
import type { Neighbor } from './neighbor.ts'

/** Neighbors of many queries as numbers: query i's are at [i · k, i · k + counts[i]), best first. */
export interface NeighborArrays {
  readonly queries: number
  readonly k: number
  /** Numbers of rows, not ids: rows are renumbered by `compact`. */
  readonly rows: Uint32Array
  readonly distances: Float32Array
  readonly counts: Uint32Array
}

/** Neighbors of many queries. Loop over it, or call `neighbors(i)`, for ids; the typed arrays are for fast work with rows. */
export interface NeighborBatch extends NeighborArrays, Iterable<Neighbor[]> {
  /** The neighbors of query `i`, best first, as `search` gives them. Their ids are those at the time of the search. */
  neighbors(i: number): Neighbor[]
}

class FoundBatch implements NeighborBatch {
  readonly queries: number
  readonly k: number
  readonly rows: Uint32Array
  readonly distances: Float32Array
  readonly counts: Uint32Array
  readonly #ids: IdTable

  constructor({ queries, k, rows, distances, counts }: NeighborArrays, ids: IdTable) {
    this.queries = queries
    this.k = k
    this.rows = rows
    this.distances = distances
    this.counts = counts
    this.#ids = ids
  }

  neighbors(i: number): Neighbor[] {
    checkWhole('i', i, 0, this.queries - 1)
    const from = i * this.k
    return Array.from({ length: this.counts[i] }, (_, place) => ({
      id: this.#ids.lastIdOf(this.rows[from + place]),
      distance: this.distances[from + place],
    }))
  }

  *[Symbol.iterator](): Generator<Neighbor[]> {
    for (let i = 0; i < this.queries; i++) yield this.neighbors(i)
  }
}

/** `ids` are those of the rows searched, as the index had them when the search began. */
export function neighborBatch(found: NeighborArrays, ids: IdTable): NeighborBatch {
  return new FoundBatch(found, ids)
}
