import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { sparse, storedMemory } from '../memory.cases.ts'
import { ExpiryQueue } from './expiry-queue.ts'
import { MemoryTable } from './memory-table.ts'

const engine = new Engine()
afterAll(() => engine.close())

describe('the memories that expire', () => {
  it('are as many as there are, however often their end changed and however many are gone', () => {
    const table = new MemoryTable(engine.arena)
    const expiries = new ExpiryQueue(table)
    for (let i = 0; i < 1000; i++) {
      table.add(storedMemory(i, { expiresAt: 1e6 + i }), sparse({ 1: 1 }))
      expiries.changed(table.count - 1)
      table.replace(table.count - 1, { expiresAt: 2e6 })
      expiries.changed(table.count - 1)
      if (table.count < 3) continue
      expiries.remove(0)
      table.remove(0)
      expiries.rename(table.count, 0)
    }
    expect(expiries.size).toBe(2)
  })

  it('come in the order of a sorted list, the older one of two first', () => {
    const ends = fc.array(fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }), { maxLength: 40 })
    fc.assert(
      fc.property(ends, ends, (first, later) => {
        const table = new MemoryTable(engine.arena)
        first.forEach((expiresAt, i) => {
          table.add(storedMemory(i, { born: 100 - i, expiresAt }), sparse({ 1: 1 }))
        })
        const expiries = new ExpiryQueue(table)
        later.slice(0, first.length).forEach((expiresAt, slot) => {
          table.replace(slot, { expiresAt })
          expiries.changed(slot)
        })
        const all = Array.from({ length: table.count }, (_, slot) => table.at(slot))
        const wanted = all
          .filter(({ expiresAt }) => expiresAt !== undefined && expiresAt <= 3)
          .sort((a, b) => (a.expiresAt ?? 0) - (b.expiresAt ?? 0) || a.born - b.born)
        const found = []
        for (let id = expiries.expired(3); id !== undefined; id = expiries.expired(3)) {
          const slot = table.slotOf(id) ?? -1
          found.push(id)
          expiries.remove(slot)
          table.remove(slot)
          expiries.rename(table.count, slot)
        }
        expect(found).toEqual(wanted.map(({ id }) => id))
      }),
    )
  })
})
