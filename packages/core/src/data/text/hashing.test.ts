import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HashedSpace, hashFeature } from './hashing.ts'

/** The textbook version: FNV-1a over the bytes in whole numbers without limit, then MurmurHash3's finalizer. */
function plainHash(feature: string): number {
  const limit = 2n ** 32n
  let hash = 0x811c9dc5n
  for (const byte of new TextEncoder().encode(feature)) hash = ((hash ^ BigInt(byte)) * 0x01000193n) % limit
  hash = ((hash ^ (hash >> 16n)) * 0x85ebca6bn) % limit
  hash = ((hash ^ (hash >> 13n)) * 0xc2b2ae35n) % limit
  return Number(hash ^ (hash >> 16n))
}

const codePoint = fc.integer({ min: 0, max: 0x10ffff }).filter(code => code < 0xd800 || code > 0xdfff)
const shortCodePoint = fc.integer({ min: 0, max: 0x7ff })
const anyText = fc.array(fc.oneof(codePoint, shortCodePoint)).map(codes => String.fromCodePoint(...codes))

describe('hashFeature', () => {
  it('agrees with the textbook over UTF-8 bytes', () => {
    fc.assert(
      fc.property(anyText, text => {
        expect(hashFeature(text)).toBe(plainHash(text))
      }),
    )
  })

  it('never changes, as models depend on it', () => {
    expect(['', 'a', 'history', 'é', '東京', '𠀀'].map(hashFeature)).toEqual([
      2872998923, 444641715, 2936120484, 2387039943, 1354228455, 2257340050,
    ])
  })
})

describe('HashedSpace', () => {
  it('puts the low bits of the hash into the key’s column, and the highest bit into its sign', () => {
    const [plain, signed] = [new HashedSpace(10, false), new HashedSpace(10, true)]
    for (const feature of ['a', 'b', 'c', 'd']) {
      const hash = hashFeature(feature)
      expect(plain.keyOf(feature)).toBe((hash % 1024) * 2)
      expect(signed.keyOf(feature)).toBe((hash % 1024) * 2 + (hash >= 2 ** 31 ? 1 : 0))
    }
  })

  it('fills the columns evenly', () => {
    const space = new HashedSpace(4, false)
    const counts = new Array<number>(space.columns).fill(0)
    for (let i = 0; i < 16_000; i++) counts[space.keyOf(`word${i}`) / 2]!++
    // 1000 expected a column, with a standard deviation of 31.
    expect(Math.min(...counts)).toBeGreaterThan(850)
    expect(Math.max(...counts)).toBeLessThan(1150)
  })
})
