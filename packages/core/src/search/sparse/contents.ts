// An inverted index as the contents of a model file, and back. Stores rows, lists and columns, so that loading rebuilds nothing; numbers
// and values are separate tensors, so that other programs can read them.

import { EngineError } from '../../errors.ts'
import { IdTable } from '../../ids/id-table.ts'
import { finish } from '../../long-work.ts'
import { checkMatrix } from '../../matrix/sparse-checks.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { requireMethod } from '../../model-kinds.ts'
import { allAmounts, allBelow, ascends, climbs, listsAscend, paddedWithZeros } from '../../store/array-checks.ts'
import type { ModelContents } from '../../store/header.ts'
import { type TensorArray, tensor1d } from '../../store/tensor.ts'
import { columnBytes, type FrequentColumns } from './frequent-columns.ts'
import type { SparseMetric } from './metric.ts'

/** All that makes an index. */
export interface InvertedParts {
  readonly metric: SparseMetric
  readonly partitionBest: number
  readonly rows: SparseMatrix
  readonly split: FrequentColumns
  readonly ids: IdTable
}

const method = 'inverted'

export function packInverted({ metric, partitionBest, rows, split, ids }: InvertedParts): ModelContents {
  return {
    method,
    options: { metric, partitionBest },
    meta: { rows: rows.rows, columns: rows.columns },
    tensors: {
      rowOffsets: tensor1d(rows.offsets),
      rowIndices: tensor1d(rows.indices),
      rowValues: tensor1d(rows.values),
      tops: tensor1d(split.tops),
      listOffsets: tensor1d(split.short.offsets),
      listRows: tensor1d(split.short.rows),
      listValues: tensor1d(split.short.values),
      frequent: tensor1d(split.frequent),
      columnTops: tensor1d(split.columnTops),
      columns: { array: split.columns, shape: [split.frequent.length, columnBytes(rows.rows)] },
      ...finish(ids.tensorSteps()),
    },
  }
}

/** `name` is what messages call the source. Refuses anything that could lead a kernel out of bounds. */
export function unpackInverted(contents: ModelContents, name: string): InvertedParts {
  const { metric, partitionBest } = contents.options
  const { rows, columns } = contents.meta
  requireMethod(contents, name, method)
  if (metric !== 'cosine' && metric !== 'dot') throw damaged(name, `its metric is ${metric}`)
  if (!isCount(partitionBest) || partitionBest === 0) throw damaged(name, `its partitionBest is ${partitionBest}`)
  if (!isCount(rows) || !isCount(columns)) throw damaged(name, 'its rows and columns are missing')
  const tensor = tensorReader(contents, name)
  const split: FrequentColumns = {
    tops: tensor('tops', Float32Array),
    short: {
      offsets: tensor('listOffsets', Uint32Array),
      rows: tensor('listRows', Uint32Array),
      values: tensor('listValues', Float32Array),
    },
    frequent: tensor('frequent', Uint32Array),
    columnTops: tensor('columnTops', Float32Array),
    columns: tensor('columns', Uint8Array),
  }
  const fault = faultOf(split, rows, columns)
  if (fault) throw damaged(name, fault)
  const [offsets, indices, values] = [
    tensor('rowOffsets', Float64Array),
    tensor('rowIndices', Uint32Array),
    tensor('rowValues', Float32Array),
  ]
  const whole = <T>(make: () => T, fault: string) => orDamaged(make, fault, name)
  const matrix = whole(() => storedRows(metric, rows, columns, offsets, indices, values), 'its rows are broken')
  const ids = whole(() => IdTable.fromTensors(rows, contents.tensors), 'its ids do not fit its rows')
  if (!removedAreEmpty(matrix, ids)) throw damaged(name, 'a row that was removed can still be found')
  return { metric, partitionBest, rows: matrix, split, ids }
}

/** What `make` refuses is a damaged model. */
function orDamaged<T>(make: () => T, fault: string, name: string): T {
  try {
    return make()
  } catch (cause) {
    throw damaged(name, fault, cause)
  }
}

function damaged(name: string, fault: string, cause?: unknown): EngineError {
  return new EngineError('MODEL_DAMAGED', `${name} is not a valid inverted index: ${fault}`, { cause })
}

function tensorReader({ tensors }: ModelContents, name: string) {
  return <T extends TensorArray>(key: string, type: new (length: number) => T): T => {
    const found = tensors[key]?.array
    if (found instanceof type) return found
    throw damaged(name, `there is no ${type.name} "${key}"`)
  }
}

/** Rows as they are searched; throws if the arrays do not form rows. */
function storedRows(metric: SparseMetric, ...parts: ConstructorParameters<typeof SparseMatrix>): SparseMatrix {
  const matrix = new SparseMatrix(...parts)
  checkMatrix(matrix, 'row')
  if (metric === 'cosine' && longestSquare(matrix) > longestUnit) throw new Error('a row is longer than 1')
  return matrix
}

/** The square of a length of 1, and a little for rounding. */
const longestUnit = 1.001

function longestSquare({ rows, offsets, values }: SparseMatrix): number {
  let longest = 0
  for (let row = 0; row < rows; row++) {
    let square = 0
    for (let e = offsets[row]; e < offsets[row + 1]; e++) square += values[e] * values[e]
    longest = Math.max(longest, square)
  }
  return longest
}

/** What finds rows asks no ids: nothing may be left of a removed one. */
function removedAreEmpty({ rows, offsets }: SparseMatrix, ids: IdTable): boolean {
  if (ids.live === ids.rows) return true
  for (let row = 0; row < rows; row++) {
    if (ids.idOf(row) === undefined && offsets[row + 1] > offsets[row]) return false
  }
  return true
}

/** What is wrong with the lists and columns, if anything. Kernels add up values as bounds: none may be below 0. */
function faultOf({ tops, short, frequent, columnTops, columns }: FrequentColumns, rows: number, features: number) {
  if (tops.length !== features) return `it has ${features} columns, but ${tops.length} tops`
  if (short.offsets.length !== features + 1 || !climbs(short.offsets, short.rows.length)) {
    return 'the offsets of its lists are out of order'
  }
  if (short.values.length !== short.rows.length) return 'its lists have more rows than values, or fewer'
  if (!allBelow(short.rows, rows)) return 'its lists name rows that do not exist'
  if (!listsAscend(short.offsets, short.rows)) return 'the rows of its lists are out of order'
  if (!ascends(frequent) || !allBelow(frequent, features)) return 'it has columns of features that do not exist'
  if (columnTops.length !== frequent.length) return 'its columns and their tops differ in number'
  const width = columnBytes(rows)
  if (columns.length !== frequent.length * width) return 'its columns do not have its number of rows'
  if (!paddedWithZeros(columns, width, rows)) return 'its columns go on after its last row'
  if (![tops, short.values, columnTops].every(allAmounts))
    return 'its lists have values that are negative or not finite'
  return undefined
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
