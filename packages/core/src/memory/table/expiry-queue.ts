// Which memories expire next, the older one of two first. Only those that do expire are in it.

import type { Id } from '../../ids/id.ts'
import type { MemoryTable } from './memory-table.ts'
import { SlotHeap } from './slot-heap.ts'

export class ExpiryQueue {
  readonly #table: MemoryTable
  readonly #heap: SlotHeap

  constructor(table: MemoryTable) {
    const endOf = (slot: number) => table.at(slot).expiresAt ?? Number.POSITIVE_INFINITY
    this.#table = table
    this.#heap = new SlotHeap((a, b) => {
      const [first, second] = [endOf(a), endOf(b)]
      return first < second || (first === second && table.bornOf(a) < table.bornOf(b))
    })
    for (let slot = 0; slot < table.count; slot++) this.changed(slot)
  }

  /** Number of memories that expire. */
  get size(): number {
    return this.#heap.size
  }

  /** For a memory that was added, or whose end has changed. */
  changed(slot: number): void {
    if (this.#table.at(slot).expiresAt === undefined) this.#heap.remove(slot)
    else if (this.#heap.has(slot)) this.#heap.changed(slot)
    else this.#heap.add(slot)
  }

  remove(slot: number): void {
    this.#heap.remove(slot)
  }

  /** The memory of slot `from` is now in slot `to`. */
  rename(from: number, to: number): void {
    this.#heap.rename(from, to)
  }

  /** The id of a memory that has expired; undefined if there is none. Remove it before asking for the next. */
  expired(now: number): Id | undefined {
    const slot = this.#heap.least
    if (slot === undefined) return undefined
    const { id, expiresAt } = this.#table.at(slot)
    return expiresAt !== undefined && expiresAt <= now ? id : undefined
  }
}
