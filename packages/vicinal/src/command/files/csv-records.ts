// The rows of a CSV or TSV file as records. A cell that is a plain decimal number is a number, so that filters can compare it; an empty
// cell is left out, and so are the row numbers that pandas writes. Ids and texts stay as they are written.

import { EngineError, type Json, type JsonObject, type Place } from '@vicinal/core'
import { countsRows, openInput, readLines, scanCsv, textColumnNames } from '@vicinal/core/internals'
import type { CommandIo } from '../command-io.ts'
import type { DocumentColumns, DocumentRecord } from './document-lines.ts'

/** Fields taken for the vector; the first of them that a record has. */
export const vectorFieldNames: readonly string[] = ['vector', 'embedding']
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/

export async function* readCsvRecords(
  path: string,
  columns: DocumentColumns,
  { signal }: CommandIo,
): AsyncGenerator<DocumentRecord> {
  const header = new Header(columns)
  for await (const scanner of scanCsv(await openInput(path, { signal }), { signal })) {
    while (scanner.next()) {
      const { row } = scanner
      if (!row.isEmptyLine) yield* header.take(row.texts(), row.placeAt(row.start))
    }
  }
}

/** Cells between tabs, without quoting, as `readDataset` reads them. */
export async function* readTsvRecords(
  path: string,
  columns: DocumentColumns,
  { signal }: CommandIo,
): AsyncGenerator<DocumentRecord> {
  const header = new Header(columns)
  for await (const block of readLines(await openInput(path, { signal }), { signal })) {
    while (block.next()) {
      if (block.start < block.end) yield* header.take(block.text().split('\t'), block.place())
    }
  }
}

/** The names of the columns, once the first row was taken. */
class Header {
  readonly #texts: ReadonlySet<string>
  #names: readonly string[] | undefined

  constructor({ textColumn = [], idColumn = 'id' }: DocumentColumns) {
    this.#texts = new Set([...textColumnNames, ...textColumn, idColumn])
  }

  /** The record in a row; none in the first. */
  *take(cells: readonly string[], where: Place): Generator<DocumentRecord> {
    const names = this.#names
    if (!names) this.#names = checkNames(cells, where)
    else if (cells.length === names.length) yield { record: this.#record(names, cells), where }
    else {
      const message = `the row has ${cells.length} cells, expected ${names.length} as in the first line`
      throw new EngineError('BAD_DATA', message, { where })
    }
  }

  #record(names: readonly string[], cells: readonly string[]): JsonObject {
    const cellOf = (i: number) => cells[i] ?? ''
    const filled = [...names.entries()].filter(([i, name]) => cellOf(i) !== '' && !countsRows(name, i))
    return Object.fromEntries(
      filled.map(([i, name]) => [name, this.#texts.has(name) ? cellOf(i) : cellValue(name, cellOf(i))]),
    )
  }
}

function checkNames(cells: readonly string[], where: Place): string[] {
  const names = cells.map(cell => cell.trim())
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice === undefined) return names
  throw new EngineError('BAD_DATA', `two columns are called "${twice}"`, { where })
}

function cellValue(name: string, cell: string): Json {
  if (vectorFieldNames.includes(name) && cell.startsWith('[')) return vectorIn(cell)
  if (!plainNumber.test(cell)) return cell
  const number = Number(cell)
  // A number with more digits than a double holds would become another one.
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? cell : number
}

/** A list of numbers, as pandas writes it. What is none stays a text, which the collection refuses. */
function vectorIn(cell: string): Json {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}
