// Annif's vocabularies in CSV: a column `uri`, a column of names for each language (`label_en`, `label_fi`) or one in the language that
// the caller gives (`label`), and perhaps a column `notation`. Other columns are ignored. A concept without any name is deprecated. A
// TSV file with such a first line is read here too.

import { EngineError } from '../../errors.ts'
import type { Input } from '../format.ts'
import { checkCount, maxLabels, shorten } from '../limits.ts'
import type { CellRow } from '../table/cell-row.ts'
import { listNames } from '../table/columns.ts'
import { scanCsv } from '../table/csv.ts'
import { bareId } from './tsv-vocabulary.ts'
import { tag } from './vocabulary.ts'
import type { VocabularyFormat, VocabularyReading, VocabularyTarget } from './vocabulary-format.ts'

export const csvVocabulary: VocabularyFormat = Object.freeze({
  name: 'csv',
  extensions: Object.freeze(['csv']),
  recognize: (head: Uint8Array) =>
    /^\uFEFF?[^\n]*\buri\b[^\n]*[,;][^\n]*|^\uFEFF?[^\n]*\blabel_/i.test(firstLine(head)),
  read,
})

/** Whether the first line names a column of ids and one of names, whatever separates them. */
export function hasHeader(head: Uint8Array): boolean {
  const cells = firstLine(head)
    .split(/[,;\t]/)
    .map(cell => cell.replace(/["\uFEFF]/g, '').trim())
  return cells.some(isId) && cells.some(cell => languageOf(cell) !== undefined)
}

function firstLine(head: Uint8Array): string {
  return new TextDecoder().decode(head.subarray(0, 2 ** 12)).split('\n')[0]
}

interface Columns {
  readonly count: number
  readonly id: number
  /** −1 if there is none. */
  readonly notation: number
  readonly names: readonly { readonly column: number; readonly language: string }[]
}

async function read(input: Input, concepts: VocabularyTarget, options: VocabularyReading): Promise<void> {
  let columns: Columns | undefined
  for await (const scanner of scanCsv(input, options)) {
    while (scanner.next()) {
      const { row } = scanner
      if (!columns) columns = readHeader(row, tag(options.language ?? ''))
      else if (!row.isEmptyLine) addRow(concepts, row, columns)
    }
  }
}

function isId(column: string): boolean {
  return column.toLowerCase() === 'uri'
}

/** The language of a column of names; '' if it does not say, undefined for other columns. */
function languageOf(column: string): string | undefined {
  const found = /^label(?:_(.+))?$/i.exec(column)
  return found ? (found[1] ?? '') : undefined
}

function readHeader(row: CellRow, given: string): Columns {
  const cells = row.texts().map(cell => cell.trim())
  const id = cells.findIndex(isId)
  const names = cells.flatMap((cell, column) => {
    const language = languageOf(cell)
    return language === undefined ? [] : [{ column, language: language === '' ? given : tag(language) }]
  })
  const notation = cells.findIndex(cell => cell.toLowerCase() === 'notation')
  if (id >= 0 && names.length > 0) return { count: cells.length, id, notation, names }
  throw new EngineError(
    'BAD_DATA',
    `the columns are ${listNames(cells)}, expected uri and label_en or another language`,
    {
      where: row.place(0),
      hint: 'Begin the file with a line such as `uri,label_en,label_fi`.',
    },
  )
}

function addRow(concepts: VocabularyTarget, row: CellRow, columns: Columns): void {
  const { count, id: idColumn, notation: notationColumn, names } = columns
  if (row.count !== count) throw bad(row, 0, `the row has ${row.count} cells, expected ${count} as in the first line`)
  checkCount('concepts', row.line, maxLabels, row.place(0))
  const id = bareId(row.text(idColumn))
  if (id === '') throw bad(row, idColumn, 'the uri is empty')
  if (concepts.numberOf(id) !== undefined) throw bad(row, idColumn, `the uri ${shorten(id)} appears twice`)
  const concept = concepts.add(id)
  const given = names.map(({ column, language }) => ({ language, name: row.text(column).trim() }))
  if (given.every(({ name }) => name === '')) concepts.deprecated.add(concept)
  const notation = notationColumn < 0 ? '' : row.text(notationColumn).trim()
  if (notation !== '') concepts.notations.set(concept, notation)
  for (const { language, name } of given) if (name !== '') concepts.name(concept, language, name)
}

function bad(row: CellRow, cell: number, message: string): EngineError {
  return new EngineError('BAD_DATA', message, { where: row.place(cell) })
}
