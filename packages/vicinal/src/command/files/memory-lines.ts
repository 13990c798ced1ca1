// Memories and queries as lines of JSON: what insert and query read and export writes.

import { EngineError, type Json, type JsonObject, type Place } from '@vicinal/core'
import type { InsertOptions, Memory, MemoryKey } from '@vicinal/core/memory'
import { parseFlagJson, parseObject, type TextLine } from './json-lines.ts'

export interface MemoryLine extends InsertOptions {
  readonly key: MemoryKey
  readonly value: Json
}

const memoryFields = [
  'id',
  'text',
  'vector',
  'key',
  'value',
  'namespace',
  'metadata',
  'createdAt',
  'expiresAt',
  'reward',
  'rewards',
]

/** {"id"?, "text", "text" and "vector", or "key", "value", "namespace"?} */
export function parseMemory(line: TextLine): MemoryLine {
  const record = parseObject(line, '{"text": "…", "value": …}')
  const unknown = Object.keys(record).find(name => !memoryFields.includes(name))
  if (unknown !== undefined) {
    throw bad(line.where, `a memory has no field "${unknown}", expected ${memoryFields.join(', ')}`)
  }
  const { id, value, namespace, metadata, createdAt, expiresAt, reward, rewards } = record
  if (value === undefined) throw bad(line.where, 'the memory has no value')
  if (id !== undefined && typeof id !== 'string' && typeof id !== 'number') {
    throw bad(line.where, `the id is ${JSON.stringify(id)}, expected a text or a number`)
  }
  if (namespace !== undefined && typeof namespace !== 'string') {
    throw bad(line.where, `the namespace is ${JSON.stringify(namespace)}, expected a text`)
  }
  if (metadata !== undefined && !isJsonObject(metadata)) {
    throw bad(line.where, `the metadata is ${JSON.stringify(metadata)}, expected an object`)
  }
  const named = {
    ...(id !== undefined && { id }),
    ...(namespace !== undefined && { namespace }),
    ...(metadata !== undefined && { metadata }),
    ...timeOf('createdAt', createdAt, line.where),
    ...timeOf('expiresAt', expiresAt, line.where),
    // The memory checks both.
    ...(reward !== undefined && { reward: reward as number }),
    ...(rewards !== undefined && { rewards: rewards as number }),
  }
  return { key: keyOf(record, line.where, 'the memory'), value, ...named }
}

/** Milliseconds since 1970, or nothing. */
function timeOf(name: string, value: Json | undefined, where: Place): { [name: string]: number } {
  if (value === undefined) return {}
  if (typeof value === 'number') return { [name]: value }
  throw bad(where, `${name} is ${JSON.stringify(value)}, expected milliseconds since 1970`)
}

/** All that a memory holds; `parseMemory` reads it. */
export function formatMemory(memory: Memory): string {
  const { id, key, value, namespace, metadata, createdAt, expiresAt, reward, rewards } = memory
  const line = { id, ...plainKey(key), value, namespace, metadata, createdAt, expiresAt, reward, rewards }
  return `${JSON.stringify(line)}\n`
}

function plainKey(key: Memory['key']): object {
  if (typeof key === 'string') return { text: key }
  return 'vector' in key ? { text: key.text, vector: Array.from(key.vector) } : { key: listed(key) }
}

/** The key of a record: a text, numbers, or a text and a vector. `what` names the record in messages. */
export function keyOf(record: JsonObject, where: Place, what = 'the query'): MemoryKey {
  const { text, vector } = record
  if (vector !== undefined && vector !== null) return hybridOf(text, vector, where, what)
  const [key, other] = [text, record.key].filter(given => given !== undefined && given !== null)
  if (other !== undefined) throw bad(where, `${what} has a text and a key, expected one of them`)
  if (typeof key === 'string') return key
  if (isNumbers(key)) return key
  if (isJsonObject(key) && isNumbers(key.indices) && isNumbers(key.values)) {
    // Checked before they are converted to integers; the memory checks that they are features.
    return { indices: Uint32Array.from(key.indices.map(wholeIndex(where))), values: Float32Array.from(key.values) }
  }
  // A hit contains the key of its query, unchanged.
  if (isJsonObject(key) && key.text !== undefined) return keyOf(key, where, what)
  throw bad(where, 'there is no "text" and no "key" that is a text, [numbers] or {"indices": […], "values": […]}')
}

function hybridOf(text: Json | undefined, vector: Json, where: Place, what: string): MemoryKey {
  if (typeof text !== 'string') throw bad(where, `${what} has a vector but no text, expected "key" for a vector alone`)
  if (isNumbers(vector)) return { text, vector }
  throw bad(where, `the vector is ${JSON.stringify(vector).slice(0, 40)}, expected [numbers]`)
}

function wholeIndex(where: Place): (index: number) => number {
  return index => {
    if (Number.isInteger(index) && index >= 0 && index < 2 ** 32) return index
    throw bad(where, `the key has feature ${index}, expected whole numbers`)
  }
}

/** Adds the line to errors of the memory. */
export async function atLine<T>(where: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof EngineError && !error.where ? placed(error, where) : error
  }
}

/** The same error, with its place. */
export function placed(error: EngineError, where: Place): EngineError {
  const { code, message, hint } = error
  return new EngineError(code, message, { where, cause: error, ...(hint !== undefined && { hint }) })
}

/** Numbers in plain lists, which JSON writes as such. */
function listed(key: Exclude<Memory['key'], string | { vector: unknown }>): object {
  if (!('indices' in key)) return Array.from(key)
  return { indices: Array.from(key.indices), values: Array.from(key.values) }
}

/** The key that --text and --vector give. */
export function keyOfFlags(text: string, vector: string | undefined): MemoryKey {
  if (vector === undefined) return text
  const numbers: unknown = parseFlagJson('--vector', vector)
  if (isNumbers(numbers)) return { text, vector: numbers }
  throw new EngineError('INVALID_OPTION', `--vector is '${vector}', expected a JSON array of numbers`)
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every(item => typeof item === 'number')
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function bad(where: Place, message: string): EngineError {
  return new EngineError('BAD_DATA', message, { where })
}
