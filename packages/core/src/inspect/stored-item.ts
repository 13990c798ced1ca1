// What an index stores under an id, and the neighbors of a stored item.

import { EngineError, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { checkObject } from '../options.ts'
import type { Neighbor } from '../search/neighbor.ts'
import { checkIndex, type QueryOptions, type SearchIndex, type Vector } from '../search/search-index.ts'

/** How indexes give back a row: dense ones by `vector`, sparse ones by `row`, nets by `item`. */
type RowReader = Readonly<Record<string, ((row: number) => Vector | undefined) | undefined>>

/** The vector or text that an index stores under an id; undefined if the id is unknown. Under 'cosine', vectors have length 1. */
export function storedItem(index: SearchIndex, id: Id): Vector | undefined {
  checkIndex(index)
  const row = index.rowOf(id)
  if (row === undefined) return undefined
  const reader = index as unknown as RowReader // looked at by name
  for (const way of ['vector', 'row', 'item']) if (typeof reader[way] === 'function') return reader[way](row)
  throw new EngineError('UNSUPPORTED', 'this index cannot return what it stores')
}

/** The nearest items of a stored one, without itself. Options are those of the index's `search`. */
export function searchLike(index: SearchIndex, id: Id, options: QueryOptions = {}): Neighbor[] {
  checkObject('options', options, 'an object with options')
  const item = storedItem(index, id)
  if (item === undefined) throw new EngineError('UNKNOWN_NAME', `the index has no item ${shown(id)}`)
  const { k = 10 } = options
  // One more, as the item is usually the nearest to itself.
  return index
    .search(item, { ...options, k: k + 1 })
    .filter(neighbor => neighbor.id !== id)
    .slice(0, k)
}
