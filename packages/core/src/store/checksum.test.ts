import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Checksum } from './checksum.ts'

const hash = (bytes: Uint8Array): string => new Checksum().update(bytes).digest()

describe('Checksum', () => {
  it.each([
    ['', '02cc5d05'],
    ['a', '550d7456'],
    ['abc', '32d153ff'],
    ['Nobody inspects the spammish repetition', 'e2293b2f'],
  ])('gives the published XXH32 value of %j', (text, expected) => {
    expect(hash(new TextEncoder().encode(text))).toBe(expected)
  })

  it('does not depend on how the bytes are cut, nor on where they lie in memory', () => {
    const cut = fc.record({
      bytes: fc.uint8Array({ maxLength: 200 }),
      lengths: fc.array(fc.nat(40)),
      offset: fc.nat(7),
    })
    fc.assert(
      fc.property(cut, ({ bytes, lengths, offset }) => {
        const moved = new Uint8Array(new SharedArrayBuffer(offset + bytes.length), offset)
        moved.set(bytes)
        const checksum = new Checksum()
        let from = 0
        for (const length of [...lengths, bytes.length]) {
          checksum.update(moved.subarray(from, from + length))
          from += length
        }
        expect(checksum.digest()).toBe(hash(bytes))
      }),
    )
  })

  it('does not depend on alignment where the bytes are more than fit its scratch', () => {
    const bytes = Uint8Array.from({ length: 200_001 }, (_, i) => (i * 31) % 251)
    const moved = new Uint8Array(bytes.length + 1)
    moved.set(bytes, 1)
    expect(hash(moved.subarray(1))).toBe(hash(bytes))
    expect(new Checksum().update(bytes.subarray(0, 3)).update(bytes.subarray(3)).digest()).toBe(hash(bytes))
  })

  it('differs after any change within one byte', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 1, maxLength: 100 }),
        fc.nat(),
        fc.integer({ min: 1, max: 255 }),
        (bytes, at, flip) => {
          const changed = bytes.slice()
          changed[at % bytes.length] ^= flip
          expect(hash(changed)).not.toBe(hash(bytes))
        },
      ),
    )
  })
})
