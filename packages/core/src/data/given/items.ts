// Items to be labeled: texts, vectors, objects that hold one of them, or the rows of a matrix.

import { EngineError, shown } from '../../errors.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseVector, SparseVector } from '../../matrix/given-vector.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { TextRows } from '../../matrix/text-rows.ts'
import { fieldOf, isRecord, refuseRecords, requireRecord } from './records.ts'

/** A text or a vector. */
export type BareItem = string | DenseVector | SparseVector
/** One item to label: a text, if the model was fitted on texts, else a vector; or an object that holds it. */
export type Item = BareItem | { readonly text: string } | { readonly vector: DenseVector | SparseVector }
/** Many items, as models read them. */
export type ItemList = readonly string[] | readonly (DenseVector | SparseVector)[] | DenseMatrix | SparseMatrix
/** Many items: texts, vectors, objects such as `{ text }` or `{ vector }`, or the rows of a matrix. */
export type Items =
  | ItemList
  | TextRows
  | readonly { readonly text: string }[]
  | readonly { readonly vector: DenseVector | SparseVector }[]

const forms = 'Give a list of texts or vectors, objects such as { text } or { vector }, or a matrix.'

/** Each item is looked at when it is read. */
export function itemList(given: unknown): ItemList {
  if (given instanceof DenseMatrix || given instanceof SparseMatrix) return given
  if (given instanceof TextRows) return given.texts
  if (!Array.isArray(given)) {
    const hint = typeof given === 'string' ? 'Give a list of texts; for a single one, use predict.' : forms
    throw new EngineError('BAD_DATA', `the items are ${shown(given)}, expected texts or vectors`, { hint })
  }
  const items: readonly unknown[] = given
  if (!isRecord(items[0])) {
    refuseRecords(items, 'item', forms)
    return Array.from(items) as ItemList // judged by the first
  }
  const field = 'text' in items[0] ? 'text' : 'vector'
  return items.map((item, i) => fieldOf(requireRecord(item, `item ${i}`, forms), field, `item ${i}`, forms)) as ItemList
}

/** The text or vector that an item is or holds. With both, the one that the model was fitted on. */
export function bareItem(item: Item, takesTexts: boolean): BareItem {
  if (!isRecord(item)) return item as BareItem // checked when it is read
  const [wanted, other] = takesTexts ? ['text', 'vector'] : ['vector', 'text']
  return fieldOf(item, other in item && !(wanted in item) ? other : wanted, 'the item', forms) as BareItem
}
