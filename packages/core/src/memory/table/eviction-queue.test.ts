import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { sparse, storedMemory } from '../memory.cases.ts'
import { EvictionQueue } from './eviction-queue.ts'
import { MemoryTable, type StoredMemory } from './memory-table.ts'

const engine = new Engine()
afterAll(() => engine.close())

const memory = (born: number, change: Partial<StoredMemory> = {}): StoredMemory =>
  storedMemory(born, { born, touched: born, ...change })

function tableOf(memories: readonly StoredMemory[]): MemoryTable {
  const table = new MemoryTable(engine.arena)
  for (const memory of memories) table.add(memory, sparse({ 1: 1 }))
  return table
}

/** The readable version: all memories in order, the least claim first, the older one of two first. */
function sorted(table: MemoryTable, capacity: number): number[] {
  const claim = ({ touched, reward, rewards }: StoredMemory) => touched + (capacity * (reward + 0.5)) / (rewards + 1)
  const slots = Array.from({ length: table.count }, (_, slot) => slot)
  return slots.sort((a, b) => claim(table.at(a)) - claim(table.at(b)) || table.at(a).born - table.at(b).born)
}

/** As a memory forgets: the last one moves to the slot that is free. */
function forget(table: MemoryTable, evictions: EvictionQueue, slot: number): void {
  const last = table.count - 1
  evictions.remove(slot)
  table.remove(slot)
  if (slot !== last) evictions.rename(last, slot)
}

describe('evictions', () => {
  it('let unrewarded memories go in the order they came', () => {
    const table = tableOf([3, 1, 2].map(born => memory(born)))
    const evictions = new EvictionQueue(table, 10)
    const gone: number[] = []
    while (table.count > 0) {
      const least = evictions.least ?? -1
      gone.push(table.at(least).born)
      forget(table, evictions, least)
    }
    expect(gone).toEqual([1, 2, 3])
  })

  it('keep what helped for up to half a capacity longer, and let go what did not as much sooner', () => {
    // EvictionQueue with a capacity of 100: 1 + 75, 30 + 50, 60 + 25.
    const table = tableOf([memory(1, { reward: 1, rewards: 1 }), memory(30), memory(60, { reward: 0, rewards: 1 })])
    expect(table.at(new EvictionQueue(table, 100).least ?? -1).born).toBe(1)
    // With 200: 1 + 150, 30 + 100, 60 + 50.
    expect(table.at(new EvictionQueue(table, 200).least ?? -1).born).toBe(60)
  })

  it('of equal size let the older memory go first', () => {
    const table = tableOf([memory(7, { touched: 9 }), memory(5, { touched: 9 }), memory(6, { touched: 9 })])
    expect(new EvictionQueue(table, 4).least).toBe(1)
  })

  it('agree with a sorted list after any changes', () => {
    const operation = fc.record({
      kind: fc.constantFrom('add', 'add', 'touch', 'reward', 'reward', 'remove', 'least'),
      which: fc.nat(),
      reward: fc.constantFrom(0, 0.25, 1),
    })
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 80 }), fc.constantFrom(1, 8, 1000), (operations, capacity) => {
        const table = tableOf([memory(0), memory(1)])
        const evictions = new EvictionQueue(table, capacity)
        operations.forEach(({ kind, which, reward }, i) => {
          const slot = which % Math.max(1, table.count)
          // Every other memory comes with its time: there are ties.
          const time = 2 + (i >> 1)
          if (kind === 'add' || table.count === 0) {
            table.add(memory(i + 2, { touched: time }), sparse({ 1: 1 }))
            evictions.add(table.count - 1)
          } else if (kind === 'remove') forget(table, evictions, slot)
          else if (kind === 'least') forget(table, evictions, evictions.least ?? -1)
          else {
            table.replace(slot, { touched: time })
            const before = table.at(slot)
            if (kind === 'reward') {
              table.replace(slot, { reward: before.reward + reward, rewards: before.rewards + 1 })
            }
            evictions.changed(slot)
          }
          expect(evictions.least).toBe(sorted(table, capacity)[0])
        })
        while (table.count > 0) {
          expect(evictions.least).toBe(sorted(table, capacity)[0])
          forget(table, evictions, evictions.least ?? -1)
        }
      }),
    )
  })
})
