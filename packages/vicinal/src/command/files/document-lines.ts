// Documents of a collection, from JSON lines, a CSV or TSV table or a Parquet file. A document has id, text, fields, vector and metadata. Fields with the
// usual names for texts, such as title, are searched. All other fields are metadata, so that most files can be
// indexed as they are.

import { EngineError, type Json, type JsonObject, type Place } from '@vicinal/core'
import type { CollectionDocument } from '@vicinal/core/collection'
import { hasLongNumber, quoteLongNumbers, textColumnNames } from '@vicinal/core/internals'
import type { Command } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { collect } from '../flags/read-options.ts'
import { readCsvRecords, readTsvRecords, vectorFieldNames } from './csv-records.ts'
import { parseObject, readTextLines } from './json-lines.ts'
import { readParquetRecords } from './parquet-records.ts'

/** Which fields of a record hold its texts and its id. */
export interface DocumentColumns {
  readonly textColumn?: readonly string[]
  readonly idColumn?: string
}

export interface DocumentRecord {
  readonly record: JsonObject
  readonly where: Place
}

const parts = ['id', 'text', 'fields', 'vector', 'metadata']

export function addDocumentColumns(command: Command): Command {
  return command
    .option('--text-column <name>', 'field or column to search by words; repeatable (default: text, title, …)', collect)
    .option('--id-column <name>', 'field or column with the id (default: id)')
}

/** The document in a record. */
export function toDocument(
  { record, where }: DocumentRecord,
  columns: DocumentColumns,
  nextId: () => number,
): CollectionDocument {
  const texts = textNames(record, columns, where)
  const idName = requireField(record, columns.idColumn, where) ?? 'id'
  const vectorName = vectorFieldNames.find(name => isGiven(record[name]))
  const [text, fields, vector] = [record.text, record.fields, record[vectorName ?? 'vector']].map(given)
  const id = record[idName] ?? nextId()
  const searched = Object.fromEntries(texts.filter(name => name !== 'text').map(name => [name, record[name]]))
  const hasFields = fields !== undefined || Object.keys(searched).length > 0
  const document = {
    ...{ id, ...(text !== undefined && { text }) },
    ...(hasFields && { fields: { ...searched, ...(fields as object) } }),
    ...(vector !== undefined && { vector }),
    ...metadataOf(record, [...parts, ...texts, idName, ...(vectorName === undefined ? [] : [vectorName])], where),
  }
  if (text === undefined && !hasFields && vector === undefined) throw nothingToSearch(record, where)
  return document as unknown as CollectionDocument // the collection checks its parts
}

function isGiven(value: Json | undefined): value is NonNullable<Json> {
  return value !== undefined && value !== null
}

/** Exports write null for what a row does not have. */
function given(value: Json | undefined): Json | undefined {
  return value ?? undefined
}

/** The fields to search: those named by the caller, or those with usual names. */
function textNames(record: JsonObject, { textColumn }: DocumentColumns, where: Place): readonly string[] {
  if (textColumn) return textColumn.filter(name => isGiven(record[requireField(record, name, where)!]))
  if (isGiven(record.fields)) return []
  return textColumnNames.filter(name => typeof record[name] === 'string')
}

function requireField(record: JsonObject, name: string | undefined, where: Place): string | undefined {
  if (name === undefined || Object.hasOwn(record, name)) return name
  throw new EngineError('BAD_DATA', `there is no field "${name}"; the fields are ${Object.keys(record).join(', ')}`, {
    where,
  })
}

function metadataOf(record: JsonObject, others: readonly string[], where: Place): { metadata?: JsonObject } {
  const rest = Object.entries(record).filter(([name]) => !others.includes(name))
  const metadata = given(record.metadata)
  if (metadata !== undefined && !isObject(metadata)) {
    throw new EngineError('BAD_DATA', 'metadata is not an object', { where })
  }
  if (rest.length === 0 && metadata === undefined) return {}
  return { metadata: { ...Object.fromEntries(rest), ...metadata } }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nothingToSearch(record: JsonObject, where: Place): EngineError {
  const names = Object.keys(record).join(', ')
  return new EngineError('BAD_DATA', `the document has no text, fields or vector to search; it has ${names}`, {
    where,
    hint: 'Name the fields that hold text with --text-column.',
  })
}

export interface PlacedDocument {
  readonly document: CollectionDocument
  readonly where: Place
}

/** The documents of a file or of stdin, as they come. `nextId` numbers those without an id. */
export async function* readDocuments(
  path: string,
  columns: DocumentColumns,
  io: CommandIo,
  nextId: () => number,
): AsyncGenerator<PlacedDocument> {
  for await (const record of readRecords(path, columns, io)) {
    yield { document: toDocument(record, columns, nextId), where: record.where }
  }
}

async function* readRecords(path: string, columns: DocumentColumns, io: CommandIo): AsyncGenerator<DocumentRecord> {
  if (/\.csv(\.gz)?$/i.test(path)) return yield* readCsvRecords(path, columns, io)
  if (/\.tsv(\.gz)?$/i.test(path)) return yield* readTsvRecords(path, columns, io)
  if (/\.parquet$/i.test(path)) return yield* readParquetRecords(path, io)
  for await (const line of readTextLines(path, io)) {
    const record = parseObject(line, '{"id": "n1", "text": "…"}')
    yield { record: withExactId(record, columns.idColumn ?? 'id', line.text), where: line.where }
  }
}

/** An id of more digits than a double holds would be that of another document: it stays as it is written, as a text. */
function withExactId(record: JsonObject, name: string, source: string): JsonObject {
  if (typeof record[name] !== 'number' || !hasLongNumber(source)) return record
  return { ...record, [name]: (JSON.parse(quoteLongNumbers(source)) as JsonObject)[name]! } // it has the same fields
}
