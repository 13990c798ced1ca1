// Which column of a table, or field of a record, holds the text, the labels and the id: by the caller's options, otherwise by
// commonly used names. Known names are compared ignoring case; the first one present in each list wins.

import { EngineError } from '../../errors.ts'
import type { ReadOptions } from '../format.ts'
import { shorten } from '../limits.ts'

/** Columns taken for the text. */
export const textColumnNames = Object.freeze(['text', 'title', 'description', 'abstract', 'body', 'content'])
/** Columns taken for the labels, with several to a cell. */
export const labelListNames = Object.freeze(['labels', 'subjects', 'subject_uris', 'tags', 'categories', 'classes'])
/** Columns taken for the labels, with one to a cell. */
export const singleLabelNames = Object.freeze(['label', 'class', 'category'])
/** All columns taken for the labels. */
export const labelColumnNames = Object.freeze([...labelListNames, ...singleLabelNames])
/** Columns taken for the caller's key. */
export const idColumnNames = Object.freeze(['id', 'document_id', 'key', 'uri', 'name'])

const allNames = new Set([...textColumnNames, ...labelColumnNames, ...idColumnNames])

/** Whether a column only counts the rows, as pandas writes it: the first one, without a name, or Parquet's `__index_level_0__`. */
export function countsRows(column: string, position: number): boolean {
  return column === '__index_level_0__' || (column === '' && position === 0)
}

/** The columns' jobs, by name; text is empty if there is none. */
export interface ColumnRoles {
  readonly text: readonly string[]
  readonly label: string | undefined
  readonly id: string | undefined
}

type RoleOptions = Pick<ReadOptions, 'textColumns' | 'labelColumn' | 'idColumn'>

/** Gives `columns` their roles. A column named by an option that is not there is UNKNOWN_NAME. */
export function assignRoles(file: string, columns: readonly string[], options: RoleOptions): ColumnRoles {
  const chosen = (name: string): string => requireColumn(file, columns, name)
  const known = (names: readonly string[]): string | undefined => firstKnown(columns, names)
  const text = options.textColumns?.length ? options.textColumns.map(chosen) : [known(textColumnNames)]
  return {
    text: text.filter(name => name !== undefined),
    label: options.labelColumn === undefined ? known(labelColumnNames) : chosen(options.labelColumn),
    id: options.idColumn === undefined ? known(idColumnNames) : chosen(options.idColumn),
  }
}

/** Whether a column of this name is taken for texts, labels or ids. */
export function isKnownColumn(name: string): boolean {
  return allNames.has(name.toLowerCase())
}

/** Whether a first line can only be a header: a known name is in it, or the caller has named columns. */
export function isHeader(cells: readonly string[], options: RoleOptions): boolean {
  const named = options.textColumns?.length || options.labelColumn !== undefined || options.idColumn !== undefined
  return Boolean(named) || cells.some(cell => allNames.has(cell.toLowerCase()))
}

/** Whether the name says that there is one label a cell. */
export function isSingleLabel(column: string): boolean {
  return singleLabelNames.includes(column.toLowerCase())
}

/** The first of `names` that is a column, in the file's own spelling. */
export function firstKnown(columns: readonly string[], names: readonly string[]): string | undefined {
  const lower = columns.map(column => column.toLowerCase())
  const name = names.find(known => lower.includes(known))
  return name === undefined ? undefined : columns[lower.indexOf(name)]
}

function requireColumn(file: string, columns: readonly string[], name: string): string {
  if (columns.includes(name)) return name
  throw new EngineError('UNKNOWN_NAME', `there is no column "${name}"; the columns are ${listNames(columns)}`, {
    where: { file },
    hint: 'Column names must match exactly, including case. Use one of those listed.',
  })
}

/** Names for a message: quoted, the first twenty of them. */
export function listNames(names: readonly string[]): string {
  const shown = names.slice(0, 20).map(name => `"${shorten(name)}"`)
  if (names.length > shown.length) shown.push(`… (${names.length} in all)`)
  return shown.join(', ')
}
