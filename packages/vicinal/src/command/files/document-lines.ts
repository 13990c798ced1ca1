// Documents and queries of a collection as lines of JSON. A document has id, text, fields, vector and metadata; whatever else is on its
// line is metadata too, so that most JSON lines can be indexed as they are.

import { EngineError, type JsonObject } from '@vicinal/core'
import type { CollectionDocument } from '@vicinal/core/collection'
import type { CommandIo } from '../command-io.ts'
import { parseObject, readTextLines, type TextLine } from './json-lines.ts'

const parts = ['id', 'text', 'fields', 'vector', 'metadata']

/** The document on a line. */
export function parseDocument(line: TextLine, nextId: () => number): CollectionDocument {
  const record = parseObject(line, '{"id": "n1", "text": "…"}')
  const others = Object.entries(record).filter(([name]) => !parts.includes(name))
  const own = Object.fromEntries(Object.entries(record).filter(([name]) => parts.includes(name)))
  const id = record.id === undefined ? { id: nextId() } : {}
  // The collection checks its parts.
  const document = { ...id, ...own } as unknown as CollectionDocument
  if (others.length === 0) return document
  const { metadata = {} } = own
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw new EngineError('BAD_DATA', 'metadata is no object', { where: line.where })
  }
  return { ...document, metadata: { ...Object.fromEntries(others), ...metadata } as JsonObject } // JSON made it
}

/** The documents of a file or of stdin, as they come. `nextId` numbers those without an id. */
export async function* readDocuments(
  path: string,
  io: CommandIo,
  nextId: () => number,
): AsyncGenerator<CollectionDocument> {
  for await (const line of readTextLines(path, io)) yield parseDocument(line, nextId)
}
