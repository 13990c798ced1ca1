// Which memories a query may return: those of its namespace that its filter lets pass. A caller's function is asked about a memory
// once a query, however often the memory comes up.

import { isYes } from '../../callback-answers.ts'
import type { Id } from '../../ids/id.ts'
import type { Json } from '../../store/json.ts'
import type { QuerySettings } from '../memory-query.ts'
import type { MemoryTable } from '../table/memory-table.ts'

/** What restricts a query. */
export interface QueryScope extends Pick<QuerySettings, 'namespace' | 'filter'> {
  /** The slot of a memory that is left out. */
  readonly except?: number | undefined
}

export class Passing {
  readonly #table: MemoryTable
  readonly #scope: QueryScope
  readonly #readValue: (slot: number) => Json
  readonly #answers = new Map<number, boolean>()

  constructor(table: MemoryTable, scope: QueryScope, readValue: (slot: number) => Json) {
    this.#table = table
    this.#scope = scope
    this.#readValue = readValue
  }

  /** Whether it may let fewer pass than its namespace has. */
  get isSelective(): boolean {
    return this.#scope.filter !== undefined || this.#scope.except !== undefined
  }

  has(slot: number): boolean {
    const { namespace, filter, except } = this.#scope
    const memory = this.#table.at(slot)
    if (memory.namespace !== namespace || slot === except) return false
    if (filter === undefined) return true
    return typeof filter === 'function' ? this.#ask(slot, memory.id, filter) : filter.has(memory.id)
  }

  /** The slots that pass, where looking them up is less work than looking through all memories; else undefined. */
  few(): number[] | undefined {
    const { filter } = this.#scope
    if (filter === undefined || typeof filter === 'function' || filter.size > this.#table.count / 8) return undefined
    const slots = Array.from(filter, id => this.#table.slotOf(id))
    return slots.filter(slot => slot !== undefined).filter(slot => this.has(slot))
  }

  #ask(slot: number, id: Id, filter: (value: Json, id: Id) => boolean): boolean {
    const known = this.#answers.get(slot)
    if (known !== undefined) return known
    const answer = isYes(filter(this.#readValue(slot), id), 'filter')
    this.#answers.set(slot, answer)
    return answer
  }
}
