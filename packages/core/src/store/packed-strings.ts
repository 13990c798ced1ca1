// Long lists of strings (millions of label names) as two tensors: all bytes in a row, and where each string ends. The
// header of a model file holds 100 MB at most, and parsing it takes time; tensors have neither limit.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkObject, checkTexts } from '../options.ts'

export interface PackedStrings {
  /** UTF-8, one string after the other. */
  readonly bytes: Uint8Array
  /** Where string i ends in `bytes`. */
  readonly ends: Float64Array
}

/** Strings as two tensors: their UTF-8 bytes, and where each ends. */
export function packStrings(strings: readonly string[]): PackedStrings {
  checkTexts('strings', strings)
  const encoder = new TextEncoder()
  const ends = new Float64Array(strings.length)
  let bytes = new Uint8Array(1024)
  let end = 0
  strings.forEach((string, i) => {
    checkText(string, i)
    // A UTF-16 unit needs at most three bytes.
    if (bytes.length - end < string.length * 3) bytes = grow(bytes, end, end + string.length * 3)
    end += encoder.encodeInto(string, bytes.subarray(end)).written
    ends[i] = end
  })
  return { bytes: bytes.slice(0, end), ends }
}

/** UTF-8 has no place for half a surrogate pair: it would come back as another character. */
function checkText(string: string, i: number): void {
  if (!/\p{Surrogate}/u.test(string)) return
  throw new EngineError('BAD_DATA', `string ${i} holds half a surrogate pair: ${JSON.stringify(string)}`)
}

/** For texts that are only shown: half a surrogate pair becomes the sign for what cannot be read. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function checkEnds(ends: Float64Array): void {
  for (let i = 0; i < ends.length; i++) {
    if (Number.isInteger(ends[i]) && ends[i] >= (i === 0 ? 0 : ends[i - 1])) continue
    throw new EngineError('BAD_DATA', `string ${i} ends at ${ends[i]}, before it begins`)
  }
}

function grow(bytes: Uint8Array, used: number, needed: number): Uint8Array<ArrayBuffer> {
  const larger = new Uint8Array(Math.max(needed, bytes.length * 2))
  larger.set(bytes.subarray(0, used))
  return larger
}

/** The strings that `packStrings` packed. */
export function unpackStrings(packed: PackedStrings): string[] {
  checkObject('packed', packed, 'packed strings, as returned by packStrings')
  const { bytes, ends } = packed
  checkNumbers('packed.bytes', bytes, [Uint8Array])
  checkNumbers('packed.ends', ends, [Float64Array])
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const last = ends.at(-1) ?? 0
  if (last !== bytes.length) throw new EngineError('BAD_DATA', `${bytes.length} bytes of strings, expected ${last}`)
  checkEnds(ends)
  // A decoder takes no view of shared memory, so each string is copied out first.
  return Array.from(ends, (end, i) => decodeText(decoder, bytes.slice(i === 0 ? 0 : ends[i - 1], end)))
}

/** JavaScript limits the characters of a text, decoders the bytes: a long text that has three bytes a character comes in pieces. */
export function decodeText(decoder: TextDecoder, bytes: Uint8Array, pieceBytes: number = 2 ** 28): string {
  let text = ''
  let from = 0
  for (; bytes.length - from > pieceBytes; from += pieceBytes) {
    text += decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true })
  }
  return text + decoder.decode(bytes.subarray(from))
}
