import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { SketchCodes } from './sketch-codes.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Codes of four bytes, the row's number four times. */
const code = (row: number) => new Uint8Array(4).fill(row)
const codesOf = (...rows: number[]) => Uint8Array.from(rows.flatMap(row => [...code(row)]))

function withCodes(rows: number[], use: (codes: SketchCodes) => void): void {
  const codes = new SketchCodes(engine.arena, 4, engine.arena.place(codesOf(...rows)), slice => slice.free())
  use(codes)
  codes.free()
}

describe('SketchCodes', () => {
  it('holds the codes it is given', () => {
    withCodes([1, 2, 3], codes => {
      expect([codes.rows, codes.stride]).toEqual([3, 4])
      expect(codes.toArray()).toEqual(codesOf(1, 2, 3))
    })
  })

  it('grows by appending, from nothing too', () => {
    withCodes([], codes => {
      for (let row = 0; row < 50; row++) codes.append(code(row))
      expect(codes.rows).toBe(50)
      expect(codes.toArray()).toEqual(codesOf(...Array.from({ length: 50 }, (_, row) => row)))
    })
  })

  it('moves seldom: it doubles', () => {
    withCodes([1], codes => {
      const places = new Set<number>()
      for (let row = 0; row < 256; row++) {
        codes.append(code(row))
        places.add(codes.pointer)
      }
      expect(places.size).toBeLessThanOrEqual(9)
    })
  })

  it('keeps only the rows it is told to, and can grow again', () => {
    withCodes([5, 6, 7, 8], codes => {
      codes.keep(Uint32Array.of(1, 3))
      expect([codes.rows, codes.toArray()]).toEqual([2, codesOf(6, 8)])
      codes.append(code(9))
      expect(codes.toArray()).toEqual(codesOf(6, 8, 9))
    })
  })

  it('leaves old memory to whoever may still read it', () => {
    const waiting: { free(): void }[] = []
    const slice = engine.arena.place(codesOf(1, 2))
    const codes = new SketchCodes(engine.arena, 4, slice, old => waiting.push(old))
    codes.append(code(3))
    expect(slice.array).toEqual(codesOf(1, 2))
    codes.free()
    expect(waiting).toHaveLength(2)
    for (const old of waiting) old.free()
  })
})
