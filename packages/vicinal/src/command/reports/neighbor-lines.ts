// An index's answers as lines of JSON: one per query, `{"id", "neighbors": [{"id", "distance"}]}`.

import type { Id, NeighborBatch } from '@vicinal/core'

const digits = 6

/** `ids` are those of the queries. */
export function formatNeighbors(ids: readonly Id[], found: NeighborBatch): string {
  return Array.from(
    found,
    (neighbors, query) => `${JSON.stringify({ id: ids[query], neighbors: rounded(neighbors) })}\n`,
  ).join('')
}

/** To six digits: 32 bits hold no more than seven. */
function rounded(neighbors: ReturnType<NeighborBatch['neighbors']>): object[] {
  return neighbors.map(({ id, distance }) => ({ id, distance: Number(distance.toPrecision(digits)) }))
}
