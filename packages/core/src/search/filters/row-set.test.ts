import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RowSet } from './row-set.ts'

describe('RowSet', () => {
  it('gives back what was put in, each once, ascending, and is empty then', () => {
    const set = new RowSet()
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 199 }), { maxLength: 80 }), rows => {
        set.reserve(200)
        for (const row of rows) set.add(row)
        const expected = [...new Set(rows)].sort((a, b) => a - b)
        expect(set.size).toBe(expected.length)
        const list = new Uint32Array(200)
        expect([...list.subarray(0, set.drain(list))]).toEqual(expected)
        expect([set.size, set.drain(list)]).toEqual([0, 0])
      }),
    )
  })

  it('forgets what was left in it when room is made again', () => {
    const set = new RowSet()
    set.reserve(64)
    set.add(63)
    set.reserve(40)
    set.add(31)
    const list = new Uint32Array(2)
    expect([set.drain(list), ...list]).toEqual([1, 31, 0])
  })
})
