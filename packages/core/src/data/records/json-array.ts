// A JSON array of objects, as most programs export them, turned into JSON lines while it is read: each object becomes a line, whatever
// line breaks it has. So lines in errors are objects, counted from 1.

import { EngineError } from '../../errors.ts'
import { joinChunks } from '../bytes/chunks.ts'
import type { Input } from '../format.ts'

const [lineFeed, space, quote, comma, backslash] = [10, 32, 34, 44, 92]
const opening = new Set([91, 123]) // [ {
const closing = new Set([93, 125])
const headBytes = 2 ** 10
const arrayStart = /^(?:\xef\xbb\xbf)?\s*\[\s*[{\]]/
/** The beginning of such a start. */
const perhapsArray = /^(?:\xef|\xef\xbb|(?:\xef\xbb\xbf)?\s*(?:\[\s*)?)$/

/** Whether a file that begins so is an array of objects, or an empty one. */
export function beginsLikeArray(head: Uint8Array): boolean {
  return arrayStart.test(bytesAsText(head))
}

/** The objects of an array as lines; any other input stays as it is, and its first line is not kept waiting for the second. */
export function arrayAsLines(input: Input): Input {
  return { ...input, chunks: objectLines(input.chunks, input.name), sibling: name => input.sibling(name) }
}

async function* objectLines(chunks: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  const scanner = new ArrayScanner(file)
  let head: Uint8Array | undefined = new Uint8Array(0)
  let isArray = false
  for await (const chunk of chunks) {
    let next = chunk
    if (head) {
      next = joinChunks([head, chunk])
      isArray = beginsLikeArray(next)
      head = !isArray && next.length < headBytes && perhapsArray.test(bytesAsText(next)) ? next : undefined
    }
    if (!head) yield isArray ? scanner.lines(next) : next
  }
  if (head && head.length > 0) yield head
  if (isArray) scanner.end()
}

function bytesAsText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, headBytes))
}

class ArrayScanner {
  readonly #file: string
  /** 0 outside the array, 1 between its objects. */
  #depth = 0
  #objects = 1
  #inString = false
  #escaped = false
  #ended = false

  constructor(file: string) {
    this.#file = file
  }

  lines(chunk: Uint8Array): Uint8Array {
    const lines = new Uint8Array(chunk.length)
    let length = 0
    for (const byte of chunk) {
      const depth = this.#depth
      if (this.#inString) this.#step(byte)
      else if (byte === quote) this.#inString = true
      else if (opening.has(byte)) this.#depth++
      else if (closing.has(byte)) this.#depth--
      const within = depth > 1 || this.#depth > 1 || this.#inString
      if (within) lines[length++] = !this.#inString && byte <= space ? space : byte
      else if (depth === 1) length = this.#between(byte, lines, length)
      else if (depth === 0 && this.#ended && byte > space) throw this.#bad('there is more after the end of the array')
    }
    return lines.subarray(0, length)
  }

  /** Checks that the array was closed. */
  end(): void {
    if (!this.#ended) throw this.#bad('the file ends within the array', 'Check that the file is complete.')
  }

  #step(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) this.#inString = false
  }

  /** A byte between two objects: a comma ends the line, white space is left out. Anything else is for the parser to refuse. */
  #between(byte: number, lines: Uint8Array, length: number): number {
    if (this.#depth === 0) this.#ended = true
    else if (byte > space) {
      if (byte === comma) this.#objects++
      lines[length++] = byte === comma ? lineFeed : byte
    }
    return length
  }

  #bad(message: string, hint?: string): EngineError {
    const where = { file: this.#file, line: this.#objects }
    return new EngineError('BAD_DATA', message, { where, ...(hint !== undefined && { hint }) })
  }
}
