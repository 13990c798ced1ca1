// The nearest items of a net that pass a filter.

import { type NearestQuery, type NetNeighbor, nearestInNet } from '../../nets/explore.ts'
import type { Net } from '../../nets/net.ts'
import type { RowFilter } from '../filters/row-filter.ts'

/** The cost of a distance, including finding its node. An estimate. */
const distanceNanos = 500
/** How many distances a net computes for each row that is nearer than the farthest answer. */
const distancesPerRow = 8

/**
 * The nearest rows that pass a filter. A net must visit everything nearer than the k-th of them. If comparing all rows that pass is less
 * work, does that instead.
 */
export function nearestPassing<Item>(
  net: Net<Item>,
  measure: (item: Item) => number,
  query: Omit<NearestQuery, 'passes'>,
  filter: RowFilter,
): { found: NetNeighbor[]; computed: number } {
  const { items } = net
  const listNanos = filter.listNanos + distanceNanos * filter.share * items.length
  const explored = Math.min(items.length, distancesPerRow * (query.k / filter.share))
  if (listNanos >= distanceNanos * explored) {
    const nearest = nearestInNet(net, measure, { ...query, passes: row => filter.passes(row) })
    filter.checkSame?.()
    return nearest
  }
  const rows = filter.rows()
  const found = Array.from(rows, row => ({ row, distance: Math.fround(measure(items[row] as Item)) })) // live rows have items
  found.sort((a, b) => a.distance - b.distance || a.row - b.row)
  return { found: found.slice(0, query.k), computed: rows.length }
}
