// One row of a table as places in a buffer of bytes: cells become strings or numbers only on demand.
// Valid until the scanner that owns it moves on.

import type { Place } from '../../errors.ts'
import { text } from '../bytes/lines.ts'
import { parseNumber } from '../bytes/numbers.ts'
import { checkCount, maxCells } from '../limits.ts'

const quote = 34
const lineFeed = 10
const blank = 32
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export class CellRow {
  readonly file: string
  bytes: Uint8Array = new Uint8Array(0)
  /** Where the row begins in `bytes`, and the number of that line. */
  start = 0
  line = 1
  /** How many cells there are; the arrays below may hold more, of earlier rows. */
  count = 0
  readonly starts: number[] = []
  readonly ends: number[] = []

  constructor(file: string) {
    this.file = file
  }

  /** Forgets the cells: the row that begins at `start`, on line `line`, comes next. */
  begin(bytes: Uint8Array, start: number, line: number): void {
    this.bytes = bytes
    this.start = start
    this.line = line
    this.count = 0
  }

  /** The row was moved to the front of `bytes`. */
  moveTo(bytes: Uint8Array): void {
    const moved = this.start
    for (let i = 0; moved > 0 && i < this.count; i++) {
      this.starts[i] -= moved
      this.ends[i] -= moved
    }
    this.bytes = bytes
    this.start = 0
  }

  /** Adds a cell; for a quoted one, the bounds are those inside the quotes. */
  push(start: number, end: number): void {
    if (this.count === maxCells) checkCount('cells in a row', maxCells + 1, maxCells, this.placeAt(start))
    this.starts[this.count] = start
    this.ends[this.count] = end
    this.count++
  }

  /** Cell `i` as a string, doubled quotes undone; invalid UTF-8 is an error. */
  text(i: number): string {
    const cell = this.#decode(i)
    const quoted = this.bytes[this.starts[i] - 1] === quote
    return quoted ? cell.replaceAll('""', '"') : cell
  }

  /** All cells as strings. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, i) => this.text(i))
  }

  /** Cell `i` as a number, blanks around it ignored; NaN if it is not one finite 32-bit decimal number. */
  number(i: number): number {
    let start = this.starts[i]
    let end = this.ends[i]
    while (start < end && this.bytes[start] === blank) start++
    while (start < end && this.bytes[end - 1] === blank) end--
    return parseNumber(this.bytes, start, end)
  }

  /** Whether the row is an empty line. */
  get isEmptyLine(): boolean {
    return this.count === 1 && this.starts[0] === this.ends[0]
  }

  /** Where cell `i` begins. */
  place(i: number): Place {
    return this.placeAt(this.starts[i])
  }

  /** Where byte `at` of the row is; a row may reach over several lines. Columns count bytes, from 1. */
  placeAt(at: number): Place {
    const line = this.line + this.lineBreaks(at)
    const lineStart = Math.max(this.start, at > 0 ? this.bytes.lastIndexOf(lineFeed, at - 1) + 1 : 0)
    return { file: this.file, line, column: at - lineStart + 1 }
  }

  /** How many line breaks there are in the row before byte `at`. */
  lineBreaks(at: number): number {
    let count = 0
    for (let i = this.bytes.indexOf(lineFeed, this.start); i >= 0 && i < at; i = this.bytes.indexOf(lineFeed, i + 1)) {
      count++
    }
    return count
  }

  #decode(i: number): string {
    try {
      return utf8.decode(this.bytes.subarray(this.starts[i], this.ends[i]))
    } catch {
      // Throws the error about the cell. Finding the place of every good cell would take as long as reading it.
      return text(this.bytes, this.starts[i], this.ends[i], this.place(i))
    }
  }
}
