// Lines straight from bytes: blocks of complete lines, and inside a block a synchronous cursor over them, so that a
// reader waits once per chunk and makes no string it does not need. Lines are numbered from 1.

import { EngineError, type Place } from '../../errors.ts'
import type { Input, ReadOptions } from '../format.ts'
import { watchChunks } from './byte-source.ts'
import { type Chunks, joinChunks } from './chunks.ts'

const defaultMaxLineBytes = 2 ** 26
const lineFeed = 10
const carriageReturn = 13

export type LineOptions = Pick<ReadOptions, 'maxLineBytes' | 'signal' | 'onProgress'>

/**
 * A cursor over complete lines: `while (block.next()) parse(block.bytes, block.start, block.end)`.
 * `start` and `end` bound the line without its line break (LF or CRLF).
 */
export class LineBlock {
  readonly file: string
  readonly bytes: Uint8Array
  /** Number of the line the cursor is on. */
  line: number
  start = 0
  end = 0
  #next: number
  readonly #maxLineBytes: number

  constructor(file: string, bytes: Uint8Array, linesBefore: number, maxLineBytes: number) {
    this.file = file
    this.bytes = bytes
    this.line = linesBefore
    this.#next = linesBefore === 0 ? byteOrderMarkLength(bytes, file) : 0
    this.#maxLineBytes = maxLineBytes
  }

  /** Moves to the next line; false after the last. */
  next(): boolean {
    const { bytes } = this
    const start = this.#next
    if (start >= bytes.length) return false
    const feed = bytes.indexOf(lineFeed, start)
    let end = feed < 0 ? bytes.length : feed
    this.#next = end + 1
    this.line++
    if (end - start > this.#maxLineBytes) throw lineTooLong(this.file, this.line, this.#maxLineBytes)
    if (end > start && bytes[end - 1] === carriageReturn) end--
    this.start = start
    this.end = end
    return true
  }

  /** Where byte `at` of the current line is; columns count bytes, from 1. */
  place(at: number = this.start): Place {
    return { file: this.file, line: this.line, column: at - this.start + 1 }
  }

  /** A BAD_DATA error that points at byte `at` of the current line. */
  error(message: string, at: number = this.start, hint?: string): EngineError {
    return new EngineError('BAD_DATA', message, { where: this.place(at), ...(hint !== undefined && { hint }) })
  }

  /** The current line, or the part of it in [start, end), as a string; invalid UTF-8 is an error. */
  text(start: number = this.start, end: number = this.end): string {
    return text(this.bytes, start, end, this.place(start))
  }
}

/** The input's lines, in blocks. A line longer than `maxLineBytes` fails as soon as that many bytes have come. */
export async function* readLines(input: Input, options: LineOptions = {}): AsyncGenerator<LineBlock> {
  const { maxLineBytes = defaultMaxLineBytes } = options
  if (!(maxLineBytes >= 1)) {
    throw new EngineError('INVALID_OPTION', `maxLineBytes is ${maxLineBytes}, expected at least 1`)
  }
  let lines = 0
  const tooLong = () => lineTooLong(input.name, lines + 1, maxLineBytes)
  for await (const bytes of completeLines(watchChunks(input, options), maxLineBytes, tooLong)) {
    const block = new LineBlock(input.name, bytes, lines, maxLineBytes)
    yield block
    while (block.next()) {} // lines the reader did not care for still count
    lines = block.line
  }
}

/** The same bytes cut at line ends only. The first line of a chunk is joined with what came before it; the rest is not copied. */
async function* completeLines(chunks: Chunks, maxLineBytes: number, tooLong: () => Error): AsyncGenerator<Uint8Array> {
  let begun: Uint8Array[] = []
  let begunBytes = 0
  for await (const chunk of chunks) {
    let first = 0
    const last = chunk.lastIndexOf(lineFeed) + 1
    if (last > 0 && begunBytes > 0) {
      first = chunk.indexOf(lineFeed) + 1
      yield joinChunks([...begun, chunk.subarray(0, first)])
      begun = []
      begunBytes = 0
    }
    if (first < last) yield chunk.subarray(first, last)
    if (last < chunk.length) begun.push(chunk.subarray(last))
    begunBytes += chunk.length - last
    if (begunBytes > maxLineBytes) throw tooLong()
  }
  if (begunBytes > 0) yield joinChunks(begun)
}

function lineTooLong(file: string, line: number, maxLineBytes: number): EngineError {
  return new EngineError('BAD_DATA', `the line is longer than ${maxLineBytes} bytes`, {
    where: { file, line },
    hint: 'Is this the right file? If lines are meant to be this long, raise `maxLineBytes`.',
  })
}

/** Length of the UTF-8 byte order mark, 0 if there is none. UTF-16's is refused: those files are not UTF-8. */
function byteOrderMarkLength(bytes: Uint8Array, file: string): number {
  const [first, second, third] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    throw new EngineError('BAD_DATA', 'the text is UTF-16, expected UTF-8', {
      where: { file, line: 1, column: 1 },
      hint: 'Convert it, for example with `iconv -f utf-16 -t utf-8`.',
    })
  }
  return first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0
}

// A call of the decoder costs as much as some fourteen characters by hand (8 characters: 106 against 278 ns).
const shortText = 12
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Bytes [start, end) as a string; invalid UTF-8 is BAD_DATA at `where`. */
export function text(bytes: Uint8Array, start: number, end: number, where: Place): string {
  const ascii = end - start <= shortText ? asciiText(bytes, start, end) : undefined
  if (ascii !== undefined) return ascii
  try {
    return utf8.decode(bytes.subarray(start, end))
  } catch (cause) {
    throw new EngineError('BAD_DATA', 'the text is not valid UTF-8', {
      where,
      cause,
      hint: 'Convert the file, for example with `iconv -f latin1 -t utf-8`.',
    })
  }
}

/** The string, or undefined if a byte is not ASCII. */
function asciiText(bytes: Uint8Array, start: number, end: number): string | undefined {
  let ascii = ''
  for (let at = start; at < end; at++) {
    if (bytes[at] > 127) return undefined
    ascii += String.fromCharCode(bytes[at])
  }
  return ascii
}
