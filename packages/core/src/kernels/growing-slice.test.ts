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

it('a growing slice moves what is appended a few elements at a time, and loses none', () => {
  const { arena } = new Engine()
  const slice = new GrowingSlice(arena, Uint32Array, { length: 300, growth: 2 })
  const copied: number[] = []
  const { set } = Uint32Array.prototype
  Uint32Array.prototype.set = function (elements, at) {
    copied.push(elements.length)
    set.call(this, elements, at)
  }
  try {
    for (let at = 0; at < 30_000; at += 3) slice.append(Uint32Array.of(at, at + 1, at + 2), at)
  } finally {
    Uint32Array.prototype.set = set
  }
  expect(slice.array.subarray(0, 30_000)).toEqual(Uint32Array.from({ length: 30_000 }, (_, i) => i))
  // Of an array that doubles, all elements would move at once.
  expect(Math.max(...copied)).toBeLessThanOrEqual(24)
  slice.free()
  expect(arena.usedBytes).toBe(0)
})

it('a growing slice moves all at once if there is no memory to begin early, or nothing to begin with', () => {
  const { arena } = new Engine({ maxBytes: 2 ** 20 })
  const room = arena.freeBytes
  const slice = new GrowingSlice(arena, Uint8Array, { length: 100, growth: 2 })
  const rest = arena.allocate(Uint8Array, room - 512)
  slice.append(new Uint8Array(90).fill(1), 0)
  rest.free()
  slice.append(new Uint8Array(500).fill(2), 90)
  expect([slice.array[89], slice.array[90], slice.array[589]]).toEqual([1, 2, 2])
  slice.free()
  expect(arena.usedBytes).toBe(0)
})

it('a growing slice forgets what it has moved of elements that were appended anew or rewritten', () => {
  const { arena } = new Engine()
  const slice = new GrowingSlice(arena, Uint8Array, { length: 100, growth: 2 })
  slice.append(new Uint8Array(70).fill(1), 0)
  slice.append(new Uint8Array(20).fill(2), 70) // moves all of it
  slice.append(new Uint8Array(20).fill(3), 70)
  slice.append(new Uint8Array(20).fill(4), 90)
  expect([69, 70, 89, 90].map(i => slice.array[i])).toEqual([1, 3, 3, 4])
  slice.append(new Uint8Array(60).fill(5), 110)
  slice.array.fill(6, 0, 170)
  slice.rewritten()
  slice.append(new Uint8Array(60).fill(7), 170)
  expect([0, 169, 170].map(i => slice.array[i])).toEqual([6, 6, 7])
  slice.free()
  expect(arena.usedBytes).toBe(0)
})
