// Which memories a query may return: those of its namespace that its filter lets pass. A filter function is called at most once per memory
// and query.

import { isYes } from '../../callback-answers.ts'
import type { Json } from '../../store/json.ts'
import type { QuerySettings } from '../memory-query.ts'
import type { MemoryTable, StoredMemory } from '../table/memory-table.ts'

type FilterFunction = Extract<QuerySettings['filter'], (...all: never[]) => unknown>

/** What restricts a query. */
export interface QueryScope extends Pick<QuerySettings, 'namespace' | 'filter'> {
  /** The slot of a memory that is left out. */
  readonly except?: number | undefined
  /** Memories that have expired by then are left out. */
  readonly now: number
  /** Memories of all namespaces. */
  readonly anyNamespace?: boolean
}

export class Passing {
  readonly #table: MemoryTable
  readonly #scope: QueryScope
  readonly #readValue: (slot: number) => Json
  /** What a filter function answered. */
  #answers: Map<number, boolean> | undefined

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
    const { namespace, filter, except, now, anyNamespace = false } = this.#scope
    const memory = this.#table.at(slot)
    if ((memory.namespace !== namespace && !anyNamespace) || slot === except) return false
    if (memory.expiresAt !== undefined && memory.expiresAt <= now) return false
    if (filter === undefined) return true
    return typeof filter === 'function' ? this.#ask(slot, memory, filter) : filter.has(memory.id)
  }

  /** The slots that pass, where looking them up is less work than looking through all memories; else undefined. */
  few(): number[] | undefined {
    const { filter } = this.#scope
    if (filter === undefined || typeof filter === 'function' || filter.size > this.#table.count / 8) return undefined
    const slots = Array.from(filter, id => this.#table.slotOf(id))
    return slots.filter(slot => slot !== undefined).filter(slot => this.has(slot))
  }

  #ask(slot: number, { id, metadata }: StoredMemory, filter: FilterFunction): boolean {
    this.#answers ??= new Map()
    const known = this.#answers.get(slot)
    if (known !== undefined) return known
    const answer = isYes(
      filter(this.#readValue(slot), id, metadata === undefined ? undefined : JSON.parse(metadata)),
      'filter',
    )
    this.#answers.set(slot, answer)
    return answer
  }
}
