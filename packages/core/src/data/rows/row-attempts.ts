// Reads rows one at a time, so that a bad one can be left out (bad-rows.ts). Empty lines at the end of a file are not rows;
// one before another row is a bad row.

import { EngineError } from '../../errors.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { BadRows } from './bad-rows.ts'

const emptyHint = 'Remove it. Only the last lines of a file may be empty.'

export class RowAttempts {
  readonly #file: string
  readonly #bad: BadRows
  /** The empty lines since the last row: they follow each other. */
  #firstEmpty = 0
  #emptyLines = 0

  constructor(file: string, options: Pick<ReadOptions, 'skipBadRows'>) {
    this.#file = file
    this.#bad = new BadRows(options)
  }

  /** Reads the row at `line`; leaves it out if it is bad. */
  attempt(line: number, read: () => void): void {
    this.#countEmptyLines()
    try {
      read()
    } catch (error) {
      this.#bad.add(line, error)
    }
  }

  /** Leaves out the row at `line`, which failed with `error`; throws if rows must not be left out. */
  fail(line: number, error: unknown): void {
    this.#countEmptyLines()
    this.#bad.add(line, error)
  }

  /** Passes an empty line: what comes after it decides whether it is a bad row. */
  passEmptyLine(line: number): void {
    if (this.#emptyLines++ === 0) this.#firstEmpty = line
  }

  /** The field that lists the rows left out. If no row is left, throws EMPTY_DATA. */
  finish(rows: number): Pick<Dataset, 'skipped'> {
    const field = this.#bad.asField()
    if (rows > 0) return field
    const first = field.skipped?.[0]
    const reason = first ? `: ${this.#bad.count} bad rows were skipped; the first: ${first.message}` : ''
    throw new EngineError('EMPTY_DATA', `${this.#file} has no rows${reason}`, {
      hint: 'Check that the file is complete.',
    })
  }

  #countEmptyLines(): void {
    const [from, to] = [this.#firstEmpty, this.#firstEmpty + this.#emptyLines]
    this.#emptyLines = 0
    this.#bad.addLines(from, to, this.#file, 'the line is empty, expected a row', emptyHint)
  }
}
