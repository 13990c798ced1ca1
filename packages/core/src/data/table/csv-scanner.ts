// Cuts a stream of CSV bytes (RFC 4180) into rows of cells. A state machine that stops at the end of what it has and goes
// on with the next chunk: it does not matter where chunks end.
// Invariant: in #bytes, [row.start, #at) belongs to the current row, [#at, end) is unread.

import { EngineError } from '../../errors.ts'
import { CellRow } from './cell-row.ts'

const lineFeed = 10
const carriageReturn = 13
const quote = 34

/** The state of the machine. */
const cellBegins = 0
const inPlainCell = 1
const inQuotes = 2
/** Behind a quote inside quotes: the end of the cell, or the first of a doubled quote. */
const afterQuote = 3
/** Behind a quoted cell and CR: only LF may follow. */
const afterReturn = 4
/** Between a bad row's start and the next line. */
const skippingLine = 5

export class CsvScanner {
  /** The row that `next` found. */
  readonly row: CellRow
  readonly #delimiter: number
  readonly #maxRowBytes: number
  #buffer = new Uint8Array(2 ** 16)
  #bytes = this.#buffer.subarray(0, 0)
  #at = 0
  #state = cellBegins
  #cellStart = 0
  #rowFound = false
  #ended = false

  /** `delimiter` is a byte. A row of more than `maxRowBytes` is an error. */
  constructor(file: string, delimiter: number, maxRowBytes: number) {
    this.row = new CellRow(file)
    this.#delimiter = delimiter
    this.#maxRowBytes = maxRowBytes
  }

  /** Adds the next bytes, once `next` has returned false. They are copied. */
  push(chunk: Uint8Array): void {
    this.#beginRow()
    const { row } = this
    const kept = this.#bytes.subarray(row.start)
    const length = kept.length + chunk.length
    const buffer = length <= this.#buffer.length ? this.#buffer : new Uint8Array(length * 2)
    // A row that is already at the front stays there: a long one in many small chunks would be copied each time.
    if (row.start > 0 || buffer !== this.#buffer) buffer.set(kept)
    buffer.set(chunk, kept.length)
    this.#buffer = buffer
    this.#bytes = buffer.subarray(0, length)
    this.#at -= row.start
    this.#cellStart -= row.start
    row.moveTo(this.#bytes)
  }

  /** Says that no more bytes will come: a last row without line break is complete. */
  end(): void {
    this.#ended = true
  }

  /** Moves to the next complete row; false where more bytes are needed, or after the last row. */
  next(): boolean {
    this.#beginRow()
    while (this.#at < this.#bytes.length) {
      if (this.#step()) return this.#finishRow()
    }
    if (this.#at - this.row.start > this.#maxRowBytes) throw this.#tooLong()
    return this.#ended && this.#endOfData() && this.#finishRow()
  }

  /** After an error of `next`: skips the line on which the row began and continues with the next one. */
  skipLine(): void {
    this.row.count = 0
    this.#at = this.row.start
    this.#state = skippingLine
  }

  #beginRow(): void {
    if (!this.#rowFound) return
    this.#rowFound = false
    this.row.begin(this.#bytes, this.#at, this.row.line + this.row.lineBreaks(this.#at))
  }

  /** Passes the bytes up to the next change of state; true at the end of a row. */
  #step(): boolean {
    switch (this.#state) {
      case cellBegins:
        return this.#beginCell()
      case inPlainCell:
        return this.#passPlainCell()
      case inQuotes:
        return this.#passQuoted()
      case skippingLine:
        return this.#passLine()
      default:
        return this.#passQuote()
    }
  }

  #beginCell(): false {
    const quoted = this.#bytes[this.#at] === quote
    if (quoted) this.#at++
    this.#cellStart = this.#at
    this.#state = quoted ? inQuotes : inPlainCell
    return false
  }

  #passPlainCell(): boolean {
    const bytes = this.#bytes
    const delimiter = this.#delimiter
    let at = this.#at
    while (at < bytes.length && bytes[at] !== delimiter && bytes[at] !== lineFeed && bytes[at] !== quote) at++
    this.#at = at
    if (at === bytes.length) return false
    if (bytes[at] === quote) throw this.#error('a quote inside a cell that does not begin with one', at)
    return this.#endCell(bytes[at] === lineFeed ? this.#beforeReturn(at) : at)
  }

  #passQuoted(): false {
    const found = this.#bytes.indexOf(quote, this.#at)
    this.#at = found < 0 ? this.#bytes.length : found + 1
    if (found >= 0) this.#state = afterQuote
    return false
  }

  /** Behind a quote that may have closed its cell. */
  #passQuote(): boolean {
    const byte = this.#bytes[this.#at]
    if (this.#state === afterReturn) {
      if (byte === lineFeed) return this.#endCell(this.#at - 2)
    } else if (byte === this.#delimiter || byte === lineFeed) {
      return this.#endCell(this.#at - 1)
    } else if (byte === quote || byte === carriageReturn) {
      this.#state = byte === quote ? inQuotes : afterReturn
      this.#at++
      return false
    }
    throw this.#error('text after the closing quote of a cell', this.#at)
  }

  /** Forgets the rest of a bad line as it goes, so that it takes no room and cannot be too long again. */
  #passLine(): false {
    const feed = this.#bytes.indexOf(lineFeed, this.#at)
    this.#at = feed < 0 ? this.#bytes.length : feed + 1
    if (feed >= 0) this.#state = cellBegins
    this.row.begin(this.#bytes, this.#at, feed < 0 ? this.row.line : this.row.line + 1)
    return false
  }

  /** Closes the cell at `end` and passes the byte behind it; true if that is a line break. */
  #endCell(end: number): boolean {
    this.row.push(this.#cellStart, end)
    this.#state = cellBegins
    return this.#bytes[this.#at++] === lineFeed
  }

  #finishRow(): true {
    if (this.#at - this.row.start > this.#maxRowBytes) throw this.#tooLong()
    this.#rowFound = true
    return true
  }

  /** Completes a last row that has no line break; false if there is none. */
  #endOfData(): boolean {
    const { row } = this
    if (this.#at === row.start || this.#state === skippingLine) return false
    if (this.#state === inQuotes) throw this.#error('a quote that is never closed', this.#cellStart - 1)
    if (this.#state === cellBegins) row.push(this.#at, this.#at)
    else if (this.#state === inPlainCell) row.push(this.#cellStart, this.#beforeReturn(this.#at))
    else row.push(this.#cellStart, this.#at - (this.#state === afterQuote ? 1 : 2))
    this.#state = cellBegins
    return true
  }

  /** `at`, or one less if a CR comes before it. */
  #beforeReturn(at: number): number {
    return at > this.#cellStart && this.#bytes[at - 1] === carriageReturn ? at - 1 : at
  }

  #tooLong(): EngineError {
    return new EngineError('BAD_DATA', `the row is longer than ${this.#maxRowBytes} bytes`, {
      where: this.row.placeAt(this.row.start),
      hint: 'Look for a quote that is never closed. If rows are meant to be this long, raise `maxLineBytes`.',
    })
  }

  #error(message: string, at: number): EngineError {
    return new EngineError('BAD_DATA', message, {
      where: this.row.placeAt(at),
      hint: 'Put cells with quotes, delimiters or line breaks in quotes, and double the quotes inside ("").',
    })
  }
}
