// What each column of a table holds. Texts, labels and ids are in columns with known names, or those that the caller
// chose (columns.ts); other columns are not read. A table without a text column holds numbers: every column except
// labels and ids is a feature, but not the row numbers that pandas writes. If no column is known to hold labels, the only one with a word in the first row does.

import { EngineError } from '../../errors.ts'
import type { CellRow } from './cell-row.ts'
import { type ColumnRoles, countsRows, isSingleLabel, listNames } from './columns.ts'

/** The columns' jobs, by number. */
export interface TablePlan {
  readonly text: readonly number[]
  readonly label: number | undefined
  /** Whether the label column holds one label a cell. */
  readonly single: boolean
  readonly id: number | undefined
  readonly features: readonly number[]
}

/** The plan for a table with these columns and roles, whose first row is `firstRow`. */
export function planTable(columns: readonly string[], roles: ColumnRoles, firstRow: CellRow): TablePlan {
  const find = (name: string | undefined) => (name === undefined ? undefined : columns.indexOf(name))
  const known = {
    text: roles.text.map(name => columns.indexOf(name)),
    label: find(roles.label),
    single: roles.label !== undefined && isSingleLabel(roles.label),
    id: find(roles.id),
  }
  return known.text.length > 0 ? { ...known, features: [] } : planNumbers(columns, known, firstRow)
}

function planNumbers(columns: readonly string[], known: Omit<TablePlan, 'features'>, firstRow: CellRow): TablePlan {
  const rest = [...columns.keys()].filter(i => i !== known.label && i !== known.id && !countsRows(columns[i], i))
  const [word, ...moreWords] = rest.filter(i => !isNumberOrMissing(firstRow, i))
  const classColumn = known.label === undefined ? word : undefined
  const features = rest.filter(i => i !== classColumn)
  if (features.length === 0 || moreWords.length > 0 || word !== classColumn) {
    throw new EngineError(
      'UNKNOWN_NAME',
      `cannot tell which column holds the text, and not all columns are numbers: ${listNames(columns)}`,
      {
        where: firstRow.placeAt(firstRow.start),
        hint: 'Name the text columns with `textColumns` and the label column with `labelColumn`.',
      },
    )
  }
  return classColumn === undefined ? { ...known, features } : { ...known, label: classColumn, single: true, features }
}

const inPlaceOfNumber = /^([-+]?(nan|inf|infinity|\d+(\.\d*)?e\d+)|na|n\/a|null|none|\?|)$/i

/** Whether a cell is a number, or what people write instead of a missing one: that is no word, and reading it is an error later. */
function isNumberOrMissing(row: CellRow, i: number): boolean {
  return !Number.isNaN(row.number(i)) || inPlaceOfNumber.test(row.text(i).trim())
}
