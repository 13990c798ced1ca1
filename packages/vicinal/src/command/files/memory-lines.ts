// Memories and queries as lines of JSON: what insert and query read and export writes.

import { EngineError, type Id, type Json, type JsonObject, type Place } from '@vicinal/core'
import type { KeyShape, Memory, MemoryKey } from '@vicinal/core/memory'
import { parseObject, type TextLine } from './json-lines.ts'

export interface MemoryLine {
  readonly key: MemoryKey
  readonly value: Json
  readonly id?: Id
  readonly namespace?: string
  readonly metadata?: JsonObject
  readonly createdAt?: number
  readonly expiresAt?: number
}

const memoryFields = ['id', 'text', 'key', 'value', 'namespace', 'metadata', 'createdAt', 'expiresAt']

/** {"id"?, "text" or "key", "value", "namespace"?} */
export function parseMemory(line: TextLine): MemoryLine {
  const record = parseObject(line, '{"text": "…", "value": …}')
  const unknown = Object.keys(record).find(name => !memoryFields.includes(name))
  if (unknown !== undefined) {
    throw bad(line.where, `a memory has no field "${unknown}", expected ${memoryFields.join(', ')}`)
  }
  const { id, value, namespace, metadata, createdAt, expiresAt } = record
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
  }
  return { key: keyOf(record, line.where, 'the memory'), value, ...named }
}

/** Milliseconds since 1970, or nothing. */
function timeOf(name: string, value: Json | undefined, where: Place): { [name: string]: number } {
  if (value === undefined) return {}
  if (typeof value === 'number') return { [name]: value }
  throw bad(where, `${name} is ${JSON.stringify(value)}, expected milliseconds since 1970`)
}

/** What `export` writes of a memory; `parseMemory` reads it. `keys` says of what kind the memory's keys are. */
export function formatMemory(memory: Memory, keys: KeyShape | undefined): string {
  return `${JSON.stringify(plainMemory(memory, keys))}\n`
}

/** The same with the memory's rewards, for people to read. */
export function memoryLine(memory: Memory, keys: KeyShape | undefined): string {
  const { reward, rewards } = memory
  return `${JSON.stringify({ ...plainMemory(memory, keys), reward, rewards })}\n`
}

function plainMemory(
  { id, key, value, namespace, metadata, createdAt, expiresAt }: Memory,
  keys: KeyShape | undefined,
) {
  const named =
    typeof key === 'string' ? { text: key } : { key: keys?.kind === 'dense' ? spread(key, keys) : listed(key) }
  return { id, ...named, value, namespace, metadata, createdAt, expiresAt }
}

/** The key of a record: a text, or numbers. `what` names the record in messages. */
export function keyOf(record: JsonObject, where: Place, what = 'the query'): MemoryKey {
  const [key, other] = [record.text, record.key].filter(given => given !== undefined && given !== null)
  if (other !== undefined) throw bad(where, `${what} has a text and a key, expected one of them`)
  if (typeof key === 'string') return key
  if (isNumbers(key)) return key
  if (isJsonObject(key) && isNumbers(key.indices) && isNumbers(key.values)) {
    // Checked as numbers before they become whole ones: the memory refuses what is no feature.
    return { indices: Uint32Array.from(key.indices.map(wholeIndex(where))), values: Float32Array.from(key.values) }
  }
  throw bad(where, 'there is no "text" and no "key" that is a text, [numbers] or {"indices": […], "values": […]}')
}

function wholeIndex(where: Place): (index: number) => number {
  return index => {
    if (Number.isInteger(index) && index >= 0 && index < 2 ** 32) return index
    throw bad(where, `the key has feature ${index}, expected whole numbers`)
  }
}

/** Says on which line an error of the memory's was made. */
export async function atLine<T>(where: Place, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof EngineError) || error.where) throw error
    const { code, message, hint } = error
    throw new EngineError(code, message, { where, cause: error, ...(hint !== undefined && { hint }) })
  }
}

function listed(key: Exclude<Memory['key'], string>): object {
  return { indices: Array.from(key.indices), values: Array.from(key.values) }
}

/** A dense key, with its zeros. */
function spread({ indices, values }: Exclude<Memory['key'], string>, { dims }: KeyShape): number[] {
  const numbers = new Array<number>(dims).fill(0)
  indices.forEach((index, i) => {
    numbers[index] = values[i] ?? 0
  })
  return numbers
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
