// Takes the rows of a table from a scanner: the first one is the header, the others go to a TableBuilder. Bad rows are skipped
// if the caller asked for that. Shared by CSV and TSV.

import { EngineError } from '../../errors.ts'
import { inTurns } from '../../long-work.ts'
import type { Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { RowAttempts } from '../rows/row-attempts.ts'
import type { CellRow } from './cell-row.ts'
import { TableBuilder } from './table.ts'

export class TableReader {
  readonly #file: string
  readonly #options: ReadOptions
  readonly #attempts: RowAttempts
  #table: TableBuilder | undefined

  constructor(file: string, options: ReadOptions) {
    this.#file = file
    this.#options = options
    this.#attempts = new RowAttempts(file, options)
  }

  /** Whether the columns are known: the header was taken. */
  get hasColumns(): boolean {
    return this.#table !== undefined
  }

  /** Names the columns, if the file has no header. `labelSeparator` is the form's own. */
  setColumns(columns: readonly string[], labelSeparator: string): void {
    this.#table = new TableBuilder(this.#file, columns, { labelSeparator, ...this.#options, hasHeader: false })
  }

  /** Takes the next row. */
  take(row: CellRow): void {
    const table = this.#table
    if (!table) this.#table = new TableBuilder(this.#file, header(row), this.#options)
    else if (row.isEmptyLine && table.columns.length > 1) this.#attempts.passEmptyLine(row.line)
    else this.#attempts.attempt(row.line, () => table.add(row))
  }

  /** Leaves out the row at `line`, whose cells could not be found; throws if rows must not be left out. */
  leaveOut(line: number, error: unknown): void {
    if (!this.#table) throw error
    this.#attempts.fail(line, error)
  }

  async finish(): Promise<Dataset> {
    const skipped = this.#attempts.finish(this.#table?.rows ?? 0)
    // Without a table there are no rows, and the line above has thrown.
    return { ...(await inTurns(this.#table!.finish(), { signal: this.#options.signal })), ...skipped }
  }
}

function header(row: CellRow): string[] {
  if (!row.isEmptyLine) return row.texts().map(name => name.trim())
  throw new EngineError('BAD_DATA', 'the first line is empty, expected the names of the columns', {
    where: row.place(0),
    hint: 'Begin the file with a line such as `text,labels`.',
  })
}
