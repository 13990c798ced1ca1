// Checks a caller's document and makes the frozen copy that a collection stores, so that callers cannot change a stored document.

import { EngineError, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { DenseVector } from '../matrix/given-vector.ts'
import { didYouMean } from '../nearest-names.ts'
import { type Json, type JsonObject, maxJsonDepth } from '../store/json.ts'

/** What `upsert` takes. A document replaces the one with the same id as a whole. */
export interface CollectionDocument<Metadata extends object = JsonObject> {
  /** Your key: a text or a finite number. */
  readonly id: Id
  /** The text to search by words. Short for `fields: { text }`. */
  readonly text?: string | undefined
  /** More texts, by name. Each can have its own weight: see `boosts`. */
  readonly fields?: Readonly<Record<string, string>> | undefined
  /** The vector to search by. All vectors of a collection have the same length. */
  readonly vector?: DenseVector | undefined
  /** Values to filter by, and anything else to return with hits: any JSON. */
  readonly metadata?: Metadata | undefined
}

/** A stored document, as `get`, `list` and searches return it: frozen. Only `get` returns the vector, scaled to length 1 under 'cosine'. */
export interface StoredDocument<Metadata extends object = JsonObject> {
  readonly id: Id
  readonly text?: string
  readonly fields?: Readonly<Record<string, string>>
  readonly vector?: Float32Array
  readonly metadata?: Readonly<Metadata>
}

const parts = ['id', 'text', 'fields', 'vector', 'metadata']

/** A frozen copy without the vector. `name` is what messages call the document. */
export function storedCopy<Metadata extends object>(given: unknown, name = 'your document'): StoredDocument<Metadata> {
  const document = requireDocument(given, name)
  const { id, text, fields, metadata } = document
  checkDocumentId(id, `the id of ${name}`)
  const label = `document ${JSON.stringify(id)}`
  if (text !== undefined && typeof text !== 'string')
    throw bad(`the text of ${label} is ${shown(text)}, expected a text`)
  return Object.freeze({
    id,
    ...(text !== undefined && { text }),
    ...(fields !== undefined && { fields: copiedFields(fields, label, text !== undefined) }),
    // As its type says, once it is found to be JSON.
    ...(metadata !== undefined && { metadata: copiedMetadata(metadata, label) as unknown as Metadata }),
  })
}

/** `name` is what messages call the id. */
export function checkDocumentId(id: unknown, name: string): void {
  if (typeof id === 'string' || Number.isFinite(id)) return
  throw bad(`${name} is ${shown(id)}, expected a text or a finite number`)
}

/** All texts of a document by field; `text` is the field of that name. */
export function textsOf({ text, fields }: Pick<StoredDocument, 'text' | 'fields'>): Readonly<Record<string, string>> {
  return text === undefined ? (fields ?? {}) : { text, ...fields }
}

function requireDocument(given: unknown, name: string): CollectionDocument {
  if (typeof given !== 'object' || given === null || Array.isArray(given) || ArrayBuffer.isView(given)) {
    throw bad(
      `${name} is ${shown(given)}, expected an object`,
      'Give documents such as { id, text, vector, metadata }.',
    )
  }
  for (const [key, value] of Object.entries(given)) {
    if (parts.includes(key) || value === undefined) continue
    const hint = didYouMean(key, parts) ?? 'Texts to search go into fields, values to filter by into metadata.'
    throw bad(`${name} has "${key}", expected only ${parts.join(', ')}`, hint)
  }
  return given as CollectionDocument // its parts are checked one by one
}

function copiedFields(fields: unknown, label: string, hasText: boolean): Readonly<Record<string, string>> {
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw bad(`the fields of ${label} are ${shown(fields)}, expected an object of texts`)
  }
  const entries = Object.entries(fields).filter(([, text]) => text !== undefined)
  for (const [name, text] of entries) {
    if (typeof text !== 'string') throw bad(`the field "${name}" of ${label} is ${shown(text)}, expected a text`)
    if (name === '__proto__') throw bad(`${label} has a field "__proto__", a name that no field can have`)
    if (name === 'text' && hasText) {
      throw bad(`${label} has its text twice: as text and as fields.text`, 'Leave one of them out.')
    }
  }
  return Object.freeze(Object.fromEntries(entries))
}

function copiedMetadata(metadata: unknown, label: string): JsonObject {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw bad(`the metadata of ${label} is ${shown(metadata)}, expected an object`)
  }
  return copied(metadata, `the metadata of ${label}`, 0) as JsonObject // a copy of an object is an object
}

/** A frozen copy of JSON data. Refuses anything else, which would change when stored in a file. */
function copied(value: unknown, name: string, depth: number): Json {
  if (depth > maxJsonDepth) throw bad(`${name} is nested more than ${maxJsonDepth} deep`, 'Flatten it.')
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, i) => copied(item, `${name}, place ${i}`, depth + 1)))
  }
  if (typeof value !== 'object' || !isPlain(value)) {
    const hint = value instanceof Date ? 'Give date.toISOString(), or date.getTime().' : jsonHint
    throw bad(`${name} has ${shown(value)}, which JSON cannot hold`, hint)
  }
  const entries = Object.entries(value).filter(([, item]) => item !== undefined)
  return Object.freeze(
    Object.fromEntries(entries.map(([key, item]) => [key, copied(item, `${name}, "${key}"`, depth + 1)])),
  )
}

const jsonHint = 'Give null, booleans, finite numbers, texts, and lists and objects of these.'

/** A plain object: not a Map, a promise or a buffer. */
function isPlain(value: object): boolean {
  return Object.prototype.toString.call(value) === '[object Object]'
}

function bad(message: string, hint?: string): EngineError {
  return new EngineError('BAD_DATA', message, { ...(hint !== undefined && { hint }) })
}
