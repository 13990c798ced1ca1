// Which rows pass a filter. Conditions are looked up in value indexes: the most selective one lists rows, and the others are tested on
// those. Results of recent filters are cached, so that a repeated filter only costs what has changed since.

import { EngineError } from '../../errors.ts'
import { RowSet } from '../../search/filters/row-set.ts'
import type { StoredDocument } from '../document.ts'
import type { DocumentTable, Entry } from '../document-table.ts'
import { FilteredRows } from './filtered-rows.ts'
import { asks, type Clause, clausesOf, isPositive, type MetadataFilter, meetsAll } from './metadata-filter.ts'
import { ValueIndex } from './value-index.ts'

/** Number of cached filters. */
const mostKept = 32

export class FilterCache<Metadata extends object> {
  readonly #table: DocumentTable<Metadata>
  readonly #marks = new RowSet()
  readonly #values = new Map<string, ValueIndex>()
  readonly #kept = new Map<string, FilteredRows<Metadata>>()
  #renumberings = 0

  constructor(table: DocumentTable<Metadata>) {
    this.#table = table
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

  #ask(filter: (document: StoredDocument<Metadata>) => boolean): FilteredRows<Metadata> {
    const passes = ({ document }: Entry<Metadata>) => asks(filter, document)
    const { changes } = this.#table
    const rows = Array.from(this.#table.entries()).filter(passes)
    if (this.#table.changes !== changes) throw filterChangedCollection()
    return new FilteredRows(
      this.#table,
      passes,
      Uint32Array.from(rows, ({ row }) => row),
    )
  }

  #find(clauses: readonly Clause[]): Uint32Array {
    const indexed = clauses.filter(isPositive).map(clause => this.#listsOf(clause))
    const sizes = indexed.map(lists => lists.reduce((sum, list) => sum + list.length, 0))
    const fewest = indexed[sizes.indexOf(Math.min(...sizes))]
    const passes = (entry: Entry<Metadata> | undefined) => entry !== undefined && meetsAll(entry.document, clauses)
    if (!fewest) {
      const rows = Array.from(this.#table.entries()).filter(passes)
      return Uint32Array.from(rows, ({ row }) => row)
    }
    this.#marks.reserve(this.#table.rows)
    for (const list of fewest) for (const row of list) if (passes(this.#table.at(row))) this.#marks.add(row)
    const rows = new Uint32Array(this.#marks.size)
    this.#marks.drain(rows)
    return rows
  }

  #listsOf(clause: Clause): readonly (readonly number[])[] {
    let index = this.#values.get(clause.name)
    if (!index) {
      index = new ValueIndex(clause.name)
      this.#values.set(clause.name, index)
    }
    index.extend(this.#table.rows, row => this.#table.at(row)?.document.metadata)
    return index.listsFor(clause)
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
