// Compressed sparse rows, the layout SparseMatrix and LabelMatrix share: row i's columns are
// indices[offsets[i] … offsets[i + 1]), ascending and different. Offsets are Float64, so that they count past 2³² entries.

import { EngineError } from '../errors.ts'
import { finish, type Steps } from '../long-work.ts'
import { checkEntries, checkNumbers, checkRow, checkSize, orderFault } from './checks.ts'
import { requireNumberList } from './given-vector.ts'

export interface Csr {
  readonly rows: number
  readonly columns: number
  readonly offsets: Float64Array
  readonly indices: Uint32Array
  /** One value per entry, or undefined if all values are 1. */
  readonly values?: Float32Array | undefined
}

/** Refuses arrays that do not form a CSR matrix: callers may have built them by hand. */
export function checkCsr(name: string, { rows, columns, offsets, indices, values }: Csr): void {
  checkSize(name, rows, columns)
  checkNumbers(`${name}: offsets`, offsets, [Float64Array])
  checkNumbers(`${name}: indices`, indices, [Uint32Array])
  if (values !== undefined) checkNumbers(`${name}: values`, values, [Float32Array])
  if (offsets.length !== rows + 1 || offsets[0] !== 0 || offsets[rows] !== indices.length) {
    const found = `${offsets.length} offsets from ${offsets[0]} to ${offsets[offsets.length - 1]}`
    throw new EngineError(
      'DIMENSION_MISMATCH',
      `${name}: ${rows} rows need ${rows + 1} offsets from 0 to ${indices.length}, got ${found}`,
    )
  }
  if (values && values.length !== indices.length) {
    throw new EngineError('DIMENSION_MISMATCH', `${name}: ${indices.length} indices but ${values.length} values`)
  }
  for (let i = 0; i < rows; i++) checkCsrRow(name, i, indices, offsets[i], offsets[i + 1], columns)
}

function checkCsrRow(name: string, row: number, indices: Uint32Array, from: number, to: number, columns: number): void {
  if (!(from <= to)) throw new EngineError('BAD_DATA', `${name}: the offsets fall at row ${row}: ${from}, then ${to}`)
  for (let e = from; e < to; e++) {
    if (indices[e] >= columns) {
      throw new EngineError('BAD_DATA', `${name}: row ${row} has index ${indices[e]}, expected less than ${columns}`)
    }
    if (e > from && indices[e] <= indices[e - 1]) {
      throw new EngineError('BAD_DATA', `${name}: row ${row} ${orderFault('index', indices[e], indices[e - 1])}`)
    }
  }
}

/** The columns become the rows; entries stay ordered. */
export function transposeCsr(csr: Csr): Csr {
  return finish(transposeInSteps(csr))
}

/** Entries per step of long work: less than a millisecond. */
export const entriesPerStep = 2 ** 16

export function* transposeInSteps({ rows, columns, offsets, indices, values }: Csr): Steps<Csr> {
  const flippedOffsets = new Float64Array(columns + 1)
  for (let e = 0; e < indices.length; e++) flippedOffsets[indices[e] + 1]++
  for (let j = 0; j < columns; j++) flippedOffsets[j + 1] += flippedOffsets[j]
  const next = flippedOffsets.slice()
  const flippedIndices = new Uint32Array(indices.length)
  const flippedValues = values && new Float32Array(indices.length)
  let pauseAt = entriesPerStep
  for (let i = 0; i < rows; i++) {
    for (let e = offsets[i]; e < offsets[i + 1]; e++) {
      const to = next[indices[e]]++
      flippedIndices[to] = i
      if (flippedValues) flippedValues[to] = values[e]
    }
    if (offsets[i + 1] < pauseAt) continue
    pauseAt = offsets[i + 1] + entriesPerStep
    yield
  }
  return { rows: columns, columns: rows, offsets: flippedOffsets, indices: flippedIndices, values: flippedValues }
}

/** The rows at `picked`, in that order, copied. */
export function selectCsr(csr: Csr, picked: ArrayLike<number>): Csr {
  requireNumberList(picked, 'the selection')
  checkEntries('the selection', picked.length)
  const offsets = new Float64Array(picked.length + 1)
  for (let i = 0; i < picked.length; i++) {
    checkRow(picked[i], csr.rows)
    offsets[i + 1] = offsets[i] + csr.offsets[picked[i] + 1] - csr.offsets[picked[i]]
  }
  checkEntries('the selection', offsets[picked.length])
  const indices = new Uint32Array(offsets[picked.length])
  const values = csr.values && new Float32Array(indices.length)
  for (let i = 0; i < picked.length; i++) {
    const [from, to] = [csr.offsets[picked[i]], csr.offsets[picked[i] + 1]]
    indices.set(csr.indices.subarray(from, to), offsets[i])
    if (values) values.set(csr.values.subarray(from, to), offsets[i])
  }
  return { rows: picked.length, columns: csr.columns, offsets, indices, values }
}

/** Rows [from, to): indices and values are views, offsets are new. */
export function sliceCsr(csr: Csr, from: number, to: number): Csr {
  const [first, last] = [csr.offsets[from], csr.offsets[to]]
  return {
    rows: to - from,
    columns: csr.columns,
    offsets: csr.offsets.slice(from, to + 1).map(offset => offset - first),
    indices: csr.indices.subarray(first, last),
    values: csr.values?.subarray(first, last),
  }
}

/** `a`'s rows followed by `b`'s; the wider of the two decides the columns. */
export function concatCsr(a: Csr, b: Csr): Csr {
  checkEntries('the concatenation', a.indices.length + b.indices.length)
  const offsets = new Float64Array(a.rows + b.rows + 1)
  offsets.set(a.offsets)
  for (let i = 0; i <= b.rows; i++) offsets[a.rows + i] = a.indices.length + b.offsets[i]
  const indices = new Uint32Array(a.indices.length + b.indices.length)
  indices.set(a.indices)
  indices.set(b.indices, a.indices.length)
  const values = a.values && b.values && new Float32Array(indices.length)
  if (values) {
    values.set(a.values)
    values.set(b.values, a.indices.length)
  }
  return { rows: a.rows + b.rows, columns: Math.max(a.columns, b.columns), offsets, indices, values }
}
