// Items as models see them, checked at the door: weighted sparse rows of length 1, or dense vectors in the model's space.

import type { TextPipeline } from '../data/text/text-pipeline.ts'
import { EngineError } from '../errors.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { checkColumns, checkMatrix, checkRow } from '../search/inverted-checks.ts'
import type { Item, Items } from './classifier.ts'
import { splitNames, splitRow, splitRows } from './signed-parts.ts'
import {
  checkItem,
  checkLength,
  checkVector,
  isSparseRow,
  toDense,
  toDenseRow,
  toSparse,
  toSparseRow,
} from './vector-layout.ts'
import type { VectorSpace } from './vector-space.ts'
import { weighRow, weighRows } from './weighted-rows.ts'

/** What turns items into rows. */
export interface ItemReader {
  /** Absent where the model was fitted on vectors. */
  readonly pipeline: TextPipeline | undefined
  /** What features weigh, one a column; none where the model has a space. */
  readonly weights: Float32Array
  /** Whether features are split into what is above and what is below 0. */
  readonly signed: boolean
  /** How dense vectors are compared; absent where rows are sparse. */
  readonly space: VectorSpace | undefined
}

export function sparseReader(pipeline: TextPipeline | undefined, weights: Float32Array, signed: boolean): ItemReader {
  return { pipeline, weights, signed, space: undefined }
}

/** Numbers in a row as the model sees it. */
export function columnsOf({ space, weights }: Pick<ItemReader, 'space' | 'weights'>): number {
  return space ? space.columns : weights.length
}

/** The features by name as the model sees them; undefined where they have none. */
export function featureNamesOf(
  reader: ItemReader & { readonly featureNames: readonly string[] | undefined },
): readonly string[] | undefined {
  const { pipeline, signed, featureNames } = reader
  if (signed) return splitNames(featureNames, givenColumns(reader))
  return pipeline?.featureNames() ?? featureNames
}

/** Numbers in a vector as callers give it. */
function givenColumns(reader: ItemReader): number {
  return reader.signed ? reader.weights.length / 2 : columnsOf(reader)
}

export function readItem(reader: ItemReader, item: Item): SparseRow {
  const { pipeline, weights, space } = reader
  if (typeof item === 'string') {
    if (!pipeline) throw noPipeline()
    return weighRow(pipeline.transform(item), weights)
  }
  if (space) return space.row(denseItem(item, space.columns, 'the item'), 'the item')
  return weighRow(sparseItem(reader, item, 'the item'), weights)
}

export function readItems(reader: ItemReader, items: Items): SparseMatrix {
  const { pipeline, weights, space } = reader
  if (isTexts(items)) {
    if (!pipeline && items.length > 0) throw noPipeline()
    return pipeline ? weighRows(pipeline.transformBatch(items), weights) : emptyMatrix(columnsOf(reader))
  }
  if (space) return space.rows(denseItems(items, space.columns), 'item')
  return weighRows(sparseItems(reader, items), weights)
}

/** Also true for no items at all. */
function isTexts(items: Items): items is readonly string[] {
  return Array.isArray(items) && items.every(item => typeof item === 'string')
}

function emptyMatrix(columns: number): SparseMatrix {
  return new SparseMatrix(0, columns, Float64Array.of(0), new Uint32Array(0), new Float32Array(0))
}

function denseItem(item: Exclude<Item, string>, columns: number, name: string): Float32Array {
  checkItem(item, name)
  if (isSparseRow(item)) {
    checkRow(item, columns, name, true)
    return toDenseRow(item, columns)
  }
  checkVector(item, columns, name)
  return item instanceof Float32Array ? item : Float32Array.from(item)
}

function denseItems(items: Exclude<Items, readonly string[]>, columns: number): DenseMatrix {
  if (items instanceof DenseMatrix) {
    checkLength(items.columns, columns, 'each item')
    return items.assertFinite()
  }
  if (items instanceof SparseMatrix) {
    checkColumns(items, columns)
    return toDense(items, columns).assertFinite()
  }
  return DenseMatrix.from(items.map((item, i) => denseItem(item, columns, `item ${i}`)))
}

function sparseItem(reader: ItemReader, item: Exclude<Item, string>, name: string): SparseRow {
  checkItem(item, name)
  const columns = givenColumns(reader)
  if (!isSparseRow(item)) checkVector(item, columns, name)
  const row = isSparseRow(item) ? item : toSparseRow(item)
  checkRow(row, columns, name, reader.signed)
  return reader.signed ? splitRow(row, columns) : row
}

function sparseItems(reader: ItemReader, items: Exclude<Items, readonly string[]>): SparseMatrix {
  const columns = givenColumns(reader)
  if (items instanceof SparseMatrix || items instanceof DenseMatrix) {
    if (items instanceof DenseMatrix) checkLength(items.columns, columns, 'each item')
    const matrix = items instanceof DenseMatrix ? toSparse(items) : items
    checkColumns(matrix, columns)
    checkMatrix(matrix, 'item', reader.signed)
    return reader.signed ? splitRows(matrix, columns) : matrix
  }
  const rows = items.map((item, i) => sparseItem(reader, item, `item ${i}`))
  const pairs = rows.map(({ indices, values }) => Array.from(indices, (j, e): [number, number] => [j, values[e]]))
  return SparseMatrix.from(pairs, columnsOf(reader))
}

function noPipeline(): EngineError {
  return new EngineError('INVALID_OPTION', 'a text was given, but the model was fitted on vectors', {
    hint: 'Give vectors with the features of the training data, or fit the model on texts.',
  })
}
