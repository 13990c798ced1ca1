// The rows of a CSV file as records. A cell that is a plain decimal number is a number, so that filters can compare it; an empty
// cell is left out. Ids and texts stay as they are written.

import { EngineError, type JsonObject } from '@vicinal/core'
import { openInput, scanCsv, textColumnNames } from '@vicinal/core/internals'
import type { CommandIo } from '../command-io.ts'
import type { DocumentRecord } from './document-lines.ts'

const asWritten = new Set(['id', ...textColumnNames])
const plainNumber = /^-?(0|[1-9]\d*)(\.\d+)?$/

export async function* readCsvRecords(path: string, { signal }: CommandIo): AsyncGenerator<DocumentRecord> {
  let names: string[] | undefined
  for await (const scanner of scanCsv(await openInput(path, { signal }), { signal })) {
    while (scanner.next()) {
      const { row } = scanner
      if (row.isEmptyLine) continue
      const [cells, where] = [row.texts(), row.placeAt(row.start)]
      if (!names) names = cells.map(cell => cell.trim())
      else if (cells.length === names.length) yield { record: recordOf(names, cells), where }
      else {
        const message = `the row has ${cells.length} cells, expected ${names.length} as in the first line`
        throw new EngineError('BAD_DATA', message, { where })
      }
    }
  }
}

function recordOf(names: readonly string[], cells: readonly string[]): JsonObject {
  const entries = names.map((name, i) => [name, cellValue(name, cells[i] ?? '')] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== ''))
}

function cellValue(name: string, cell: string): string | number {
  return plainNumber.test(cell) && !asWritten.has(name.toLowerCase()) ? Number(cell) : cell
}
