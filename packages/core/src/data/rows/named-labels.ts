// Collects the labels of rows by name. Labels are numbered in the order in which they first appear, or as they were declared
// before the rows; a name that a row has twice counts once.

import type { Place } from '../../errors.ts'
import type { Dataset } from '../dataset.ts'
import { NameTable } from './name-table.ts'
import { LabelRows } from './row-builder.ts'
import { DeclaredLabels, type Untold } from './untold.ts'

export class NamedLabels {
  readonly #names = new NameTable()
  readonly #rows = new LabelRows()
  #declared: DeclaredLabels | undefined

  /** Says which labels there are: the rows alone may not tell. */
  declare(labels: Untold['labels']): void {
    if (labels !== undefined) this.#declared = new DeclaredLabels(labels)
  }

  /** Refuses labels that were not declared, if any were. */
  check(names: readonly string[], where: Place): void {
    if (this.#declared) for (const name of names) this.#declared.number(name, where)
  }

  /** Adds the next row, whose names were checked. */
  addRow(names: readonly string[]): void {
    const numbers = names.map(name => this.#declared?.number(name, { file: '' }) ?? this.#names.number(name))
    for (const number of numbers) this.#rows.add(number)
    if (this.#rows.sortRow() >= 0) {
      this.#rows.dropRow()
      for (const number of [...new Set(numbers)].sort((a, b) => a - b)) this.#rows.add(number)
    }
    this.#rows.endRow()
  }

  /** The labels as fields of a data set. */
  finish(): Pick<Dataset, 'labels' | 'labelNames'> {
    const { count, names } = this.#declared ?? { count: this.#names.names.length, names: this.#names.names }
    return { labels: this.#rows.finish(count), ...(names && { labelNames: names }) }
  }
}
