// The value indexes of a collection, by metadata name. One is built when a filter first uses the name: at once if that takes a millisecond or
// two, otherwise in the background, while filters ask every document.

import { finish, inTurns, type Steps, shortTurn } from '../../long-work.ts'
import type { DocumentTable } from '../document-table.ts'
import { ValueIndex } from './value-index.ts'

/** So many rows are indexed at once. */
const quickRows = 4096

export class ValueIndexes<Metadata extends object> {
  readonly #table: DocumentTable<Metadata>
  readonly #byName = new Map<string, ValueIndex>()
  readonly #growing = new Set<ValueIndex>()
  #stop = new AbortController()

  constructor(table: DocumentTable<Metadata>) {
    this.#table = table
  }

  /** The index of a name with all rows in it; undefined while it is being built. */
  ready(name: string): ValueIndex | undefined {
    let index = this.#byName.get(name)
    if (!index) {
      index = new ValueIndex(name)
      this.#byName.set(name, index)
    }
    if (this.#table.rows - index.seen > quickRows) {
      if (!this.#growing.has(index)) this.#grow(index)
      return undefined
    }
    finish(this.#extend(index))
    return index
  }

  /** Rows were renumbered. */
  clear(): void {
    this.#stop.abort()
    this.#stop = new AbortController()
    this.#byName.clear()
    this.#growing.clear()
  }

  #grow(index: ValueIndex): void {
    const { signal } = this.#stop
    this.#growing.add(index)
    inTurns(this.#extend(index), { signal }, { turnMillis: shortTurn }).then(
      () => this.#growing.delete(index),
      error => {
        if (!signal.aborted) throw error
      },
    )
  }

  #extend(index: ValueIndex): Steps<void> {
    return index.extend(this.#table.rows, row => this.#table.at(row)?.document.metadata)
  }
}
