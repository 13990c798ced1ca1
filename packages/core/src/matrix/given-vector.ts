// One vector as callers have it: an array, a typed array, lists or pairs of features and values. Everything that takes a vector reads
// it here, so that all calls accept the same forms and refuse the rest with the same words.

import { EngineError, shown } from '../errors.ts'

/** A dense vector: an array or typed array of numbers. */
export type DenseVector = ArrayLike<number>

/** Feature numbers, ascending, and their values. */
export interface SparseLists {
  readonly indices: ArrayLike<number>
  readonly values: ArrayLike<number>
}

/** A sparse vector: lists of features and values, `[feature, value]` pairs in any order, or a Map from feature to value. */
export type SparseVector = SparseLists | readonly (readonly [number, number])[] | ReadonlyMap<number, number>

/** As kernels take it. */
interface SparseArrays {
  readonly indices: Uint32Array
  readonly values: Float32Array
}

const denseForms = 'Give an array or a typed array of numbers.'
const sparseForms = 'Sparse vectors are { indices, values }, [feature, value] pairs, or a Map from feature to value.'
const mostFeatures = 4_294_967_296 // 2³²

/** Whether it has a length and could hold numbers. Texts and BigInt arrays cannot. */
export function isNumberList(value: unknown): value is ArrayLike<number> {
  if (Array.isArray(value)) return true
  if (typeof value !== 'object' || value === null) return false
  const length = lengthOf(value)
  return Number.isInteger(length) && length >= 0 && !isBigInts(value)
}

/** Refuses anything that is not a list of numbers; `name` is what messages call it: 'the query'. */
export function requireNumberList(value: unknown, name: string): asserts value is ArrayLike<number> {
  if (isNumberList(value)) return
  throw new EngineError('BAD_DATA', `${name} is ${shown(value)}, expected a list of numbers`, { hint: denseForms })
}

/** A copy as 32-bit floats. Float32Arrays may hold numbers that are not finite: the code that uses them checks again. */
export function floatsOf(list: ArrayLike<number>, name: string): Float32Array {
  const floats = new Float32Array(list.length)
  copyNumbers(list, floats, 0, name)
  return floats
}

/** Copies the numbers into `target`; refuses anything else and names its place. */
export function copyNumbers(list: ArrayLike<number>, target: Float32Array, at: number, name: string): void {
  // Copying a typed array as a whole is ten times faster than value by value.
  if (list instanceof Float32Array && ArrayBuffer.isView(list)) {
    target.set(list, at)
    return
  }
  for (let j = 0; j < list.length; j++) {
    if (!isFloat(list[j])) throw notFloat(list, j, `${name}, column ${j}`)
    target[at + j] = list[j]
  }
}

/** Whether it is one of the forms of a sparse vector. An empty array is, too. */
export function isSparseVector(value: unknown): value is SparseVector {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.every(isPair)
  return value instanceof Map || isSparseLists(value)
}

export function isSparseLists(value: object): value is SparseLists {
  return 'indices' in value && 'values' in value
}

/** The same vector as typed arrays. The caller, who knows the columns, checks that features ascend and fit. */
export function sparseArraysOf(value: unknown, name: string): SparseArrays {
  if (!isSparseVector(value)) throw notSparse(value, name)
  if (Array.isArray(value)) return ofPairs(value, name)
  if (value instanceof Map) return ofPairs([...value], name)
  return ofLists(value as SparseLists, name) // the one form that is left
}

function ofLists({ indices, values }: SparseLists, name: string): SparseArrays {
  requireNumberList(indices, `${name}: indices`)
  requireNumberList(values, `${name}: values`)
  if (indices instanceof Uint32Array && values instanceof Float32Array) return { indices, values }
  if (indices.length !== values.length) {
    throw new EngineError('DIMENSION_MISMATCH', `${name} has ${indices.length} indices but ${values.length} values`)
  }
  const arrays = { indices: new Uint32Array(indices.length), values: new Float32Array(indices.length) }
  for (let e = 0; e < indices.length; e++) {
    arrays.indices[e] = checkFeature(indices[e], `${name}: index ${e}`)
    if (!isFloat(values[e])) throw notFloat(values, e, `${name}, feature ${indices[e]}`)
    arrays.values[e] = values[e]
  }
  return arrays
}

/** In ascending order of their features. */
function ofPairs(pairs: readonly (readonly [number, number])[], name: string): SparseArrays {
  for (const [e, [feature]] of pairs.entries()) checkFeature(feature, `${name}: the feature of pair ${e}`)
  for (const pair of pairs) if (!isFloat(pair[1])) throw notFloat(pair, 1, `${name}, feature ${pair[0]}`)
  const sorted = [...pairs].sort((a, b) => a[0] - b[0])
  return {
    indices: Uint32Array.from(sorted, ([feature]) => feature),
    values: Float32Array.from(sorted, ([, value]) => value),
  }
}

function isPair(entry: unknown): boolean {
  return Array.isArray(entry) && entry.length === 2
}

function checkFeature(feature: unknown, name: string): number {
  if (typeof feature === 'number' && Number.isInteger(feature) && feature >= 0 && feature < mostFeatures) return feature
  throw new EngineError('BAD_DATA', `${name} is ${shown(feature)}, expected a whole number in [0, 2³²)`, {
    hint: sparseForms,
  })
}

function isFloat(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(Math.fround(value))
}

function notFloat(list: ArrayLike<unknown>, place: number, name: string): EngineError {
  const isHole = Array.isArray(list) && !(place in list)
  const given = isHole ? 'missing' : shown(list[place])
  return new EngineError('BAD_DATA', `${name} is ${given}, expected a finite 32-bit number`, {
    hint: isHole ? 'The array has a hole there. Fill it, for example with 0.' : 'Remove or replace the value.',
  })
}

function notSparse(value: unknown, name: string): EngineError {
  const isDense = isNumberList(value) && value.length > 0 && typeof value[0] === 'number'
  const given = isDense ? 'a dense vector' : shown(value)
  return new EngineError('BAD_DATA', `${name} is ${given}, expected a sparse vector`, { hint: sparseForms })
}

function isBigInts(value: object): boolean {
  return value instanceof BigInt64Array || value instanceof BigUint64Array
}

/** NaN if there is none or it cannot be read, as that of a typed array behind a Proxy. */
function lengthOf(value: object): number {
  try {
    return Number((value as { length?: unknown }).length ?? Number.NaN)
  } catch {
    return Number.NaN
  }
}
