// Turns keys into sparse rows of length 1: texts, sparse rows or dense vectors. All keys of a memory have the kind of the first one.
// Features of texts are hashes, so no table of tokens is needed. A hybrid key has a text and a vector, each of length 1: first the features of
// the text, then all numbers of the vector.

import type { TextOptions } from '../data/text/text-options.ts'
import { TextPipeline } from '../data/text/text-pipeline.ts'
import { EngineError, shown } from '../errors.ts'
import { scaleToUnit } from '../matrix/dense-matrix.ts'
import type { SparseRow } from '../matrix/sparse-matrix.ts'

/** A sparse key: ascending distinct features and their values. */
export interface SparseKey {
  readonly indices: ArrayLike<number>
  readonly values: ArrayLike<number>
}

/** A text together with a dense vector, such as its embedding. */
export interface HybridKey {
  readonly text: string
  readonly vector: ArrayLike<number>
}

/** What a memory is found by: a text, a sparse row, a dense vector, or a text and a vector. */
export type MemoryKey = string | SparseKey | ArrayLike<number> | HybridKey

/** A stored key as it was given: the text, a dense vector with its zeros, or the text with its vector. */
export function givenKey(row: SparseRow, shape: KeyShape | undefined, text: string | undefined) {
  if (shape?.kind === 'hybrid') return { text: text ?? '', vector: row.values.slice(row.values.length - shape.dims) }
  if (shape?.kind !== 'dense') return text ?? row
  const vector = new Float32Array(shape.dims)
  row.indices.forEach((index, e) => {
    vector[index] = row.values[e]
  })
  return vector
}

/** The same key, as JSON can hold it. */
export function plainKey(key: MemoryKey): MemoryKey {
  if (typeof key === 'string') return key
  if (isHybrid(key)) return { text: key.text, vector: Array.from(key.vector) }
  return isSparse(key) ? { indices: Array.from(key.indices), values: Array.from(key.values) } : Array.from(key)
}

export const keyKinds = ['text', 'sparse', 'dense', 'hybrid'] as const

/** The kind of keys of a memory: texts, sparse rows, dense vectors, or texts with vectors. */
export type KeyKind = (typeof keyKinds)[number]

/** What the first key fixes for all keys of a memory. */
export interface KeyShape {
  readonly kind: KeyKind
  /** The numbers of a dense key, or of the vector of a hybrid one; 0 for others. */
  readonly dims: number
}

/** In one key. */
const mostNumbers = 2 ** 24
/** Features are below this: the numbers from here on are reserved. */
const highestFeature = 2 ** 32 - 2
/** Number j of the vector of a hybrid key is feature `vectorFeatures` + j. Features of texts are below. */
export const vectorFeatures = 2 ** 31

/** The text of a key that has one. */
export function textOf(key: MemoryKey): string | undefined {
  if (typeof key === 'string') return key
  return isHybrid(key) ? key.text : undefined
}

export class KeyReader {
  readonly #text: TextPipeline
  #shape: KeyShape | undefined

  constructor(text: TextOptions, shape?: KeyShape) {
    this.#text = TextPipeline.hashing(text)
    this.#shape = shape
  }

  /** Undefined before the first key. */
  get shape(): KeyShape | undefined {
    return this.#shape
  }

  /** The key as a row of length 1. Refuses a key of another kind than those before it. */
  read(key: MemoryKey): SparseRow {
    const row = this.readQuery(key)
    if (!row) throw noFeatures(shapeOf(key).kind)
    return row
  }

  /** The same; undefined if the key, or a part of a hybrid one, has no features: people do ask "?", and nothing is like it. */
  readQuery(key: MemoryKey): SparseRow | undefined {
    const shape = shapeOf(key)
    if (this.#shape) checkShape(shape, this.#shape)
    const row = this.#row(key)
    if (!row || row.indices.length === 0) return undefined
    if (shape.kind === 'hybrid') return row
    // Rows of texts are always scaled, as in existing stores; they are not exported, so rounding does not matter.
    if (shape.kind === 'text' || !isUnit(row.values)) scaleToUnit(row.values)
    return row
  }

  /** Fixes the shape of all later keys to that of `key`, which was read. */
  settle(key: MemoryKey): void {
    this.#shape ??= shapeOf(key)
  }

  /** By feature: a word of the text that has it. */
  wordsOf(text: string): Map<number, string> {
    const words = new Map<number, string>()
    for (const word of new Set(text.split(/\s+/))) {
      for (const feature of this.#text.transform(word).indices) if (!words.has(feature)) words.set(feature, word)
    }
    return words
  }

  #row(key: MemoryKey): SparseRow | undefined {
    if (typeof key === 'string') return this.#text.transform(key)
    if (isHybrid(key)) return this.#hybridRow(key)
    return isSparse(key) ? sparseKey(key) : denseKey(key)
  }

  #hybridRow({ text, vector }: HybridKey): SparseRow | undefined {
    const words = this.#text.transform(text)
    const numbers = Float32Array.from({ length: vector.length }, (_, j) => checkValue(vector[j], `number ${j}`))
    if (words.indices.length === 0 || numbers.every(number => number === 0)) return undefined
    scaleToUnit(words.values)
    if (!isUnit(numbers)) scaleToUnit(numbers)
    const count = words.indices.length
    const indices = new Uint32Array(count + numbers.length)
    const values = new Float32Array(indices.length)
    indices.set(words.indices)
    values.set(words.values)
    values.set(numbers, count)
    for (let j = 0; j < numbers.length; j++) indices[count + j] = vectorFeatures + j
    return { indices, values }
  }
}

/**
 * Whether the numbers have length 1 as nearly as 32-bit numbers can: each is off by at most half a unit in its last place. Scaled
 * again, some would change; as they are, a key that was exported and inserted again is the same to the last bit.
 */
function isUnit(values: Float32Array): boolean {
  const squares = values.reduce((sum, value) => sum + value * value, 0)
  return Math.abs(squares - 1) <= 2 ** -23
}

function shapeOf(key: MemoryKey): KeyShape {
  if (typeof key === 'string') return { kind: 'text', dims: 0 }
  if (typeof key !== 'object' || key === null) throw noKey(key)
  if (isSparse(key)) {
    if (!isList(key.indices) || !isList(key.values)) throw noKey(key)
    return { kind: 'sparse', dims: 0 }
  }
  if (isHybrid(key)) {
    if (typeof key.text !== 'string' || !isList(key.vector)) throw noKey(key)
    return { kind: 'hybrid', dims: key.vector.length }
  }
  if (!isList(key)) throw noKey(key)
  return { kind: 'dense', dims: key.length }
}

/** Keys may come from anywhere, such as a line of JSON. */
function isList(list: unknown): list is ArrayLike<unknown> {
  const length: unknown = typeof list === 'object' && list !== null && 'length' in list ? list.length : undefined
  return typeof length === 'number' && Number.isInteger(length) && length >= 0 && length <= mostNumbers
}

function checkShape(given: KeyShape, known: KeyShape): void {
  if (given.kind !== known.kind) {
    throw new EngineError(
      'BAD_DATA',
      `the key is ${named(given.kind)}, this memory's keys are ${known.kind === 'hybrid' ? 'texts with vectors' : known.kind}`,
      {
        hint: 'All keys of a memory have the kind of its first key.',
      },
    )
  }
  if (given.dims !== known.dims) {
    throw new EngineError(
      'DIMENSION_MISMATCH',
      `the key has ${given.dims} numbers, the keys of this memory have ${known.dims}`,
    )
  }
}

/** Keys may come from anywhere. */
function isHybrid(key: unknown): key is HybridKey {
  return typeof key === 'object' && key !== null && 'text' in key && 'vector' in key
}

function isSparse(key: object): key is SparseKey {
  return 'indices' in key && 'values' in key
}

function sparseKey({ indices, values }: SparseKey): SparseRow {
  if (indices.length !== values.length) {
    throw new EngineError('DIMENSION_MISMATCH', `the key has ${indices.length} indices but ${values.length} values`)
  }
  const ownIndices = new Uint32Array(indices.length)
  const ownValues = new Float32Array(indices.length)
  let count = 0
  for (let e = 0; e < indices.length; e++) {
    const value = checkEntry(indices, values, e)
    if (value === 0) continue
    ownIndices[count] = indices[e]
    ownValues[count++] = value
  }
  return { indices: ownIndices.subarray(0, count), values: ownValues.subarray(0, count) }
}

function checkEntry(indices: ArrayLike<number>, values: ArrayLike<number>, e: number): number {
  const index = indices[e]
  if (!(Number.isInteger(index) && index >= 0 && index < highestFeature) || (e > 0 && index <= indices[e - 1])) {
    throw new EngineError(
      'BAD_DATA',
      `entry ${e} of the key has feature ${shown(index)}, expected ascending whole numbers`,
    )
  }
  return checkValue(values[e], `feature ${shown(index)}`)
}

function denseKey(key: ArrayLike<number>): SparseRow {
  const indices = Uint32Array.from({ length: key.length }, (_, j) => j)
  for (let j = 0; j < key.length; j++) checkValue(key[j], `number ${j}`)
  return sparseKey({ indices, values: Float32Array.from(key) })
}

function checkValue(value: number, what: string): number {
  if (typeof value === 'number' && Number.isFinite(Math.fround(value))) return Math.fround(value)
  throw new EngineError('BAD_DATA', `${what} of the key is ${shown(value)}, expected a finite number`)
}

function noFeatures(kind: KeyKind): EngineError {
  const [word, number] = ['a text with at least one word', 'at least one number that is not 0']
  const wanted = kind === 'hybrid' ? `${word}, and ${number}` : kind === 'text' ? word : number
  return new EngineError('BAD_DATA', 'the key has no features, so it cannot be compared', { hint: `Give ${wanted}.` })
}

function noKey(key: unknown): EngineError {
  return new EngineError('BAD_DATA', `the key is ${key === null ? 'null' : typeof key}, expected a text or a vector`, {
    hint: `Give a sparse vector as { indices, values }, a dense one as an array, a text with a vector as { text, vector }; at most ${mostNumbers} numbers.`,
  })
}

function named(kind: KeyKind): string {
  if (kind === 'hybrid') return 'a text with a vector'
  return kind === 'text' ? 'a text' : kind
}
