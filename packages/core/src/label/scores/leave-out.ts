// Neighbors of rows that are in the index themselves: removes each row from its own neighbors.

export interface FoundBatch {
  /** Query i's are at [i · k, i · k + counts[i]), best first. */
  readonly k: number
  readonly rows: Uint32Array
  /** One per row: distances, or similarities. */
  readonly values: Float32Array
  readonly counts: Uint32Array
}

/** Drops the query itself from its neighbors, in place, and keeps at most `k` of each. */
export function withoutOwn(found: FoundBatch, own: Uint32Array, k: number): void {
  const { rows, values, counts } = found
  for (let query = 0; query < own.length; query++) {
    const [from, to] = [query * found.k, query * found.k + counts[query]]
    const at = rows.subarray(from, to).indexOf(own[query])
    if (at >= 0) {
      rows.copyWithin(from + at, from + at + 1, to)
      values.copyWithin(from + at, from + at + 1, to)
    }
    counts[query] = Math.min(k, at >= 0 ? counts[query] - 1 : counts[query])
  }
}
