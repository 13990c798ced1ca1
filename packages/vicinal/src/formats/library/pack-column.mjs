// Columns as they travel from this process to the other: numbers and lists of numbers in one typed array each, which is copied
// much faster than many small arrays.

/**
 * @typedef {{ name: string, kind: 'plain', values: ArrayLike<unknown> }
 *   | { name: string, kind: 'lists', values: Float32Array | Float64Array, lengths: Uint32Array }} PackedColumn
 */

/**
 * @param {string} name
 * @param {ArrayLike<unknown>} data
 * @returns {PackedColumn}
 */
export function packColumn(name, data) {
  if (!Array.isArray(data)) return { name, kind: 'plain', values: data }
  if (data.length > 0 && data.every(isNumbers)) return packLists(name, data)
  if (data.every(value => typeof value === 'number')) return { name, kind: 'plain', values: Float64Array.from(data) }
  return { name, kind: 'plain', values: data }
}

/** @param {unknown} value */
function isNumbers(value) {
  if (value instanceof Float32Array || value instanceof Float64Array || value instanceof Int32Array) return true
  return Array.isArray(value) && value.every(item => typeof item === 'number')
}

/**
 * @param {string} name
 * @param {ArrayLike<number>[]} lists
 * @returns {PackedColumn}
 */
function packLists(name, lists) {
  const lengths = Uint32Array.from(lists, list => list.length)
  const values = new Float64Array(lengths.reduce((total, length) => total + length, 0))
  let at = 0
  for (const list of lists) {
    values.set(list, at)
    at += list.length
  }
  const halved = Float32Array.from(values)
  const exact = halved.every((value, i) => Object.is(value, values[i]))
  return { name, kind: 'lists', values: exact ? halved : values, lengths }
}

/**
 * About how many bytes a value takes once it is copied: those of its texts and numbers.
 * @param {unknown} value
 * @returns {number}
 */
export function unpackedBytes(value) {
  if (typeof value === 'string') return value.length
  if (ArrayBuffer.isView(value)) return value.byteLength
  if (typeof value !== 'object' || value === null) return 8
  let bytes = 0
  for (const item of Array.isArray(value) ? value : Object.values(value)) bytes += unpackedBytes(item)
  return bytes
}
