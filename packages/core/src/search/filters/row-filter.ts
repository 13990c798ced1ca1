// Which rows pass a filter, found out as cheaply as the filter allows: a search asks about single rows, or lists all that pass.
// Nothing is remembered about a set or a function, as both may change between calls; see prepared-filter.ts for those that
// do not.

import { isYes } from '../../callback-answers.ts'
import type { Id } from '../../ids/id.ts'
import type { IdTable } from '../../ids/id-table.ts'
import type { Filter, ItemFilter } from '../neighbor.ts'
import { setOf } from './id-set.ts'
import { filterChangedIndex, PreparedFilter } from './prepared-filter.ts'
import { RowSet } from './row-set.ts'

/** A filter over the rows of one index, for one search. */
export interface RowFilter {
  /** About which share of the rows passes. */
  readonly share: number
  /** Estimated nanoseconds: of asking about one row, and of listing all that pass. */
  readonly askNanos: number
  readonly listNanos: number
  passes(row: number): boolean
  /** Call it after asking, if it is there: refuses a function that changed the index, because row numbers may have changed. */
  checkSame?(): void
  /** All rows that pass, ascending: good until the next search. */
  rows(): Uint32Array
}

/** Rows with their raw distances, best first. */
export interface FoundRows {
  readonly rows: Uint32Array
  readonly raw: Float32Array
}

/** Calls of a function are guessed to look something up. What sets take is measured. */
const nanos = { call: 50, has: 30, entry: 15 }
/** How many rows a function is asked about to learn which share passes. */
const sampleSize = 64
/** The golden section: its multiples spread evenly, and follow no pattern that ids have. */
const spread = (Math.sqrt(5) - 1) / 2

/** So many neighbors have k that pass among them, rarely fewer. */
export function nearFor(k: number, share: number): number {
  return Math.ceil((k + 2 * Math.sqrt(k)) / share)
}

/** The same, where asking for as many is out of reach: these have k that pass more often than not. */
export function fewerNearFor(k: number, share: number): number {
  return Math.ceil((k + Math.sqrt(k)) / share)
}

/** The places of the first k of some rows that pass. */
export function firstPassing(rows: Uint32Array, filter: RowFilter, k = rows.length): number[] {
  const places: number[] = []
  for (let i = 0; i < rows.length && places.length < k; i++) if (filter.passes(rows[i])) places.push(i)
  filter.checkSame?.()
  return places
}

/** Opens the filters of one index; keeps the memory that lists are made in. */
export class RowFilters {
  readonly #marks = new RowSet()
  /** Undefined while a function is asked, which may search the same index. */
  #spare: Uint32Array | undefined

  open(filter: Filter, ids: IdTable): RowFilter {
    if (filter instanceof PreparedFilter) return filter.rowFilter(this, ids)
    return typeof filter === 'function' ? this.#openFunction(filter, ids) : this.#openSet(setOf(filter), ids)
  }

  /** Evaluates a filter once, for many searches. */
  prepare(filter: ItemFilter, ids: IdTable): PreparedFilter {
    return new PreparedFilter(this, filter, ids)
  }

  #openFunction(filter: (id: Id) => boolean, ids: IdTable): RowFilter {
    const { changes } = ids
    const passes = (row: number) => {
      const id = ids.idOf(row)
      return id !== undefined && isYes(filter(id), 'filter')
    }
    const checkSame = () => {
      if (ids.changes !== changes) throw filterChangedIndex()
    }
    const rows = () => {
      const list = this.#ask(filter, ids)
      checkSame()
      return list
    }
    const share = sampledShare(passes, ids)
    return { share, askNanos: nanos.call, listNanos: nanos.call * ids.rows, passes, checkSame, rows }
  }

  #openSet(filter: ReadonlySet<Id>, ids: IdTable): RowFilter {
    const passes = (row: number) => {
      const id = ids.idOf(row)
      return id !== undefined && filter.has(id)
    }
    // Sets of other libraries may not say their size.
    const isSmaller = filter.size < ids.live
    return {
      share: isSmaller ? filter.size / ids.live : sampledShare(passes, ids),
      ...{ askNanos: nanos.has, listNanos: isSmaller ? nanos.entry * filter.size : nanos.has * ids.rows, passes },
      rows: () => (isSmaller ? this.#find(filter, ids) : this.#ask(id => filter.has(id), ids)),
    }
  }

  /** By asking about every row. */
  #ask(passes: (id: Id) => boolean, ids: IdTable): Uint32Array {
    const list = this.#take(ids.rows)
    const count = ids.passing(passes, list)
    this.#spare = list
    return list.subarray(0, count)
  }

  /** By looking for every id of the set. */
  #find(filter: ReadonlySet<Id>, ids: IdTable): Uint32Array {
    this.#marks.reserve(ids.rows)
    for (const id of filter) {
      const row = ids.rowOf(id)
      if (row !== undefined) this.#marks.add(row)
    }
    const list = this.#take(this.#marks.size)
    this.#spare = list
    return list.subarray(0, this.#marks.drain(list))
  }

  #take(length: number): Uint32Array {
    const spare = this.#spare
    this.#spare = undefined
    return spare && spare.length >= length ? spare : new Uint32Array(Math.ceil(1.25 * length))
  }
}

/** The share of some rows, spread over all, that pass; at least a little, as others may. */
function sampledShare(passes: (row: number) => boolean, { rows, live }: IdTable): number {
  if (live === 0) return 1
  const asked = Math.min(sampleSize, rows)
  let passing = 0
  for (let i = 1; i <= asked; i++) if (passes(Math.floor(((i * spread) % 1) * rows))) passing++
  return Math.min(1, Math.max(0.5, passing * (rows / live)) / asked)
}
