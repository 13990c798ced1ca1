import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { TablePool, tableWords } from './table-pool.ts'

const engine = new Engine()
afterAll(() => engine.close())

describe('a table pool', () => {
  it('knows the words of a table: a head of 4 and 3 a slot', () => {
    expect([1, 6, 10].map(tableWords)).toEqual([10, 196, 3076])
  })

  it('hands out tables that do not overlap, of all sizes', () => {
    const pool = new TablePool(engine.arena)
    const tables = [6, 1, 14, 6, 15, 3, 16, 6, ...Array(400).fill(8)].map(bits => ({ bits, room: pool.take(bits) }))
    for (const [i, { room }] of tables.entries()) room.words().fill(i)
    tables.forEach(({ bits, room }, i) => {
      expect(room.words().length).toBe(tableWords(bits))
      expect(room.words().every(word => word === i)).toBe(true)
      expect(new Uint32Array(room.words().buffer, room.pointer, 1)[0]).toBe(i)
    })
    pool.free()
  })

  it('gives a returned table to the next one of its size, and to no other', () => {
    const pool = new TablePool(engine.arena)
    const [a, b] = [pool.take(6), pool.take(6)]
    pool.give(6, a)
    expect(pool.take(7).pointer).not.toBe(a.pointer)
    expect(pool.take(6).pointer).toBe(a.pointer)
    const c = pool.take(6)
    expect([a.pointer, b.pointer]).not.toContain(c.pointer)
    pool.free()
  })

  it('takes no chunk for tables that come and go', () => {
    const pool = new TablePool(engine.arena)
    pool.give(6, pool.take(6))
    const { bytes } = pool
    expect(bytes).toBe(4 * 2 ** 18)
    for (let i = 0; i < 10_000; i++) pool.give(6, pool.take(6))
    expect(pool.bytes).toBe(bytes)
    // 2¹⁵ slots are more than a quarter of a chunk: one of their own.
    pool.take(15)
    expect(pool.bytes).toBe(bytes + 4 * tableWords(15))
    pool.free()
  })

  it('gives the memory of large tables back at once: a table that doubles leaves nothing behind', () => {
    const before = engine.arena.usedBytes
    const pool = new TablePool(engine.arena)
    for (let bits = 15; bits < 18; bits++) pool.give(bits, pool.take(bits))
    expect([engine.arena.usedBytes, pool.bytes]).toEqual([before, 0])
    pool.free()
  })

  it('gives the arena everything back', () => {
    const before = engine.arena.usedBytes
    const pool = new TablePool(engine.arena)
    for (const bits of [3, 16, 8, 15]) pool.take(bits)
    expect(engine.arena.usedBytes).toBeGreaterThan(before)
    pool.free()
    expect([engine.arena.usedBytes, pool.bytes]).toEqual([before, 0])
  })
})
