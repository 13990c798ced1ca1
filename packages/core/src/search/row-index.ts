// What all indexes do alike: they know their rows by number and by id, and prepare filters over them.

import { assert } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { IdTable } from '../ids/id-table.ts'
import { Saveable } from '../store/saveable.ts'
import type { PreparedFilter } from './filters/prepared-filter.ts'
import { type RowFilter, RowFilters } from './filters/row-filter.ts'
import { checkItemFilter, type Filter, type ItemFilter } from './neighbor.ts'

export abstract class RowIndex extends Saveable {
  readonly #filters = new RowFilters()

  /** The ids of the rows as they are now. A filter may free the index while it is asked, so this does not check that it is live. */
  protected abstract get ids(): IdTable

  /** Number of rows, without removed ones. */
  get rows(): number {
    this.checkLive()
    return this.ids.live
  }

  /** Internal row numbers in use, including the holes of removed rows. Every row number is below this. */
  get rowNumbers(): number {
    this.checkLive()
    return this.ids.rows
  }

  /** The id of an internal row; undefined if it was removed. */
  idOf(row: number): Id | undefined {
    this.checkLive()
    return this.ids.idOf(row)
  }

  /** The internal row of an id; undefined if the id is unknown. */
  rowOf(id: Id): number | undefined {
    this.checkLive()
    return this.ids.rowOf(id)
  }

  /** Evaluates a filter on all items once, for use in many searches: see `PreparedFilter`. */
  filter(filter: ItemFilter): PreparedFilter {
    this.checkLive()
    checkItemFilter(filter)
    return this.#filters.prepare(filter, this.ids)
  }

  /** A filter as one search uses it. */
  protected opened(filter: Filter): RowFilter {
    return this.#filters.open(filter, this.ids)
  }

  /** The id of a row that was found. */
  protected liveId(row: number): Id {
    const id = this.ids.idOf(row)
    assert(id !== undefined, `found the removed row ${row}`)
    return id
  }
}
