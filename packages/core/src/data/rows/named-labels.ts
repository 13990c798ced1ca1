// Collects the labels of rows by name. Labels are numbered in the order in which they first appear; a name that a row has
// twice counts once.

import type { Dataset } from '../dataset.ts'
import { NameTable } from './name-table.ts'
import { LabelRows } from './row-builder.ts'

export class NamedLabels {
  readonly #names = new NameTable()
  readonly #rows = new LabelRows()

  /** Adds the next row. */
  addRow(names: readonly string[]): void {
    for (const name of names) this.#rows.add(this.#names.number(name))
    if (this.#rows.sortRow() >= 0) {
      this.#rows.dropRow()
      this.addRow([...new Set(names)])
    } else this.#rows.endRow()
  }

  /** The labels as fields of a data set. */
  finish(): Required<Pick<Dataset, 'labels' | 'labelNames'>> {
    const { names } = this.#names
    return { labels: this.#rows.finish(names.length), labelNames: names }
  }
}
