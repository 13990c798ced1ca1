// An index's answers as lines of JSON: one a query, `{"id", "neighbors": [{"id", "distance"}]}`.

import type { Id, NeighborBatch, SearchIndex } from '@vicinal/core'

const digits = 6

/** `ids` are those of the queries. */
export function formatNeighbors(index: SearchIndex, ids: readonly Id[], found: NeighborBatch): string {
  const lines = ids.map((id, query) => JSON.stringify({ id, neighbors: neighborsOf(index, found, query) }))
  return lines.map(line => `${line}\n`).join('')
}

function neighborsOf(index: SearchIndex, { k, rows, distances, counts }: NeighborBatch, query: number): object[] {
  const from = query * k
  return Array.from(rows.subarray(from, from + counts[query]!), (row, place) => {
    return { id: index.idOf(row), distance: round(distances[from + place]!) }
  })
}

/** To six digits: 32 bits hold no more than seven. */
function round(value: number): number {
  return Number(value.toPrecision(digits))
}
