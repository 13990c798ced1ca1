// An inverted index as the contents of a model file, and back. Rows, lists and columns are all kept, so that loading makes
// nothing anew; numbers and values are tensors of their own, so that other programs can read them.

import { EngineError } from '../errors.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { ModelContents } from '../store/header.ts'
import { type TensorArray, vector } from '../store/tensor.ts'
import { IdTable } from './id-table.ts'
import { columnBytes, type SplitEntries } from './split-entries.ts'

/** 'cosine': rows and queries are scaled to length 1. 'dot': their products as they are. */
export type SparseMetric = 'cosine' | 'dot'

/** All that makes an index. */
export interface InvertedParts {
  readonly metric: SparseMetric
  readonly partitionBest: number
  readonly rows: SparseMatrix
  readonly split: SplitEntries
  readonly ids: IdTable
}

const method = 'inverted'

export function packInverted({ metric, partitionBest, rows, split, ids }: InvertedParts): ModelContents {
  return {
    method,
    options: { metric, partitionBest },
    meta: { rows: rows.rows, columns: rows.columns },
    tensors: {
      rowOffsets: vector(rows.offsets),
      rowIndices: vector(rows.indices),
      rowValues: vector(rows.values),
      tops: vector(split.tops),
      listOffsets: vector(split.short.offsets),
      listRows: vector(split.short.rows),
      listValues: vector(split.short.values),
      frequent: vector(split.frequent),
      columnTops: vector(split.columnTops),
      columns: { array: split.columns, shape: [split.frequent.length, columnBytes(rows.rows)] },
      ...ids.toTensors(),
    },
  }
}

/** `name` is what messages call the source. Whatever could lead a kernel out of its arrays is refused. */
export function unpackInverted(contents: ModelContents, name: string): InvertedParts {
  const { metric, partitionBest } = contents.options
  const { rows, columns } = contents.meta
  if (contents.method !== method) throw damaged(name, `its method is '${contents.method}'`)
  if (metric !== 'cosine' && metric !== 'dot') throw damaged(name, `its metric is ${metric}`)
  if (typeof partitionBest !== 'number') throw damaged(name, `its partitionBest is ${partitionBest}`)
  if (typeof rows !== 'number' || typeof columns !== 'number') throw damaged(name, 'its rows and columns are not said')
  const tensor = tensorReader(contents, name)
  const split: SplitEntries = {
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
  const matrix = whole(() => new SparseMatrix(rows, columns, offsets, indices, values), 'its rows are broken')
  const ids = whole(() => IdTable.fromTensors(rows, contents.tensors), 'its ids do not fit its rows')
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
  return new EngineError('MODEL_DAMAGED', `${name} holds no inverted index: ${fault}`, { cause })
}

function tensorReader({ tensors }: ModelContents, name: string) {
  return <T extends TensorArray>(key: string, type: new (length: number) => T): T => {
    const found = tensors[key]?.array
    if (found instanceof type) return found
    throw damaged(name, `there is no ${type.name} "${key}"`)
  }
}

/** What is wrong with the lists and columns, if anything. */
function faultOf({ tops, short, frequent, columnTops, columns }: SplitEntries, rows: number, features: number) {
  if (tops.length !== features) return `it has ${features} columns, but ${tops.length} tops`
  if (!climbs(short.offsets, features + 1, short.rows.length)) return 'the offsets of its lists are out of order'
  if (short.values.length !== short.rows.length) return 'its lists have more rows than values, or fewer'
  if (!short.rows.every(row => row < rows)) return 'its lists name rows that are not there'
  if (!frequent.every(feature => feature < features)) return 'it has columns of features that are not there'
  if (columnTops.length !== frequent.length) return 'its columns and their tops differ in number'
  if (columns.length !== frequent.length * columnBytes(rows)) return 'its columns do not have its number of rows'
  return undefined
}

/** Whether `offsets` are `length` numbers that never fall, from 0 to `last`. */
function climbs(offsets: Uint32Array, length: number, last: number): boolean {
  if (offsets.length !== length || offsets[0] !== 0 || offsets[length - 1] !== last) return false
  return offsets.every((offset, i) => i === 0 || offset >= offsets[i - 1])
}
