// Long lists of strings (millions of label names) as two tensors: all bytes in a row, and where each string ends. The
// header of a model file holds 100 MB at most, and parsing it takes time; tensors have neither limit.

import { EngineError } from '../errors.ts'
import { finish, type Steps } from '../long-work.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkObject, checkTexts } from '../options.ts'
import { takeReady } from './ready-ahead.ts'

/** Strings between two steps, unless one is long. */
const stepStrings = 128
const longString = 2 ** 14
const pieceBytes = 2 ** 20

export interface PackedStrings {
  /** UTF-8, one string after the other. */
  readonly bytes: Uint8Array
  /** Where string i ends in `bytes`. */
  readonly ends: Float64Array
}

/** Strings as two tensors: their UTF-8 bytes, and where each ends. */
export function packStrings(strings: readonly string[]): PackedStrings {
  checkTexts('strings', strings)
  return finish(packStringsInSteps(strings, string => string))
}

/**
 * The same in steps: of every item, what `of` makes of it. Bytes are collected in pieces: moving all of them whenever they outgrow their room
 * would take too long at a time.
 */
export function* packStringsInSteps<T>(items: readonly T[], of: (item: T) => string): Steps<PackedStrings> {
  const encoder = new TextEncoder()
  const ends = new Float64Array(items.length)
  const pieces: Uint8Array[] = []
  let piece = new Uint8Array(2 ** 10)
  let [used, end] = [0, 0]
  for (const [i, item] of items.entries()) {
    const string = of(item)
    checkText(string, i)
    const most = 3 * string.length // a UTF-16 unit needs at most three bytes
    if (piece.length - used < most) {
      pieces.push(piece.subarray(0, used))
      piece = new Uint8Array(Math.max(most, pieceBytes))
      used = 0
    }
    const { written } = encoder.encodeInto(string, piece.subarray(used))
    used += written
    end += written
    ends[i] = end
    if (i % stepStrings === 0 || string.length > longString) yield i
  }
  pieces.push(piece.subarray(0, used))
  return { bytes: yield* joinedInSteps(pieces), ends }
}

/** The bytes of all pieces in a row. */
export function* joinedInSteps(pieces: readonly Uint8Array[]): Steps<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const piece of pieces) {
    bytes.set(piece, end)
    end += piece.length
    yield end
  }
  return bytes
}

/** UTF-8 cannot represent half a surrogate pair: it would be read as another character. */
function checkText(string: string, i: number): void {
  if (!/\p{Surrogate}/u.test(string)) return
  throw new EngineError('BAD_DATA', `string ${i} holds half a surrogate pair: ${JSON.stringify(string)}`)
}

/** For texts that are only shown: half a surrogate pair becomes the replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\ufffd')
}

function checkEnds(ends: Float64Array): void {
  for (let i = 0; i < ends.length; i++) {
    if (Number.isInteger(ends[i]) && ends[i] >= (i === 0 ? 0 : ends[i - 1])) continue
    throw new EngineError('BAD_DATA', `string ${i} ends at ${ends[i]}, before it begins`)
  }
}

/** The strings that `packStrings` packed. */
export function unpackStrings(packed: PackedStrings): string[] {
  return finish(unpackStringsInSteps(packed))
}

/** The same in steps. */
export function* unpackStringsInSteps(packed: PackedStrings): Steps<string[]> {
  checkObject('packed', packed, 'packed strings, as returned by packStrings')
  const { bytes, ends } = packed
  checkNumbers('packed.bytes', bytes, [Uint8Array])
  checkNumbers('packed.ends', ends, [Float64Array])
  const ready = takeReady(bytes)
  if (Array.isArray(ready) && ready.length === ends.length) return ready
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  const last = ends.at(-1) ?? 0
  if (last !== bytes.length) throw new EngineError('BAD_DATA', `${bytes.length} bytes of strings, expected ${last}`)
  checkEnds(ends)
  const strings: string[] = []
  for (let i = 0, from = 0; i < ends.length; from = ends[i++]) {
    // Decoders do not accept views of shared memory, so each string is copied out first.
    strings.push(decodeText(decoder, bytes.slice(from, ends[i])))
    if (i % stepStrings === 0 || ends[i] - from > longString) yield i
  }
  return strings
}

/** JavaScript limits the characters of a text, decoders the bytes: a long text with three bytes per character is decoded in pieces. */
export function decodeText(decoder: TextDecoder, bytes: Uint8Array, pieceBytes: number = 2 ** 28): string {
  let text = ''
  let from = 0
  for (; bytes.length - from > pieceBytes; from += pieceBytes) {
    text += decoder.decode(bytes.subarray(from, from + pieceBytes), { stream: true })
  }
  return text + decoder.decode(bytes.subarray(from))
}
