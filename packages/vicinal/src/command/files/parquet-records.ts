// The rows of a Parquet file as records. An empty cell is left out, and values that JSON does not have become the nearest it has.

import { EngineError, type Json, type JsonObject, type Place } from '@vicinal/core'
import { parquetRows } from '../../formats/parquet-format.ts'
import type { CommandIo } from '../command-io.ts'
import type { DocumentRecord } from './document-lines.ts'

export async function* readParquetRecords(path: string, { signal }: CommandIo): AsyncGenerator<DocumentRecord> {
  let line = 0
  for await (const row of parquetRows(path, { signal })) {
    const where = { file: path, line: ++line }
    yield { record: recordOf(row, where), where }
  }
}

function recordOf(row: Readonly<Record<string, unknown>>, where: Place): JsonObject {
  const filled = Object.entries(row).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(filled.map(([name, value]) => [name, jsonOf(value, name, where)]))
}

/** Dates as ISO text, so that filters can compare them; whole numbers of 64 bits as numbers, if they fit. */
function jsonOf(value: unknown, name: string, where: Place): Json {
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value)
  if (ArrayBuffer.isView(value) || Array.isArray(value)) {
    return Array.from(value as ArrayLike<unknown>, member => jsonOf(member, name, where))
  }
  if (typeof value === 'object' && value !== null) return recordOf(value as Record<string, unknown>, where)
  if (value === null || ['string', 'boolean', 'number'].includes(typeof value)) return value as Json
  throw new EngineError('BAD_DATA', `the column "${name}" has a value that JSON cannot hold`, { where })
}
