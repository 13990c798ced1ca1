// Checks items and converts them to what models see: weighted sparse rows of length 1, or dense vectors in the model's space.

import { type BareItem, bareItem, type ItemList } from '../../data/given/items.ts'
import type { TextPipeline } from '../../data/text/text-pipeline.ts'
import { EngineError, shown } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { knownColumns, knownFeatures } from '../../matrix/known-features.ts'
import { checkMatrix, checkRow } from '../../matrix/sparse-checks.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Item } from '../classifier.ts'
import { weighRow, weighRows } from '../weights/weighted-rows.ts'
import { splitNames, splitRow, splitRows } from './signed-parts.ts'
import { checkLength, isSparseRow, readVector, toDense, toDenseRow, toSparse, toSparseRow } from './vector-layout.ts'
import type { VectorSpace } from './vector-space.ts'

/** What turns items into rows. */
export interface ItemReader {
  /** Absent if the model was fitted on vectors. */
  readonly pipeline: TextPipeline | undefined
  /** Feature weights, one per column; none if the model has a space. */
  readonly weights: Float32Array
  /** Whether features are split into a positive and a negative part. */
  readonly signed: boolean
  /** How dense vectors are compared; absent if rows are sparse. */
  readonly space: VectorSpace | undefined
}

export function sparseReader(pipeline: TextPipeline | undefined, weights: Float32Array, signed: boolean): ItemReader {
  return { pipeline, weights, signed, space: undefined }
}

/** Numbers in a row as the model sees it. */
export function columnsOf({ space, weights }: Pick<ItemReader, 'space' | 'weights'>): number {
  return space ? space.columns : weights.length
}

/** The features by name as the model sees them; undefined if they have none. */
export function featureNamesOf(
  reader: ItemReader & { readonly featureNames: readonly string[] | undefined },
): readonly string[] | undefined {
  const { pipeline, signed, featureNames } = reader
  if (signed) return splitNames(featureNames, givenColumns(reader))
  return pipeline?.featureNames() ?? featureNames
}

/** Numbers in a vector as callers give it. Sparse rows may have more features: those that the model does not know are ignored. */
export function givenColumns(reader: ItemReader): number {
  return reader.signed ? reader.weights.length / 2 : columnsOf(reader)
}

export function readItem(reader: ItemReader, given: Item): SparseRow {
  const { pipeline, weights, space } = reader
  const item = bareItem(given, pipeline !== undefined)
  if (typeof item === 'string') {
    if (!pipeline) throw noPipeline()
    return weighRow(pipeline.transform(item), weights)
  }
  if (pipeline) throw notText(item, 'the item')
  if (space) return space.row(denseItem(item, space.columns, 'the item'), 'the item')
  return weighRow(sparseItem(reader, item, 'the item'), weights)
}

export function readItems(reader: ItemReader, items: ItemList): SparseMatrix {
  const { pipeline, weights, space } = reader
  if (isTexts(items)) {
    if (!pipeline && items.length > 0) throw noPipeline()
    return pipeline ? weighRows(pipeline.transformBatch(items), weights) : emptyMatrix(columnsOf(reader))
  }
  if (pipeline) throw isMatrix(items) ? notText(items, 'each item') : notText(...firstVector(items))
  if (space) return space.rows(denseItems(items, space.columns), 'item')
  return weighRows(sparseItems(reader, items), weights)
}

/** Also true for no items at all. */
function isTexts(items: ItemList): items is readonly string[] {
  return Array.isArray(items) && items.every(item => typeof item === 'string')
}

function emptyMatrix(columns: number): SparseMatrix {
  return new SparseMatrix(0, columns, Float64Array.of(0), new Uint32Array(0), new Float32Array(0))
}

function denseItem(item: Exclude<BareItem, string>, columns: number, name: string): Float32Array {
  const vector = readVector(item, columns, name)
  return isSparseRow(vector) ? toDenseRow(vector, columns, name) : vector
}

function denseItems(items: Exclude<ItemList, readonly string[]>, columns: number): DenseMatrix {
  if (items instanceof DenseMatrix) {
    checkLength(items.columns, columns, 'each item')
    return items.assertFinite()
  }
  if (items instanceof SparseMatrix) {
    return toDense(knownColumns(items, columns), columns).assertFinite()
  }
  return DenseMatrix.from(items.map((item, i) => denseItem(item, columns, `item ${i}`)))
}

function sparseItem(reader: ItemReader, item: Exclude<BareItem, string>, name: string): SparseRow {
  const columns = givenColumns(reader)
  const vector = readVector(item, columns, name)
  const row = isSparseRow(vector) ? vector : toSparseRow(vector)
  checkRow(row, name, reader.signed)
  const known = knownFeatures(row, columns)
  return reader.signed ? splitRow(known, columns) : known
}

function sparseItems(reader: ItemReader, items: Exclude<ItemList, readonly string[]>): SparseMatrix {
  const columns = givenColumns(reader)
  if (isMatrix(items)) {
    if (items instanceof DenseMatrix) checkLength(items.columns, columns, 'each item')
    const matrix = items instanceof DenseMatrix ? toSparse(items) : items
    checkMatrix(matrix, 'item', reader.signed)
    const known = knownColumns(matrix, columns)
    return reader.signed ? splitRows(known, columns) : known
  }
  const rows = items.map((item, i) => sparseItem(reader, item, `item ${i}`))
  const pairs = rows.map(({ indices, values }) => Array.from(indices, (j, e): [number, number] => [j, values[e]]))
  return SparseMatrix.from(pairs, columnsOf(reader))
}

function isMatrix(items: ItemList): items is DenseMatrix | SparseMatrix {
  return items instanceof SparseMatrix || items instanceof DenseMatrix
}

/** The first item that is not a text, and what messages call it. */
function firstVector(items: readonly unknown[]): [item: unknown, name: string] {
  const place = items.findIndex(item => typeof item !== 'string')
  return [items[place], `item ${place}`]
}

function notText(item: unknown, name: string): EngineError {
  return new EngineError('INVALID_OPTION', `${name} is ${shown(item)}, but the model was fitted on texts`, {
    hint: 'Give a text, or fit the model on vectors.',
  })
}

function noPipeline(): EngineError {
  return new EngineError('INVALID_OPTION', 'a text was given, but the model was fitted on vectors', {
    hint: 'Give vectors with the same features as the training data, or fit the model on texts.',
  })
}
