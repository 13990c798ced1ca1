// The arrays a model file holds, and their names in the safetensors format.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'

export const arrayTypes = {
  F64: Float64Array,
  F32: Float32Array,
  I32: Int32Array,
  U32: Uint32Array,
  I16: Int16Array,
  U16: Uint16Array,
  I8: Int8Array,
  U8: Uint8Array,
} as const

/** The safetensors name of an element type. */
export type Dtype = keyof typeof arrayTypes

/** The typed arrays that model files hold. */
export type TensorArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array

/** A typed array with its shape, as model files hold it. */
export interface Tensor {
  readonly array: TensorArray
  /** Lengths from the slowest to the fastest dimension; their product is the array's length. */
  readonly shape: readonly number[]
}

/** A tensor of one dimension. */
export function tensor1d(array: TensorArray): Tensor {
  checkNumbers('array', array, Object.values(arrayTypes))
  return { array, shape: [array.length] }
}

export function isDtype(name: unknown): name is Dtype {
  return typeof name === 'string' && Object.hasOwn(arrayTypes, name)
}

export function dtypeOf(name: string, array: TensorArray): Dtype {
  const found = Object.keys(arrayTypes).find(dtype => array instanceof arrayTypes[dtype as Dtype]) // keys are dtypes
  if (isDtype(found)) return found
  throw new EngineError('INVALID_OPTION', `tensor "${name}" is not one of ${Object.keys(arrayTypes).join(', ')}`)
}

export function elementBytes(dtype: Dtype): number {
  return arrayTypes[dtype].BYTES_PER_ELEMENT
}

/** The number of elements, or NaN if `shape` is not a shape or too large to count. */
export function elementCount(shape: unknown): number {
  if (!Array.isArray(shape)) return Number.NaN
  const product = shape.reduce(
    (count, length) => (Number.isSafeInteger(length) && length >= 0 ? count * length : NaN),
    1,
  )
  return Number.isSafeInteger(product) ? product : Number.NaN
}

/** The array's bytes, as a view. */
export function bytesOf({ buffer, byteOffset, byteLength }: TensorArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

/** A view of `bytes` as elements; they must lie on a multiple of the element's size. */
export function arrayOver(bytes: Uint8Array, dtype: Dtype): TensorArray {
  const ArrayType: new (buffer: ArrayBufferLike, offset: number, length: number) => TensorArray = arrayTypes[dtype]
  return new ArrayType(bytes.buffer, bytes.byteOffset, bytes.byteLength / elementBytes(dtype))
}
