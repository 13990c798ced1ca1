// Checks of arrays in a model file. Kernels check no bounds, so loading must. Each check is one pass without a call per element, so
// that loading takes hardly longer.

import type { TensorArray } from './tensor.ts'

type Offsets = Uint32Array | Float64Array

/** Whether `offsets` begin at 0, never decrease, and end at `last`. */
export function climbs(offsets: Offsets, last: number): boolean {
  if (offsets.length === 0 || offsets[0] !== 0 || offsets[offsets.length - 1] !== last) return false
  for (let i = 1; i < offsets.length; i++) if (!(offsets[i] >= offsets[i - 1])) return false
  return true
}

/** Whether all numbers are in [0, limit). */
export function allBelow(array: TensorArray, limit: number): boolean {
  for (let i = 0; i < array.length; i++) if (!(array[i] >= 0 && array[i] < limit)) return false
  return true
}

/** Whether the numbers of every list ascend and are different; list i is at [offsets[i], offsets[i + 1]). */
export function listsAscend(offsets: Offsets, members: TensorArray): boolean {
  for (let list = 0; list + 1 < offsets.length; list++) {
    for (let e = offsets[list] + 1; e < offsets[list + 1]; e++) if (!(members[e] > members[e - 1])) return false
  }
  return true
}

/** Whether the numbers ascend and are different. */
export function ascends(array: TensorArray): boolean {
  for (let i = 1; i < array.length; i++) if (!(array[i] > array[i - 1])) return false
  return true
}

/** Whether all are different whole numbers below `limit`. */
export function areDistinct(array: TensorArray, limit: number): boolean {
  const seen = new Uint8Array(limit)
  for (let i = 0; i < array.length; i++) {
    if (!(array[i] >= 0 && array[i] < limit) || seen[array[i]] !== 0) return false
    seen[array[i]] = 1
  }
  return true
}

/** Whether all numbers are finite. */
export function allFinite(array: TensorArray): boolean {
  // Zero times NaN or infinity is NaN, and the sum stays NaN.
  let sum = 0
  for (let i = 0; i < array.length; i++) sum += 0 * array[i]
  return sum === 0
}

/** Whether all numbers are finite and none is below 0. */
export function allAmounts(array: TensorArray): boolean {
  for (let i = 0; i < array.length; i++) if (!(array[i] >= 0 && array[i] < Number.POSITIVE_INFINITY)) return false
  return true
}

/** Whether every line of `width` numbers has only zeros from place `used` on. */
export function paddedWithZeros(array: TensorArray, width: number, used: number): boolean {
  if (width === used) return true
  for (let line = 0; line < array.length; line += width) {
    for (let at = line + used; at < line + width; at++) if (array[at] !== 0) return false
  }
  return true
}
