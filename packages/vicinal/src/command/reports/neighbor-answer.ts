// An index's answers: a line of JSON per query, `{"id", "neighbors": [{"id", "text"?, "distance"}]}`, or a row per neighbor.

import type { Id, NeighborBatch } from '@vicinal/core'
import type { Answer, Column } from '../files/results/answer.ts'

const digits = 6

/** The columns of a table of neighbors; `id` is that of the query. */
export function neighborColumns(hasTexts: boolean): Column[] {
  return [
    { name: 'id', type: 'text' },
    { name: 'rank', type: 'number' },
    { name: 'neighbor', type: 'text' },
    ...(hasTexts ? [{ name: 'text', type: 'text' } as const] : []),
    { name: 'distance', type: 'number' },
  ]
}

/** `ids` are those of the queries. `textOf` gives the text of a row, if the index is of texts. */
export function neighborAnswers(
  ids: readonly Id[],
  found: NeighborBatch,
  textOf: ((row: number) => string) | undefined,
): Answer[] {
  return Array.from(found, (neighbors, query) => {
    const texts = neighbors.map((_, place) => textOf?.(found.rows[query * found.k + place]!))
    const shown = neighbors.map(({ id, distance }, place) => ({
      ...{ id, ...(textOf && { text: texts[place] }) },
      distance: Number(distance.toPrecision(digits)), // 32 bits hold no more than seven
    }))
    const rows = shown.map(({ id, distance }, place) => {
      return [ids[query], place + 1, id, ...(textOf ? [texts[place]] : []), distance]
    })
    return { line: { id: ids[query], neighbors: shown }, rows }
  })
}
