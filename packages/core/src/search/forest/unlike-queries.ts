// Queries unlike the rows. An effort is chosen on rows held out of growing, and holds for queries like them. Trees have seen nothing
// like a query that lies far from all rows: it is led anywhere. Such a query is known by its nearest row, which is farther away than
// that of the rows held out, and is compared with all rows instead.

/** How far a query's nearest row is. For products (larger is nearer) it is divided by the query's length, which does not matter there. */
export function reachOf(query: Float32Array, raw: number, products: boolean): number {
  if (!products) return raw
  const length = Math.sqrt(query.reduce((sum, value) => sum + value * value, 0))
  return length === 0 ? 0 : -raw / length
}

/** What comparing all rows may add to the time of all queries that are like the rows. */
const mostExtra = 0.1
/** If no held-out row is that far, a query must be farther than all of them by this factor. */
const slack = 0.1

/** From which reach on a query counts as unlike the rows. `reaches` are those of the rows held out. */
export function farthestReach(reaches: Float64Array, micros: { effort: number; exact: number }): number {
  const descending = reaches.toSorted().reverse()
  const allowed = Math.floor(((mostExtra * micros.effort) / micros.exact) * descending.length)
  const reach = descending[Math.min(allowed, descending.length - 1)]
  return allowed > 0 ? reach : reach + slack * Math.abs(reach)
}
