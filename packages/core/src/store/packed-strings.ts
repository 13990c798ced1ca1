// Long lists of strings (millions of label names) as two tensors: all bytes in a row, and where each string ends. The
// header of a model file holds 100 MB at most, and parsing it takes time; tensors have neither limit.

import { EngineError } from '../errors.ts'
import { finish, type Steps } from '../long-work.ts'
import { checkNumbers } from '../matrix/checks.ts'
import { checkObject, checkTexts } from '../options.ts'

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

/** The same in steps: of every item, what `of` makes of it. */
export function* packStringsInSteps<T>(items: readonly T[], of: (item: T) => string): Steps<PackedStrings> {
  const packer = new StringPacker()
  const ends = new Float64Array(items.length)
  for (const [i, item] of items.entries()) {
    const string = of(item)
    checkText(string, i)
    ends[i] = packer.add(string)
    if (i % stepStrings === 0 || string.length > longString) yield i
  }
  return { bytes: yield* packer.joined(), ends }
}

/** Collects bytes in pieces: moving all of them whenever they outgrow their room would take too long at a time. */
class StringPacker {
  readonly #encoder = new TextEncoder()
  readonly #pieces: Uint8Array[] = []
  #piece = new Uint8Array(2 ** 10)
  #used = 0
  #end = 0

  /** Returns where it ends. */
  add(string: string): number {
    // A UTF-16 unit needs at most three bytes.
    const most = 3 * string.length
    if (this.#piece.length - this.#used < most) this.#begin(Math.max(most, pieceBytes))
    const { written } = this.#encoder.encodeInto(string, this.#piece.subarray(this.#used))
    this.#used += written
    this.#end += written
    return this.#end
  }

  *joined(): Steps<Uint8Array> {
    this.#begin(0)
    const bytes = new Uint8Array(this.#end)
    let end = 0
    for (const piece of this.#pieces) {
      bytes.set(piece, end)
      end += piece.length
      yield end
    }
    return bytes
  }

  #begin(bytes: number): void {
    this.#pieces.push(this.#piece.subarray(0, this.#used))
    this.#piece = new Uint8Array(bytes)
    this.#used = 0
  }
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

/** Strings that were unpacked ahead, by their bytes. */
const unpacked = new WeakMap<Uint8Array, string[]>()

/** Unpacks strings in steps, so that the next call of `unpackStrings` for them takes no time. It then refuses those that are damaged. */
export function* unpackAhead(packed: PackedStrings): Steps<void> {
  try {
    unpacked.set(packed.bytes, yield* unpackStringsInSteps(packed))
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof TypeError)) throw error
  }
}

function takeUnpacked({ bytes, ends }: PackedStrings): string[] | undefined {
  const strings = unpacked.get(bytes)
  if (strings?.length !== ends.length) return undefined
  unpacked.delete(bytes)
  return strings
}

export function* unpackStringsInSteps(packed: PackedStrings): Steps<string[]> {
  checkObject('packed', packed, 'packed strings, as returned by packStrings')
  const { bytes, ends } = packed
  checkNumbers('packed.bytes', bytes, [Uint8Array])
  checkNumbers('packed.ends', ends, [Float64Array])
  const ready = takeUnpacked(packed)
  if (ready) return ready
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
