// Compares the values of a column with what its metadata says about them: how many are missing, and between which bounds they
// are. Without checksums, this is the only way to notice a changed value.

/** @import { ColumnMetaData, DecodedArray, SchemaElement } from 'hyparquet' */

/**
 * @param {string} name
 * @param {DecodedArray} data
 * @param {ColumnMetaData} column
 * @param {SchemaElement} element
 */
export function checkStatistics(name, data, { statistics }, element) {
  let nulls = 0
  const [least, most] = boundsOf(statistics, element)
  for (let i = 0; i < data.length; i++) {
    const value = data[i]
    if (value === undefined) throw new Error(`column ${name} has no value in row ${i} of a row group`)
    if (value === null) nulls++
    else if (isBelow(value, least) || isBelow(most, value)) {
      throw new Error(`column ${name} has the value ${show(value)}, its metadata says ${show(least)} to ${show(most)}`)
    }
  }
  const expected = statistics?.null_count
  if (expected !== undefined && Number(expected) !== nulls) {
    throw new Error(`column ${name} has ${nulls} missing values, its metadata says ${expected}`)
  }
}

/**
 * The bounds of plain numbers and texts; none for other types, or if the file has none.
 * @param {ColumnMetaData['statistics']} statistics
 * @param {SchemaElement} element
 */
function boundsOf(statistics, { converted_type, logical_type }) {
  const plain = converted_type === undefined || converted_type === 'UTF8'
  const type = logical_type?.type
  if (!plain || !(type === undefined || type === 'STRING') || !statistics) return [undefined, undefined]
  return [statistics.min_value, statistics.max_value].map(bound => (isBound(bound) ? bound : undefined))
}

/** @param {unknown} bound */
function isBound(bound) {
  if (typeof bound === 'number') return !Number.isNaN(bound)
  // A bound that was cut inside a character cannot be compared.
  return typeof bound === 'bigint' || (typeof bound === 'string' && !bound.includes('\ufffd'))
}

/**
 * @param {unknown} a
 * @param {unknown} b
 */
function isBelow(a, b) {
  if (typeof a !== typeof b || a === undefined) return false
  if (typeof a !== 'string' || typeof b !== 'string') return /** @type {number} */ (a) < /** @type {number} */ (b)
  // Parquet compares bytes, which is another order than JavaScript's beyond the basic plane.
  return a < b && Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0
}

/** @param {unknown} value */
function show(value) {
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 40)) : String(value)
}
