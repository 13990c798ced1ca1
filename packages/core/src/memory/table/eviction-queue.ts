// Which memory to evict first: the one with the lowest claim. A memory's claim is the time it was inserted or renewed, refreshed by
// rewards, plus its mean reward times the capacity: a memory that always helped survives `capacity` operations longer. Unrewarded memories
// are evicted in insertion order; being found does not help.

import type { MemoryTable } from './memory-table.ts'
import { SlotHeap } from './slot-heap.ts'

/** As if each memory had been rewarded by one half, once: a single reward does not decide. */
const priorRewards = 1

export class EvictionQueue extends SlotHeap {
  constructor(table: MemoryTable, capacity: number) {
    const claim = (slot: number) => {
      const { touched, reward, rewards } = table.at(slot)
      return touched + (capacity * (reward + 0.5 * priorRewards)) / (rewards + priorRewards)
    }
    super((a, b) => {
      const difference = claim(a) - claim(b)
      return difference < 0 || (difference === 0 && table.bornOf(a) < table.bornOf(b))
    })
    for (let slot = 0; slot < table.count; slot++) this.add(slot)
  }
}
