import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeText, packStrings, unpackStrings } from './packed-strings.ts'

describe('packStrings', () => {
  it('puts the bytes in a row and notes where each string ends', () => {
    const { bytes, ends } = packStrings(['ab', '', 'é'])
    expect([...bytes]).toEqual([0x61, 0x62, 0xc3, 0xa9])
    expect([...ends]).toEqual([2, 2, 4])
  })

  it('gives the same strings back, from shared memory too', () => {
    const text = fc.string({ unit: 'grapheme' })
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), strings => {
        const { bytes, ends } = packStrings(strings)
        const shared = new Uint8Array(new SharedArrayBuffer(bytes.length))
        shared.set(bytes)
        expect(unpackStrings({ bytes: shared, ends })).toEqual(strings)
      }),
    )
  })

  it('decodes a text in pieces, wherever they part its characters', () => {
    const text = '€ 😀 é and so on'
    const bytes = new TextEncoder().encode(text)
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    for (let piece = 1; piece < 12; piece++) expect(decodeText(decoder, bytes, piece)).toBe(text)
    expect(() => decodeText(decoder, bytes.subarray(0, 2), 1)).toThrow(TypeError)
    expect(decodeText(decoder, bytes)).toBe(text)
  })

  it('refuses text that UTF-8 would change', () => {
    expect(() => packStrings(['fine', 'half \ud83d'])).toThrow('string 1 holds half a surrogate pair')
  })

  it('refuses bytes that are not those of the strings', () => {
    expect(() => unpackStrings({ bytes: new Uint8Array(3), ends: Float64Array.of(2) })).toThrow('expected 2')
  })
})
