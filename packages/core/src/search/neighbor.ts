// What every index answers with.

import type { Id } from '../ids/id.ts'
import { type Check, refuse } from '../options.ts'
import { PreparedFilter } from './filters/prepared-filter.ts'

/** One neighbor. Order: distance, then row. */
export interface Neighbor {
  readonly id: Id
  /** The true distance of the index's metric: cosine is 1 − similarity, dot is −product. */
  readonly distance: number
}

/** Which items may be returned: a set or an array of ids, or a function that returns true for them. An array is slower than a set. */
export type ItemFilter = ReadonlySet<Id> | readonly Id[] | ((id: Id) => boolean)

/** An `ItemFilter`, or one prepared with `filter()` of the index, for filters you use again. */
export type Filter = ItemFilter | PreparedFilter

export const checkFilter: Check = (name, value) => {
  if (value instanceof PreparedFilter || isItemFilter(value)) return
  refuse(name, value, 'a Set or an array of ids, a function of an id, or a filter made with index.filter()')
}

/** Refuses what cannot be prepared. */
export function checkItemFilter(value: unknown): void {
  if (!isItemFilter(value)) refuse('filter', value, 'a Set or an array of ids, or a function of an id')
}

function isItemFilter(value: unknown): boolean {
  return typeof value === 'function' || Array.isArray(value) || isSet(value)
}

/** Sets of other realms and libraries are welcome; a Map has no ids to go through. */
function isSet(value: unknown): boolean {
  const { has, get } = (value ?? {}) as { has?: unknown; get?: unknown } // whatever it is
  return typeof value === 'object' && typeof has === 'function' && get === undefined && Symbol.iterator in (value ?? {})
}

export function checkK(k: number): void {
  if (Number.isInteger(k) && k >= 1) return
  refuse('k', k, 'a whole number of at least 1')
}
