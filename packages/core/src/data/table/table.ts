// Makes a Dataset of the rows of a table with named columns; table-plan.ts says which column does what. Label cells are
// kept until the end, as only all of them tell what separates the labels (label-cells.ts).

import { EngineError } from '../../errors.ts'
import type { Steps } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { Growable } from '../bytes/growable.ts'
import { quote } from '../bytes/numbers.ts'
import type { ColumnsRead, Dataset } from '../dataset.ts'
import type { ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'
import { NamedLabels } from '../rows/named-labels.ts'
import { HeapBudget, StringList } from '../rows/string-list.ts'
import type { CellRow } from './cell-row.ts'
import { assignRoles, type ColumnRoles } from './columns.ts'
import { labelSeparator, labelSplitter } from './label-cells.ts'
import { planTable, type TablePlan } from './table-plan.ts'

export interface TableOptions extends ReadOptions {
  /** Whether the file names its columns. Default true. */
  readonly hasHeader?: boolean
}

export class TableBuilder {
  readonly columns: readonly string[]
  rows = 0
  readonly #file: string
  readonly #options: TableOptions
  readonly #roles: ColumnRoles
  #plan: TablePlan | undefined
  readonly #ids: StringList
  readonly #texts: StringList
  /** What label cells were split at, once one was. */
  #splitAt: string | undefined
  readonly #labelCells: StringList
  readonly #features = new Growable(Float32Array)

  /** Column names must not repeat, and those in the options must exist. */
  constructor(file: string, columns: readonly string[], options: TableOptions) {
    checkDifferent(file, columns)
    const budget = new HeapBudget(file)
    this.#ids = new StringList(file, budget)
    this.#texts = new StringList(file, budget)
    this.#labelCells = new StringList(file, budget)
    this.#file = file
    this.columns = columns
    this.#options = options
    this.#roles = assignRoles(file, columns, options)
  }

  /** Adds a row; a bad one throws and leaves no trace. */
  add(row: CellRow): void {
    this.#checkCount(row)
    this.#plan ??= planTable(this.columns, this.#roles, row)
    const { text, label, id, features } = this.#plan
    const joined = text.length === 1 ? row.text(text[0]) : text.map(i => row.text(i)).join('\n')
    const labelCell = label === undefined ? undefined : row.text(label)
    const idCell = id === undefined ? undefined : row.text(id)
    this.#addFeatures(row, features) // the last thing that can fail
    if (text.length > 0) this.#texts.push(joined)
    if (labelCell !== undefined) this.#labelCells.push(labelCell)
    if (idCell !== undefined) this.#ids.push(idCell)
    this.rows++
  }

  /** The data set of at least one row. */
  *finish(): Steps<Dataset> {
    const { text, label, id, features } = this.#plan!
    return {
      name: this.#file,
      rows: this.rows,
      ...(id !== undefined && { ids: this.#ids.items }),
      ...(text.length > 0 && { texts: this.#texts.items }),
      ...(features.length > 0 && {
        features: new DenseMatrix(this.rows, features.length, this.#features.finish()),
        featureNames: features.map(i => this.columns[i]),
      }),
      ...(label !== undefined && (yield* this.#finishLabels())),
      columns: this.#columnsRead(),
    }
  }

  #columnsRead(): ColumnsRead {
    const { text, label, id, features } = this.#plan!
    const nameOf = (i: number) => (this.#options.hasHeader === false ? `column ${i + 1}` : this.columns[i])
    return {
      ...(text.length > 0 && { text: text.map(nameOf) }),
      ...(label !== undefined && { labels: nameOf(label) }),
      ...(this.#splitAt !== undefined && { labelSeparator: this.#splitAt }),
      ...(id !== undefined && { id: nameOf(id) }),
      ...(features.length > 0 && { features: features.map(nameOf) }),
    }
  }

  *#finishLabels(): Steps<Pick<Dataset, 'labels' | 'labelNames'>> {
    const { labelSeparator: separator } = this.#options
    const cells = this.#labelCells.items
    const rule = { separator, single: this.#plan!.single }
    const split = labelSplitter(cells, rule)
    const labels = new NamedLabels()
    for (const cell of cells) {
      const names = split(cell)
      if (names.length > 1) this.#splitAt ??= labelSeparator(cells, rule)
      labels.addRow(names)
      yield
    }
    return labels.finish()
  }

  #addFeatures(row: CellRow, features: readonly number[]): void {
    const from = this.#features.length
    for (const i of features) {
      const value = row.number(i)
      if (Number.isNaN(value)) {
        this.#features.length = from
        throw notANumber(row, i, this.columns[i])
      }
      this.#features.push(value)
    }
  }

  #checkCount(row: CellRow): void {
    const expected = this.columns.length
    if (row.count === expected) return
    throw new EngineError('BAD_DATA', `the row has ${cells(row.count)}, expected ${cells(expected)}`, {
      where: row.place(Math.min(row.count - 1, expected)),
      hint: 'Every row needs as many cells as the first line, counting empty ones.',
    })
  }
}

function checkDifferent(file: string, columns: readonly string[]): void {
  const seen = new Set<string>()
  for (const name of columns) {
    if (seen.has(name)) {
      throw new EngineError('BAD_DATA', `the header has two columns named "${shorten(name)}"`, {
        where: { file, line: 1 },
        hint: 'Is the header line missing? The first line must give each column its own name.',
      })
    }
    seen.add(name)
  }
}

function notANumber(row: CellRow, i: number, column: string): EngineError {
  const found = quote(row.bytes, row.starts[i], row.ends[i])
  return new EngineError('BAD_DATA', `column "${shorten(column)}" is ${found}, expected a finite 32-bit number`, {
    where: row.place(i),
    hint: 'Without a text column, every column must be numeric. Name text and label columns with `textColumns` and `labelColumn`.',
  })
}

function cells(count: number): string {
  return count === 1 ? '1 cell' : `${count} cells`
}
