// The memories themselves: slots from 0 on without holes, so that one can be drawn at random in one step, and what is known of
// each. When a memory is removed, the last one moves to its slot. Values are stored as JSON, so callers cannot change them.
// Invariant: a record is replaced, never changed, so that lists of records keep their state.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import type { Arena } from '../../kernels/arena.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { KeyStore } from './key-store.ts'

/** One memory as it is kept. */
export interface StoredMemory {
  readonly id: Id
  /** JSON. */
  readonly value: string
  /** The value that rewards were given for, as JSON, where it was changed since: what they taught goes with the memory. */
  readonly learnedAs: string | undefined
  /** JSON of an object. */
  readonly metadata: string | undefined
  /** In milliseconds since 1970. */
  readonly createdAt: number
  readonly expiresAt: number | undefined
  /** Where the key was a text. */
  readonly text: string | undefined
  /** Its namespace: queries of other namespaces never see it. */
  readonly namespace: string | undefined
  /** When it came, was last renewed or rewarded: in operations of the memory. */
  readonly born: number
  readonly touched: number
  /** The sum of its rewards, and how many there were. */
  readonly reward: number
  readonly rewards: number
}

export class MemoryTable {
  readonly keys: KeyStore
  readonly #memories: StoredMemory[] = []
  /** Of each: many tie in a query, and then only their ages are read. */
  readonly #born: number[] = []
  readonly #slots = new Map<Id, number>()
  #nextId = 0
  /** Memories that have a namespace. */
  #named = 0

  constructor(arena: Arena) {
    this.keys = new KeyStore(arena)
  }

  get count(): number {
    return this.#memories.length
  }

  /** What the scorer knows the memory's value by. */
  topicOf(slot: number): string {
    const { learnedAs, value, id } = this.#memories[slot]
    return distinctNull(learnedAs ?? value, id)
  }

  /** What the value is compared by. */
  meaningOf(slot: number): string {
    const { value, id } = this.#memories[slot]
    return distinctNull(value, id)
  }

  bornOf(slot: number): number {
    return this.#born[slot]
  }

  at(slot: number): StoredMemory {
    return this.#memories[slot]
  }

  /** All memories as they are now, by slot. */
  all(): readonly StoredMemory[] {
    return this.#memories.slice()
  }

  /** Whether no memory is of another namespace. May say false if that is not known without looking at all of them. */
  areAllOf(namespace: string | undefined): boolean {
    return namespace === undefined && this.#named === 0
  }

  /** Puts another record of the same memory in its place. */
  replace(slot: number, changes: Partial<Omit<StoredMemory, 'namespace' | 'born'>>): void {
    this.#memories[slot] = writtenOut({ ...this.#memories[slot], ...changes })
  }

  slotOf(id: Id): number | undefined {
    return this.#slots.get(id)
  }

  /** The id itself, if it is free; without one, the lowest number above all that were ever given. */
  checkId(id: Id = this.#nextId): Id {
    if (typeof id !== 'string' && !Number.isFinite(id)) {
      throw new EngineError('INVALID_OPTION', `id is ${shown(id)}, expected a string or a finite number`)
    }
    if (!this.#slots.has(id)) return id
    throw new EngineError('BAD_DATA', `the id ${JSON.stringify(id)} already exists`, {
      hint: 'Remove that memory first, or give the new one another id.',
    })
  }

  /** Its slot is the last one. */
  add(memory: StoredMemory, key: SparseRow): void {
    this.keys.add(key)
    this.#slots.set(memory.id, this.#memories.push(memory) - 1)
    this.#born.push(memory.born)
    if (memory.namespace !== undefined) this.#named++
    // Beyond, adding 1 may give the same number.
    if (typeof memory.id !== 'number' || memory.id >= Number.MAX_SAFE_INTEGER) return
    this.#nextId = Math.max(this.#nextId, Math.floor(memory.id) + 1)
  }

  /** The last memory takes its slot. */
  remove(slot: number): void {
    const last = this.#memories.pop()
    if (!last) return
    this.#born.pop()
    const removed = this.#memories[slot] ?? last
    this.#slots.delete(removed.id)
    if (removed.namespace !== undefined) this.#named--
    if (removed !== last) {
      this.#memories[slot] = last
      this.#born[slot] = last.born
      this.#slots.set(last.id, slot)
    }
    this.keys.remove(slot)
  }

  get nextId(): number {
    return this.#nextId
  }

  /** For a table that is read from a file: numbers of memories that are gone are not given again. */
  set nextId(id: number) {
    this.#nextId = Math.max(this.#nextId, id)
  }
}

/** The slots in the order in which their memories came. */
export function slotsByAge(table: MemoryTable): Uint32Array {
  const slots = Uint32Array.from({ length: table.count }, (_, slot) => slot)
  return slots.sort((a, b) => table.bornOf(a) - table.bornOf(b))
}

/** The same record. Objects made by a spread were slower to read, and queries read them again and again. */
function writtenOut(record: StoredMemory): StoredMemory {
  const { id, value, learnedAs, text, namespace, metadata, createdAt, expiresAt } = record
  const { born, touched, reward, rewards } = record
  return { id, value, learnedAs, text, namespace, metadata, createdAt, expiresAt, born, touched, reward, rewards }
}

/** Memories without a value have nothing in common: a reward for one must not count for all others. No value looks like this as JSON. */
function distinctNull(value: string, id: Id): string {
  return value === 'null' ? `null ${JSON.stringify(id)}` : value
}
