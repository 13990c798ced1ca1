// Collects the labels of rows by name. Labels are numbered in the order in which they first appear, or as they were declared
// before the rows; a name that a row has twice counts once.

import type { Place } from '../../errors.ts'
import type { Dataset } from '../dataset.ts'
import { ConceptTable } from '../vocabulary/concept-table.ts'
import { vocabularyOf } from '../vocabulary/vocabulary.ts'
import { NameTable } from './name-table.ts'
import { LabelRows } from './row-builder.ts'
import { DeclaredLabels, type Untold } from './untold.ts'

export class NamedLabels {
  readonly #names = new NameTable()
  readonly #rows = new LabelRows()
  /** What the data itself calls its labels, besides their ids. */
  readonly #concepts = new ConceptTable()
  #declared: DeclaredLabels | undefined

  /** Says which labels there are: the rows alone may not tell. */
  declare(labels: Untold['labels']): void {
    if (labels !== undefined) this.#declared = new DeclaredLabels(labels)
  }

  /** Refuses labels that were not declared, if any were. */
  check(names: readonly string[], where: Place): void {
    if (this.#declared) for (const name of names) this.#declared.number(name, where)
  }

  /** What the data calls the label with this id. The first name counts. */
  name(id: string, name: string): void {
    if (name.trim() !== '') this.#concepts.name(this.#concepts.add(id), '', name.trim())
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
  finish(): Pick<Dataset, 'labels' | 'labelNames' | 'vocabulary'> {
    const { count, names } = this.#declared ?? { count: this.#names.names.length, names: this.#names.names }
    return {
      labels: this.#rows.finish(count),
      ...(names && { labelNames: names }),
      ...(this.#concepts.ids.length > 0 && { vocabulary: vocabularyOf(this.#concepts) }),
    }
  }
}
