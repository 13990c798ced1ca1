// Which rows pass a filter. Conditions are looked up in value indexes: the most selective one lists rows, and the others are tested on
// those. If there is no index yet, or the conditions are not selective, every document is tested. Results of recent filters are cached, so that a repeated filter only costs what has changed since.

import { EngineError } from '../../errors.ts'
import { RowSet } from '../../search/filters/row-set.ts'
import type { StoredDocument } from '../document.ts'
import type { DocumentTable, Entry } from '../document-table.ts'
import { FilteredRows } from './filtered-rows.ts'
import { asks, type Clause, clausesOf, type MetadataFilter, meetsAll } from './metadata-filter.ts'
import { ValueIndexes } from './value-indexes.ts'

/** Number of cached filters. */
const mostKept = 32
/** Testing this many documents takes as long as looking up one value or one listed row. */
const lookupCost = 4

export class FilterCache<Metadata extends object> {
  readonly #table: DocumentTable<Metadata>
  readonly #marks = new RowSet()
  readonly #values: ValueIndexes<Metadata>
  readonly #kept = new Map<string, FilteredRows<Metadata>>()
  #renumberings = 0

  constructor(table: DocumentTable<Metadata>) {
    this.#table = table
    this.#values = new ValueIndexes(table)
  }

  /** The rows that pass. A function is called for every document, each time. */
  open(filter: MetadataFilter<Metadata>): FilteredRows<Metadata> {
    if (typeof filter === 'function') return this.#ask(filter)
    this.#forgetRenumbered()
    const clauses = clausesOf(filter)
    const key = keyOf(clauses)
    const known = this.#kept.get(key)
    // Least recently used filters are evicted first.
    if (known) this.#kept.delete(key)
    const rows = known ?? new FilteredRows(this.#table, entry => meetsAll(entry.document, clauses), this.#find(clauses))
    rows.refresh()
    this.#kept.set(key, rows)
    if (this.#kept.size > mostKept) this.#kept.delete(this.#kept.keys().next().value as string) // there is one
    return rows
  }

  /** Stops what is done in the background. */
  free(): void {
    this.#values.clear()
  }

  #ask(filter: (document: StoredDocument<Metadata>) => boolean): FilteredRows<Metadata> {
    const passes = ({ document }: Entry<Metadata>) => asks(filter, document)
    const { changes } = this.#table
    const rows = this.#table.passing(passes)
    if (this.#table.changes !== changes) throw filterChangedCollection()
    return new FilteredRows(this.#table, passes, rows)
  }

  #find(clauses: readonly Clause[]): Uint32Array {
    const lists = this.#fewest(clauses)
    if (!lists) return this.#table.passing(({ document }) => meetsAll(document, clauses))
    this.#marks.reserve(this.#table.rows)
    for (const list of lists) {
      for (const row of list) {
        const entry = this.#table.at(row)
        if (entry && meetsAll(entry.document, clauses)) this.#marks.add(row)
      }
    }
    const rows = new Uint32Array(this.#marks.size)
    this.#marks.drain(rows)
    return rows
  }

  /** Lists that have all rows that pass; undefined if testing all documents is faster. */
  #fewest(clauses: readonly Clause[]): readonly (readonly number[])[] | undefined {
    let fewest: readonly (readonly number[])[] | undefined
    let most = this.#table.rows / lookupCost
    for (const clause of clauses) {
      const lists = clause.isPositive ? this.#values.ready(clause.name)?.listsFor(clause, most) : undefined
      const size = lists?.reduce((sum, list) => sum + list.length, 0) ?? Number.POSITIVE_INFINITY
      if (size > most) continue
      fewest = lists
      most = size
    }
    return fewest
  }

  #forgetRenumbered(): void {
    if (this.#renumberings === this.#table.renumberings) return
    this.#renumberings = this.#table.renumberings
    this.#values.clear()
    this.#kept.clear()
  }
}

/** Equal for filters with equal conditions in the same order. */
function keyOf(clauses: readonly Clause[]): string {
  const parts = clauses.map(({ name, condition }) => [name, condition])
  // JSON writes all numbers that are not finite as null.
  return JSON.stringify(parts, (_, value) => (value === Infinity || value === -Infinity ? [String(value)] : value))
}

function filterChangedCollection(): EngineError {
  return new EngineError('INVALID_OPTION', 'your filter changed the collection during the search', {
    hint: 'Collect the changes, and make them after the call.',
  })
}
