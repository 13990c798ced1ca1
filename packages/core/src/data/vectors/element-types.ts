// The number types of binary files, and how we keep them: bytes stay bytes, other whole numbers become i32, all
// others f32.

import type { DenseValues } from '../../matrix/dense-values.ts'

export interface ElementType {
  /** Size of one number in the file. */
  readonly bytes: number
  readonly kept: 'u8' | 'i32' | 'f32'
  readonly get: (view: DataView, at: number, littleEndian: boolean) => number
}

/** By NumPy's names: kind (b bool, u unsigned, i signed, f float) and size in bytes. */
export const elementTypes = Object.freeze({
  b1: { bytes: 1, kept: 'u8', get: (view, at) => view.getUint8(at) },
  u1: { bytes: 1, kept: 'u8', get: (view, at) => view.getUint8(at) },
  i1: { bytes: 1, kept: 'i32', get: (view, at) => view.getInt8(at) },
  u2: { bytes: 2, kept: 'i32', get: (view, at, little) => view.getUint16(at, little) },
  i2: { bytes: 2, kept: 'i32', get: (view, at, little) => view.getInt16(at, little) },
  u4: { bytes: 4, kept: 'i32', get: (view, at, little) => view.getUint32(at, little) },
  i4: { bytes: 4, kept: 'i32', get: (view, at, little) => view.getInt32(at, little) },
  u8: { bytes: 8, kept: 'i32', get: (view, at, little) => Number(view.getBigUint64(at, little)) },
  i8: { bytes: 8, kept: 'i32', get: (view, at, little) => Number(view.getBigInt64(at, little)) },
  f2: { bytes: 2, kept: 'f32', get: (view, at, little) => halfToNumber(view.getUint16(at, little)) },
  f4: { bytes: 4, kept: 'f32', get: (view, at, little) => view.getFloat32(at, little) },
  f8: { bytes: 8, kept: 'f32', get: (view, at, little) => view.getFloat64(at, little) },
} as const satisfies Record<string, ElementType>)

/** An array for numbers kept as `kept`. */
export function makeValues(kept: ElementType['kept'], length: number): DenseValues {
  if (kept === 'u8') return new Uint8Array(length)
  return kept === 'i32' ? new Int32Array(length) : new Float32Array(length)
}

/** A 16-bit float (IEEE 754 binary16): sign, 5 bits of exponent, 10 bits of fraction. */
function halfToNumber(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0x1f) return fraction > 0 ? Number.NaN : sign * Number.POSITIVE_INFINITY
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15))
}
