// What happens to a bad row: it ends the reading, or, where the caller asked for `skipBadRows`, it is left out and kept
// in a list. Only bad data is ever left out: a missing column, an aborted read or a bug always ends the reading.

import { EngineError } from '../../errors.ts'
import type { Dataset, SkippedRow } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'

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

  /** Leaves out the row at `line`, which failed with `error`; throws `error` where rows may not be left out. */
  add(line: number, error: unknown): void {
    if (!this.#skip || !(error instanceof EngineError) || error.code !== 'BAD_DATA') throw error
    this.#skipped.push({ line, message: error.message })
  }

  /** The field of a data set that tells of the rows left out: only where leaving out was allowed. */
  asField(): Pick<Dataset, 'skipped'> {
    return this.#skip ? { skipped: this.#skipped } : {}
  }
}
