// Which memory to evict first: a heap by claim, the lowest on top. A memory's claim is the time it was inserted or renewed, refreshed by
// rewards, plus its mean reward times the capacity: a memory that always helped survives `capacity` operations longer. Unrewarded memories
// are evicted in insertion order; being found does not help.

import type { MemoryTable } from './memory-table.ts'

/** As if each memory had been rewarded by one half, once: a single reward does not decide. */
const priorRewards = 1

export class EvictionQueue {
  readonly #table: MemoryTable
  readonly #capacity: number
  /** Slots; a parent's claim is never above its children's. */
  readonly #heap: number[] = []
  /** By slot: its place in the heap. */
  readonly #places: number[] = []

  constructor(table: MemoryTable, capacity: number) {
    this.#table = table
    this.#capacity = capacity
    for (let slot = 0; slot < table.count; slot++) this.add(slot)
  }

  /** The slot with the lowest claim. */
  get least(): number {
    return this.#heap[0]
  }

  add(slot: number): void {
    this.#put(this.#heap.length, slot)
    this.#raise(this.#places[slot])
  }

  /** The memory's claim has changed. */
  changed(slot: number): void {
    this.#sink(this.#raise(this.#places[slot]))
  }

  remove(slot: number): void {
    const place = this.#places[slot]
    const last = this.#heap.pop() as number // it holds `slot` at least
    if (last === slot) return
    this.#put(place, last)
    this.changed(last)
  }

  /** The memory of slot `from` is now in slot `to`. */
  rename(from: number, to: number): void {
    this.#put(this.#places[from], to)
  }

  #claim(slot: number): number {
    const { touched, reward, rewards } = this.#table.at(slot)
    return touched + (this.#capacity * (reward + 0.5 * priorRewards)) / (rewards + priorRewards)
  }

  #before(a: number, b: number): boolean {
    const difference = this.#claim(a) - this.#claim(b)
    return difference < 0 || (difference === 0 && this.#table.at(a).born < this.#table.at(b).born)
  }

  #raise(from: number): number {
    let place = from
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (!this.#before(this.#heap[place], this.#heap[parent])) break
      this.#swap(place, parent)
      place = parent
    }
    return place
  }

  #sink(from: number): void {
    let place = from
    for (;;) {
      const children = [2 * place + 1, 2 * place + 2].filter(child => child < this.#heap.length)
      const least = children.reduce(
        (best, child) => (this.#before(this.#heap[child], this.#heap[best]) ? child : best),
        place,
      )
      if (least === place) return
      this.#swap(place, least)
      place = least
    }
  }

  #swap(a: number, b: number): void {
    const slot = this.#heap[a]
    this.#put(a, this.#heap[b])
    this.#put(b, slot)
  }

  #put(place: number, slot: number): void {
    this.#heap[place] = slot
    this.#places[slot] = place
  }
}
