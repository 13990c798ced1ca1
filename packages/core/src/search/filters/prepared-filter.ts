// A filter that was asked about every item once, for one index. Items added later are asked about when they are first searched;
// those removed drop out. Invariant: #rows lists, ascending, the rows below #seen of #table that pass and are live.

import { isYes } from '../../callback-answers.ts'
import { EngineError } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import type { IdTable } from '../../ids/id-table.ts'
import type { ItemFilter } from '../neighbor.ts'
import { setOf } from './id-set.ts'
import type { RowFilter } from './row-filter.ts'

/** Estimated nanoseconds of asking about one row. */
const askNanos = 2

/**
 * A filter made by `filter()` of an index. Pass it as `filter` to searches of that index. It keeps one byte per item, and what it was made
 * of: of a set a copy, so that changing the set changes nothing.
 */
export class PreparedFilter {
  readonly #owner: object
  readonly #passes: (id: Id) => boolean
  #table: IdTable | undefined
  #changes = 0
  #seen = 0
  /** 1 for rows that pass. */
  #mask = new Uint8Array(0)
  #rows = new Uint32Array(0)

  /** `owner` identifies the index. */
  constructor(owner: object, filter: ItemFilter, ids: IdTable) {
    this.#owner = owner
    const kept = typeof filter === 'function' ? filter : new Set(setOf(filter))
    this.#passes = typeof kept === 'function' ? kept : id => kept.has(id)
    this.#refresh(ids)
  }

  /** Internal: the rows that pass now. */
  rowFilter(owner: object, ids: IdTable): RowFilter {
    if (owner !== this.#owner) {
      throw new EngineError('INVALID_OPTION', 'your filter was prepared by another index', {
        hint: 'Call filter() on the index that you search.',
      })
    }
    if (ids !== this.#table || ids.changes !== this.#changes) this.#refresh(ids)
    const [mask, rows] = [this.#mask, this.#rows]
    return {
      share: ids.live === 0 ? 1 : rows.length / ids.live,
      ...{ askNanos, listNanos: 0 },
      passes: row => mask[row] === 1,
      rows: () => rows,
    }
  }

  /** Asks about the rows it has not seen; forgets those that were removed. */
  #refresh(ids: IdTable): void {
    const { changes, rows: total } = ids
    const [from, known] = ids === this.#table ? [this.#seen, this.#rows] : [0, new Uint32Array(0)]
    const passing = new Uint32Array(known.length + total - from)
    let count = 0
    for (const row of known) if (ids.idOf(row) !== undefined) passing[count++] = row
    for (let row = from; row < total; row++) {
      const id = ids.idOf(row)
      if (id !== undefined && isYes(this.#passes(id), 'filter')) passing[count++] = row
    }
    if (ids.changes !== changes) throw filterChangedIndex()
    this.#rows = passing.slice(0, count)
    this.#mask = new Uint8Array(total)
    for (const row of this.#rows) this.#mask[row] = 1
    this.#table = ids
    this.#changes = changes
    this.#seen = total
  }
}

/** Row numbers in hand would be those of other items. */
export function filterChangedIndex(): EngineError {
  return new EngineError('INVALID_OPTION', 'your filter changed the index during the search', {
    hint: 'Collect the changes, and make them after the call.',
  })
}
