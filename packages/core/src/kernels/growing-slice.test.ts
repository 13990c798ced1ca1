import { expect, it } from 'vitest'
import type { Slice } from './arena.ts'
import { Engine } from './engine.ts'
import { GrowingSlice } from './growing-slice.ts'

it('a growing slice keeps what it holds, and grows by half as much again', () => {
  const { arena } = new Engine()
  const slice = new GrowingSlice(arena, Uint32Array, { length: 2 })
  slice.array.set([7, 8])
  slice.reserve(2)
  expect(slice.length).toBe(2)
  slice.reserve(4)
  expect([...slice.array]).toEqual([7, 8, 0, 0, 0, 0])
  slice.reserveAnew(7)
  expect([...slice.array]).toEqual(new Array(11).fill(0))
  slice.free()
})

it('a growing slice discards what it has outgrown, and only then the last one', () => {
  const { arena } = new Engine()
  const waiting: Slice[] = []
  const from = arena.place(Uint8Array.of(1, 2, 3))
  const slice = new GrowingSlice(arena, Uint8Array, { from, discard: old => waiting.push(old) })
  slice.replace(2, fewer => fewer.set(slice.array.subarray(1)))
  expect([...slice.array]).toEqual([2, 3])
  expect(waiting).toEqual([from])
  slice.free()
  expect(waiting.length).toBe(2)
})
