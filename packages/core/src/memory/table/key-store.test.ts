import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { finish } from '../../long-work.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { sparse } from '../memory.cases.ts'
import { KeyStore } from './key-store.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** A key of `size` features that no other number makes. */
function keyOf(number: number, size: number): SparseRow {
  return {
    indices: Uint32Array.from({ length: size }, (_, e) => number + e),
    values: Float32Array.from({ length: size }, (_, e) => number + e / 4),
  }
}

const rowsOf = (keys: KeyStore): SparseRow[] => Array.from({ length: keys.count }, (_, slot) => keys.row(slot))

describe('a key store', () => {
  it('gives the slot of a removed key to the last one', () => {
    const keys = new KeyStore(engine.arena)
    const rows = [sparse({ 1: 1 }), sparse({ 2: 0.5, 3: 0.25 }), sparse({ 4: 8, 5: 7, 6: 6 })]
    for (const row of rows) keys.add(row)
    keys.remove(0)
    expect(rowsOf(keys)).toEqual([rows[2], rows[1]])
    keys.remove(1)
    expect(rowsOf(keys)).toEqual([rows[2]])
    expect([keys.count, keys.entries]).toEqual([1, 3])
    keys.free()
  })

  it('says where a key lies', () => {
    const keys = new KeyStore(engine.arena)
    keys.add(sparse({ 1: 1, 2: 2 }))
    keys.add(sparse({ 7: 0.5, 9: 0.75 }))
    const { features, values, count } = keys.at(1)
    const { buffer } = keys.features.array
    expect([...new Uint32Array(buffer, features, count)]).toEqual([7, 9])
    expect([...new Float32Array(buffer, values, count)]).toEqual([0.5, 0.75])
    keys.free()
  })

  it('packs living keys only, in the order of their slots', () => {
    const keys = new KeyStore(engine.arena)
    for (const row of [sparse({ 1: 1 }), sparse({ 2: 2, 3: 3 }), sparse({ 4: 4 })]) keys.add(row)
    keys.remove(0)
    expect(finish(keys.pack(keys.freeze()))).toEqual({
      sizes: Uint32Array.of(1, 2),
      features: Uint32Array.of(4, 2, 3),
      values: Float32Array.of(4, 2, 3),
    })
    keys.free()
  })

  it('moves the living together when most features are left-overs', () => {
    const keys = new KeyStore(engine.arena)
    for (let i = 0; i < 100; i++) keys.add(keyOf(1000 * i, 100))
    const room = keys.features.length
    for (let i = 0; i < 100; i++) {
      keys.remove(0)
      keys.add(keyOf(1e6 + 1000 * i, 100))
    }
    for (let i = 0; i < 2000; i++) {
      keys.remove(i % 100)
      keys.add(keyOf(2e6 + 1000 * i, 100))
    }
    expect([keys.count, keys.entries]).toEqual([100, 10_000])
    // Twice what lives and a few more, grown by half at most: not the 210,000 features that were ever there.
    expect(keys.features.length).toBeLessThan(Math.max(room, 1.5 * (2 * 10_000 + 4096 + 200)))
    expect(new Set(rowsOf(keys).map(({ indices }) => indices[0])).size).toBe(100)
    for (const { indices, values } of rowsOf(keys)) expect({ indices, values }).toEqual(keyOf(indices[0], 100))
    keys.free()
  })

  it('moves a key that swapped slots without writing over its neighbor', () => {
    const keys = new KeyStore(engine.arena)
    const rows = [1, ...Array(9).fill(1000)].map((size: number, i) => keyOf(10_000 * i, size))
    for (const row of rows) keys.add(row)
    keys.remove(0)
    // The last key is in slot 0 now, before one that lies where it would be moved to.
    for (let slot = 8; slot > 1; slot--) keys.remove(slot)
    expect(rowsOf(keys)).toEqual([rows[9], rows[1]])
    const more = Array.from({ length: 8 }, (_, i) => keyOf(200_000 + 10_000 * i, 1000))
    for (const row of more) keys.add(row)
    expect(rowsOf(keys)).toEqual([rows[9], rows[1], ...more])
    keys.free()
  })

  it('holds what a list with the same removals holds', () => {
    const operation = fc.oneof(
      { weight: 3, arbitrary: fc.nat(900).map(size => ({ size })) },
      { weight: 2, arbitrary: fc.nat().map(remove => ({ remove })) },
    )
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), operations => {
        const keys = new KeyStore(engine.arena)
        const list: SparseRow[] = []
        operations.forEach((operation, i) => {
          if ('size' in operation) {
            keys.add(keyOf(1000 * i, operation.size))
            list.push(keyOf(1000 * i, operation.size))
          } else if (list.length > 0) {
            const slot = operation.remove % list.length
            keys.remove(slot)
            const last = list.pop() as SparseRow // there is one at least
            if (slot < list.length) list[slot] = last
          }
        })
        expect(rowsOf(keys)).toEqual(list)
        expect(keys.entries).toBe(list.reduce((sum, { indices }) => sum + indices.length, 0))
        keys.free()
      }),
    )
  })

  it('is not copied all at once when it grows', () => {
    const keys = new KeyStore(engine.arena)
    const copied: number[] = []
    const { set } = Float32Array.prototype
    Float32Array.prototype.set = function (elements, at) {
      copied.push(elements.length)
      set.call(this, elements, at)
    }
    try {
      for (let i = 0; i < 2000; i++) keys.add(keyOf(i, 64))
    } finally {
      Float32Array.prototype.set = set
    }
    expect(Math.max(...copied)).toBeLessThanOrEqual(16 * 64)
    for (const [i, row] of rowsOf(keys).entries()) expect(row).toEqual(keyOf(i, 64))
    keys.free()
  })

  it('moves keys together while it is about to grow, and loses none', () => {
    const keys = new KeyStore(engine.arena)
    const list: SparseRow[] = []
    const add = (i: number) => {
      list.push(keyOf(1000 * i, 100))
      keys.add(keyOf(1000 * i, 100))
    }
    // From three quarters on, keys move to a larger place.
    while (keys.count < 100 || 100 * keys.count < 0.9 * keys.features.length) add(keys.count)
    while (keys.count > 20) {
      keys.remove(0)
      list[0] = list.pop() as SparseRow // there is one at least
    }
    for (let i = 0; i < 500; i++) add(1000 + i)
    expect(rowsOf(keys)).toEqual(list)
    keys.free()
  })

  it('gives the arena everything back', () => {
    const before = engine.arena.usedBytes
    const keys = new KeyStore(engine.arena)
    keys.add(keyOf(5, 5000))
    keys.free()
    expect(engine.arena.usedBytes).toBe(before)
  })
})
