// Collects the vectors of records: all dense and of one length, or all sparse. The first one decides.

import type { Place } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Growable } from '../bytes/growable.ts'
import { maxFeatures, shorten } from '../limits.ts'
import { fieldError, valueText } from '../records/record-fields.ts'
import { SparseRows } from './row-builder.ts'

export class VectorRows {
  readonly #dense = new Growable(Float32Array)
  readonly #sparse = new SparseRows()
  #rows = 0
  /** Length of the dense rows; undefined if the rows are sparse. */
  #columns: number | undefined
  /** One more than the largest index of the sparse rows. */
  #width = 0
  #declared: number | undefined

  /** Says how many features there are: sparse rows alone may not tell. */
  declare(features: number | undefined): void {
    this.#declared = features
  }

  /** Adds a vector; a bad one throws and leaves no trace. */
  add(value: unknown, field: string, where: Place): void {
    if (isSparse(value))
      this.#addSparse(toNumbers(value.indices, field, where), toNumbers(value.values, field, where), where)
    else this.#addDense(toNumbers(value, field, where), where)
    this.#rows++
  }

  /** The matrix of at least one row. */
  finish(): DenseMatrix | SparseMatrix {
    if (this.#columns === undefined) return this.#sparse.finish(this.#declared ?? this.#width)
    return new DenseMatrix(this.#rows, this.#columns, this.#dense.finish())
  }

  #addDense(values: readonly number[], where: Place): void {
    if (this.#rows === 0) this.#columns = values.length
    if (this.#columns === undefined) throw fieldError('the vector is a list, but the ones before it are sparse', where)
    if (values.length !== this.#columns) {
      throw fieldError(`the vector has ${values.length} numbers, but the ones before it have ${this.#columns}`, where)
    }
    for (const value of values) this.#dense.push(value)
  }

  #addSparse(indices: readonly number[], values: readonly number[], where: Place): void {
    if (this.#columns !== undefined) throw fieldError('the vector is sparse, but the ones before it are lists', where)
    if (indices.length !== values.length) {
      throw fieldError(`the vector has ${indices.length} indices and ${values.length} values`, where)
    }
    const order = [...indices.keys()].sort((a, b) => indices[a] - indices[b])
    order.forEach((e, i) => {
      checkIndex(indices[e], i > 0 ? indices[order[i - 1]] : -1, (this.#declared ?? maxFeatures) - 1, where)
    })
    for (const e of order) this.#sparse.add(indices[e], values[e])
    this.#sparse.endRow()
    if (order.length > 0) this.#width = Math.max(this.#width, indices[order[order.length - 1]] + 1)
  }
}

function isSparse(value: unknown): value is { indices: unknown; values: unknown } {
  return typeof value === 'object' && value !== null && 'indices' in value && 'values' in value
}

/** A list of finite 32-bit numbers, as an array. */
function toNumbers(value: unknown, field: string, where: Place): number[] {
  if (!Array.isArray(value) && !(ArrayBuffer.isView(value) && !(value instanceof DataView))) {
    const allowed = 'a list of numbers or {"indices": [...], "values": [...]}'
    throw fieldError(`"${shorten(field)}" is ${valueText(value)}, expected ${allowed}`, where)
  }
  return Array.from(value as ArrayLike<unknown>, (item, i) => toNumber(item, i, field, where)) // a list, as checked above
}

function toNumber(item: unknown, i: number, field: string, where: Place): number {
  const number = typeof item === 'bigint' ? Number(item) : item
  if (typeof number === 'number' && Number.isFinite(Math.fround(number))) return number
  throw fieldError(`number ${i} of "${shorten(field)}" is ${valueText(item)}, expected a finite 32-bit number`, where)
}

function checkIndex(index: number, before: number, maxIndex: number, where: Place): void {
  if (!Number.isInteger(index) || index < 0 || index > maxIndex) {
    throw fieldError(`the vector has the index ${index}, expected a whole number from 0 to ${maxIndex}`, where)
  }
  if (index === before) throw fieldError(`the vector has the index ${index} twice`, where)
}
