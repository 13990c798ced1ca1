import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Directions } from './grower.ts'
import { bucketsOf, packDirections, packedFault, termsOf, weightBits } from './packed-directions.ts'

function csr(rows: readonly (readonly (readonly [feature: number, weight: number])[])[]): Directions {
  let end = 0
  return {
    offsets: Uint32Array.of(0, ...rows.map(row => (end += row.length))),
    indices: Uint32Array.from(rows.flat(), ([feature]) => feature),
    values: Float32Array.from(rows.flat(), ([, weight]) => weight),
  }
}

/** Directions whose weights are multiples of a scale, as growing leaves them. */
const anyDirections = fc.constantFrom(1, 2, 3, 255, 256, 257, 70_000, 2 ** 20).chain(dims => {
  const most = 2 ** (weightBits(dims) - 1) - 1
  const feature = fc.nat(dims - 1)
  const weight = fc.oneof(fc.integer({ min: -most, max: most }), fc.constantFrom(most, -most)).filter(n => n !== 0)
  const entries = fc.uniqueArray(fc.tuple(feature, weight), {
    selector: ([at]) => at,
    minLength: 1,
    maxLength: 1200,
    size: 'max',
  })
  const direction = fc.tuple(entries, fc.integer({ min: -90, max: 90 })).map(([row, exponent]) => {
    return row.sort(([a], [b]) => a - b).map(([at, multiple]) => [at, multiple * 2 ** exponent] as const)
  })
  return fc.tuple(fc.constant(dims), fc.array(direction, { maxLength: 4 }))
})

describe('packed directions', () => {
  it('hold features and weights to the last bit, long and short', () => {
    fc.assert(
      fc.property(anyDirections, ([dims, rows]) => {
        const packed = packDirections(csr(rows), dims)
        const found = rows.map((_, i) => termsOf(packed, dims, i).map(({ feature, weight }) => [feature, weight]))
        expect(found).toEqual(rows)
        expect(packedFault(packed, dims)).toBeUndefined()
      }),
    )
  })

  it('take a word a weight, and one more', () => {
    expect(packDirections(csr([[[3, 0.5], [9, -1]], [[0, 2]]]), 10).words).toHaveLength(5) // biome-ignore format: rows
  })

  it('keep what the feature leaves of 32 bits for the weight, at most 16', () => {
    expect([1, 2, 256, 257, 2 ** 16, 2 ** 16 + 1, 2 ** 20].map(weightBits)).toEqual([16, 16, 16, 16, 16, 15, 12])
  })

  it('have buckets of some four where they are long', () => {
    expect([1, 511, 512, 1000, 1024].map(bucketsOf)).toEqual([0, 0, 128, 128, 256])
  })

  it('are refused with what is wrong with them', () => {
    const packed = packDirections(csr([[[3, 0.5], [9, -1]], [[0, 2]]]), 10) // biome-ignore format: rows
    const changed = (at: number, word: number) => ({ ...packed, words: packed.words.with(at, word) })
    const cases: [directions: typeof packed, fault: string | undefined][] = [
      [packed, undefined],
      [changed(0, 0), 'a direction has no scale'],
      [changed(0, 0x7f800000), 'a direction has no scale'],
      [changed(0, 0xbf800000), 'a direction has no scale'],
      [{ offsets: Uint32Array.of(0, 3, 3), words: packed.words.slice(0, 3) }, 'a direction has no scale'],
      [changed(1, 10 * 2 ** 16), 'a direction names a dimension that does not exist'],
      [changed(1, packed.words[2]), 'a direction is out of order'],
    ]
    for (const [directions, fault] of cases) expect(packedFault(directions, 10)).toBe(fault)
  })
})
