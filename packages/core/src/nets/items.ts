// The items of a net index, one kind per layout: how items are checked, and how a model file stores them. Removed items leave a gap, so
// that all others keep their numbers.

import { EngineError, shown } from '../errors.ts'
import { areKeptRows, checkDims, checkedSquare } from '../matrix/dense-checks.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { floatsOf, requireNumberList, sparseArraysOf } from '../matrix/given-vector.ts'
import { checkMatrix, checkRow } from '../matrix/sparse-checks.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { TextRows } from '../matrix/text-rows.ts'
import { type Json, parseJson, toJson } from '../store/json.ts'
import { packStrings, unpackStrings, wellFormed } from '../store/packed-strings.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import type { ItemLayout } from './metrics/named-metrics.ts'

type Tensors = Readonly<Record<string, Tensor>>

export interface ItemKind<Item> {
  readonly layout: ItemLayout
  /** Dimensions of the vectors that it was made for; 0 if items are not vectors. */
  readonly columns: number
  /** The same for some items: sparse ones may have higher features. */
  columnsOf(items: readonly (Item | undefined)[]): number
  /** A copy of an item, checked; `name` is what messages call it. */
  admit(item: unknown, name: string): Item
  pack(items: readonly (Item | undefined)[]): Tensors
  /** One item per row; throws if the tensors do not fit. */
  unpack(tensors: Tensors, rows: number): Item[]
}

/** Items to compare: rows of a matrix, texts, or anything your own metric takes. */
export type NetItems<Item> = DenseMatrix | SparseMatrix | TextRows | readonly Item[]

export function layoutOfItems(items: NetItems<unknown>): ItemLayout {
  if (items instanceof DenseMatrix) return 'dense'
  if (items instanceof SparseMatrix) return 'sparse'
  const texts = items instanceof TextRows || (items.length > 0 && items.every(item => typeof item === 'string'))
  return texts ? 'text' : 'any'
}

export function itemKind(layout: ItemLayout, columns: number): ItemKind<unknown> {
  if (layout === 'dense') return denseItems(columns)
  if (layout === 'sparse') return sparseItems(columns)
  return layout === 'text' ? textItems : anyItems
}

function denseItems(columns: number): ItemKind<Float32Array> {
  return {
    ...{ layout: 'dense', columns },
    columnsOf: () => columns,
    admit(item, name) {
      requireNumberList(item, name)
      checkDims(item.length, columns, name)
      const row = floatsOf(item, name)
      checkedSquare(row, 'euclidean', () => name)
      return row
    },
    pack(items) {
      const values = new Float32Array(items.length * columns)
      items.forEach((item, row) => {
        if (item) values.set(item, row * columns)
      })
      return { rows: { array: values, shape: [items.length, columns] } }
    },
    unpack(tensors, rows) {
      const values = arrayOf(tensors, 'rows', Float32Array)
      if (values.length !== rows * columns) throw new Error(`it has ${values.length} numbers for ${rows} × ${columns}`)
      if (!areKeptRows(values, columns, 'euclidean', () => true))
        throw new Error('its items contain numbers that are not finite')
      return Array.from({ length: rows }, (_, row) => values.slice(row * columns, (row + 1) * columns))
    },
  }
}

function sparseItems(columns: number): ItemKind<SparseRow> {
  const columnsOf = (items: readonly (SparseRow | undefined)[]) =>
    items.reduce((most, item) => Math.max(most, 1 + (item?.indices.at(-1) ?? -1)), columns)
  return {
    ...{ layout: 'sparse', columns, columnsOf },
    admit(item, name) {
      const row = sparseArraysOf(item, name)
      checkRow(row, name, true)
      return { indices: row.indices.slice(), values: row.values.slice() }
    },
    pack(items) {
      const pairs = items.map(item =>
        Array.from(item?.indices ?? [], (feature, e) => [feature, item?.values[e] ?? 0] as const),
      )
      const { offsets, indices, values } = SparseMatrix.from(pairs, columnsOf(items))
      return { offsets: tensor1d(offsets), indices: tensor1d(indices), values: tensor1d(values) }
    },
    unpack(tensors, rows) {
      const offsets = arrayOf(tensors, 'offsets', Float64Array)
      const [indices, values] = [arrayOf(tensors, 'indices', Uint32Array), arrayOf(tensors, 'values', Float32Array)]
      const matrix = new SparseMatrix(rows, columns, offsets, indices, values)
      checkMatrix(matrix, 'row', true)
      return Array.from({ length: rows }, (_, row) => matrix.row(row))
    },
  }
}

const textItems: ItemKind<string> = {
  ...{ layout: 'text', columns: 0, columnsOf: () => 0 },
  admit(item, name) {
    if (typeof item !== 'string') throw notText(item, name)
    // Half a surrogate pair cannot be stored.
    return wellFormed(item)
  },
  pack: items => packTexts(items.map(item => item ?? '')),
  unpack: unpackTexts,
}

/** Files store items supplied by the caller as JSON. */
const anyItems: ItemKind<unknown> = {
  ...{ layout: 'any', columns: 0, columnsOf: () => 0 },
  admit: item => item,
  pack: items => packTexts(items.map(item => itemJson(item))),
  unpack: (tensors, rows) => unpackTexts(tensors, rows).map(text => parseJson('an item', text)),
}

function itemJson(item: unknown): string {
  return toJson('an item', { item: (item ?? null) as Json }).slice('{"item":'.length, -1) // toJson takes anything
}

function packTexts(texts: readonly string[]): Tensors {
  const { bytes, ends } = packStrings(texts)
  return { itemBytes: tensor1d(bytes), itemEnds: tensor1d(ends) }
}

function unpackTexts(tensors: Tensors, rows: number): string[] {
  const [bytes, ends] = [arrayOf(tensors, 'itemBytes', Uint8Array), arrayOf(tensors, 'itemEnds', Float64Array)]
  if (ends.length !== rows) throw new Error(`it has ${ends.length} items for ${rows} rows`)
  return unpackStrings({ bytes, ends })
}

/** The tensor's array; throws if it is missing or has another type. */
export function arrayOf<T>(tensors: Tensors, name: string, type: new (length: number) => T): T {
  const found = tensors[name]?.array
  if (found instanceof type) return found
  throw new Error(`there is no ${type.name} "${name}"`)
}

function notText(item: unknown, name: string): EngineError {
  return new EngineError('BAD_DATA', `${name} is ${shown(item)}, expected a text`, {
    hint: 'Search with items like those in the index.',
  })
}
