// What happens to a bad row: reading fails or, with `skipBadRows`, the row is skipped and listed. Only bad data is skipped: a
// missing column, an aborted read or a bug always fails.

import { EngineError } from '../../errors.ts'
import type { Dataset, SkippedRow } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { maxSkipped } from '../limits.ts'

export class BadRows {
  readonly #skip: boolean
  readonly #skipped: SkippedRow[] = []

  constructor({ skipBadRows = false }: Pick<ReadOptions, 'skipBadRows'>) {
    this.#skip = skipBadRows
  }

  /** How many rows were left out. */
  get count(): number {
    return this.#skipped.length
  }

  /** Leaves out the row at `line`, which failed with `error`; throws `error` if rows must not be left out. */
  add(line: number, error: unknown): void {
    if (!this.#skip || !(error instanceof EngineError) || error.code !== 'BAD_DATA') throw error
    this.#leaveOut(line, error.message, error.where?.file)
  }

  /** Leaves out the lines [from, to) of `file` for the same reason; throws if rows must not be left out. */
  addLines(from: number, to: number, file: string, reason: string, hint: string): void {
    if (from === to) return
    if (!this.#skip) throw new EngineError('BAD_DATA', reason, { where: { file, line: from, column: 1 }, hint })
    // Not by `add`: there may be millions of lines, and errors take long to make.
    for (let line = from; line < to; line++) this.#leaveOut(line, `${file}:${line}:1: ${reason}`, file)
  }

  #leaveOut(line: number, message: string, file: string | undefined): void {
    if (this.#skipped.length === maxSkipped) throw tooMany(message, file)
    this.#skipped.push({ line, message })
  }

  /** The field of a data set that lists the rows left out, if the caller allowed that. */
  asField(): Pick<Dataset, 'skipped'> {
    return this.#skip ? { skipped: this.#skipped } : {}
  }
}

function tooMany(message: string, file: string | undefined): EngineError {
  return new EngineError('BAD_DATA', `more than ${maxSkipped} rows are bad; the last: ${message}`, {
    ...(file !== undefined && { where: { file } }),
    hint: 'Is the file of another format?',
  })
}
