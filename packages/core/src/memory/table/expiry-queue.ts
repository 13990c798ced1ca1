// Which memories expire next: a heap by time. An entry whose memory is gone by now, or expires at another time, is dropped when it comes up.

import type { Id } from '../../ids/id.ts'
import type { MemoryTable } from './memory-table.ts'

interface Entry {
  readonly at: number
  readonly id: Id
}

export class ExpiryQueue {
  readonly #table: MemoryTable
  /** A parent never expires after its children. */
  readonly #heap: Entry[] = []

  constructor(table: MemoryTable) {
    this.#table = table
    for (let slot = 0; slot < table.count; slot++) this.add(slot)
  }

  /** Notes when the memory expires, if it does. */
  add(slot: number): void {
    const { id, expiresAt } = this.#table.at(slot)
    if (expiresAt === undefined) return
    let place = this.#heap.push({ at: expiresAt, id }) - 1
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#heap[parent].at <= this.#heap[place].at) break
      this.#swap(place, parent)
      place = parent
    }
  }

  /** The id of a memory that has expired; undefined if there is none. Remove it before asking for the next. */
  expired(now: number): Id | undefined {
    for (let [top] = this.#heap; top && top.at <= now; [top] = this.#heap) {
      const slot = this.#table.slotOf(top.id)
      if (slot !== undefined && this.#table.at(slot).expiresAt === top.at) return top.id
      this.#dropTop()
    }
    return undefined
  }

  #dropTop(): void {
    const last = this.#heap.pop()
    if (!last || this.#heap.length === 0) return
    this.#heap[0] = last
    for (let place = 0; ; ) {
      const [left, right] = [2 * place + 1, 2 * place + 2]
      let least = place
      if (left < this.#heap.length && this.#heap[left].at < this.#heap[least].at) least = left
      if (right < this.#heap.length && this.#heap[right].at < this.#heap[least].at) least = right
      if (least === place) return
      this.#swap(place, least)
      place = least
    }
  }

  #swap(a: number, b: number): void {
    const entry = this.#heap[a]
    this.#heap[a] = this.#heap[b]
    this.#heap[b] = entry
  }
}
