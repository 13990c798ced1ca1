import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import type { Slice } from './arena.ts'
import { Engine } from './engine.ts'

const mebibyte = 2 ** 20

describe.each([true, false])('the arena, shared: %s', shared => {
  it('hands out zeros on cache lines and takes them back', () => {
    const { arena } = new Engine({ shared })
    const slice = arena.allocate(Float32Array, 100)
    expect(slice.pointer % 64).toBe(0)
    expect([...slice.array]).toEqual(new Array(100).fill(0))
    slice.array.fill(7)
    slice.free()
    expect(arena.usedBytes).toBe(0)
    expect(arena.allocate(Float32Array, 100).array[99]).toBe(0)
  })

  it('keeps slices intact while the memory grows', () => {
    const { arena } = new Engine({ shared })
    const first = arena.place(Float64Array.of(1.5, 2.5))
    arena.allocate(Uint8Array, 8 * mebibyte)
    expect([...first.array]).toEqual([1.5, 2.5])
    first.array[0] = 9
    expect(first.array[0]).toBe(9)
  })

  it('does not grow when the same work is done a thousand times', () => {
    const { arena } = new Engine({ shared })
    const work = (round: number) => {
      const scope = arena.scope()
      for (let i = 0; i < 20; i++) scope.allocate(Float32Array, 1000 + ((round * 37 + i * 101) % 5000))
      scope.free()
    }
    work(0)
    for (let round = 1; round < 100; round++) work(round)
    const bytes = arena.bytes
    for (let round = 100; round < 1100; round++) work(round)
    expect(arena.bytes).toBe(bytes)
    expect(arena.usedBytes).toBe(0)
  })

  it('refuses what does not fit, naming what was asked and what is free, and stays usable', () => {
    const { arena } = new Engine({ shared, maxBytes: 4 * mebibyte })
    arena.allocate(Uint8Array, mebibyte)
    const refused = () => arena.allocate(Float32Array, mebibyte, 'the rows')
    expect(refused).toThrow(EngineError)
    expect(refused).toThrow(/^the rows needs 4 MiB, but at most 3 MiB of 4 MiB are free$/)
    expect(arena.allocate(Uint8Array, 2 * mebibyte).length).toBe(2 * mebibyte)
  })
})

describe('the arena', () => {
  it('never hands out overlapping slices and ends empty, after any sequence of allocate and free', () => {
    const step = fc.record({ length: fc.nat({ max: 3000 }), free: fc.option(fc.nat(), { nil: undefined }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), steps => {
        const { arena } = new Engine({ shared: false })
        const live: { slice: Slice<Uint32Array>; mark: number }[] = []
        steps.forEach(({ length, free }, mark) => {
          const slice = arena.allocate(Uint32Array, length)
          slice.array.fill(mark)
          live.push({ slice, mark })
          if (free !== undefined) live.splice(free % live.length, 1)[0].slice.free()
        })
        for (const { slice, mark } of live) expect(slice.array.every(value => value === mark)).toBe(true)
        for (const { slice } of live) slice.free()
        expect(arena.usedBytes).toBe(0)
      }),
      { numRuns: 50 },
    )
  })

  it.each([0, 400_000])('copies %i numbers of its own, though growing for the copy detaches them', length => {
    const { arena } = new Engine({ shared: false })
    const slice = arena.place(Float32Array.from({ length }, (_, i) => i))
    const old = slice.array
    const copy = arena.place(old)
    if (length > 0) expect(old).toHaveLength(0)
    expect(copy.array).toEqual(slice.array)
    expect(copy.array).toHaveLength(length)
  })

  it('takes over an array that was allocated to be placed, in an arena of the same memory', () => {
    const { arena } = new Engine({ shared: true })
    const [room, own] = [arena.within(), arena.within()]
    const [array, left] = [room.allocateToPlace(Float32Array, 3), room.allocateToPlace(Float32Array, 3)]
    array.set([3, 4, 5])
    const slice = own.place(array)
    expect([slice.pointer, slice.length]).toEqual([array.byteOffset, 3])
    expect(own.place(array).pointer).not.toBe(slice.pointer) // only once: it has an owner now
    const elsewhere = new Engine({ shared: true }).arena.place(left)
    room.free()
    expect([...slice.array, ...elsewhere.array]).toEqual([3, 4, 5, 0, 0, 0])
    expect(own.place(left).pointer).not.toBe(slice.pointer)
    own.free()
    expect(arena.usedBytes).toBe(0)
  })

  it('frees nothing of another slice when one is freed twice', () => {
    const { arena } = new Engine()
    const slice = arena.allocate(Uint8Array, 1)
    slice.free()
    const next = arena.place(Uint8Array.of(7))
    expect(next.pointer).toBe(slice.pointer)
    slice.free()
    expect(arena.place(Uint8Array.of(8)).pointer).not.toBe(next.pointer)
    expect([...next.array]).toEqual([7])
  })

  it('calls the use of a slice that was freed a bug', () => {
    const slice = new Engine().arena.allocate(Uint8Array, 1)
    slice.free()
    expect(() => slice.array).toThrow('used after it was freed')
  })

  it('frees all slices of an arena within, and of those within it, and no others', () => {
    const { arena } = new Engine()
    const outside = arena.place(Uint8Array.of(1))
    const within = arena.within()
    const deeper = within.within()
    const [a, b] = [within.allocate(Float32Array, 1000), deeper.allocate(Float32Array, 1000)]
    a.free()
    const used = arena.usedBytes
    within.free()
    expect(used - arena.usedBytes).toBeGreaterThanOrEqual(4000)
    expect(() => b.array).toThrow('used after it was freed')
    expect(() => deeper.allocate(Uint8Array, 1)).toThrow('an arena that was freed')
    expect([...outside.array]).toEqual([1])
    expect(() => arena.free()).toThrow('cannot be freed')
  })

  it.each([true, false])('gives back everything of leases, shared: %s', shared => {
    const engine = new Engine({ shared })
    const lease = engine.lease()
    lease.lease().arena.allocate(Float32Array, 1e6)
    lease.arena.free()
    expect(engine.arena.usedBytes).toBe(0)
  })

  it.each([0, mebibyte - 1, 2 ** 33, Number.NaN])('refuses a memory of %d bytes', maxBytes => {
    expect(() => new Engine({ maxBytes })).toThrow(/maxBytes is .*, expected 1 MiB/)
  })
})
