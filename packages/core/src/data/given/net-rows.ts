// Items for a net, which compares vectors, texts, or any items that the caller's own metric takes.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { finish, inTurns, type LongWork, type Steps } from '../../long-work.ts'
import { DenseMatrix, finiteInSteps } from '../../matrix/dense-matrix.ts'
import { type DenseVector, isNumberList, isSparseVector, type SparseVector } from '../../matrix/given-vector.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { TextRows } from '../../matrix/text-rows.ts'
import { checkDataset, type Dataset } from '../dataset.ts'
import { fieldOf, idsOfRecords, isRecord, refuseRecords, requireRecord } from './records.ts'
import { denseRowsInSteps, type GivenRows, isDataset, sparseRowsInSteps, type VectorItem } from './rows.ts'

/** A text with your id. Other fields are ignored. */
export interface TextItem {
  /** Default: the item's place. All items have one, or none has. */
  readonly id?: Id
  readonly text: string
}

/** An item for your own metric, with your id. It has these two fields and no others. */
export interface OwnItem<Item> {
  readonly id: Id
  readonly item: Item
}

/** Items that the built-in metrics compare. */
export type NetRows =
  | readonly string[]
  | readonly (DenseVector | SparseVector)[]
  | readonly TextItem[]
  | readonly VectorItem<DenseVector | SparseVector>[]
  | DenseMatrix
  | SparseMatrix
  | TextRows
  | Dataset

type Rows = DenseMatrix | SparseMatrix | TextRows

export const netForms = 'Give texts, vectors, objects such as { id, text } or { id, vector }, or a matrix.'

/** `one` is what messages call an item: 'row', 'query'. */
export function netRowsOf(given: unknown, one: string): GivenRows<Rows> {
  return finish(netRowsInSteps(given, one))
}

/** The same with pauses, as long lists take seconds. They must not change meanwhile. */
export function netRowsInTurns(given: unknown, one: string, work: LongWork): Promise<GivenRows<Rows>> {
  return inTurns(netRowsInSteps(given, one), { signal: work.signal })
}

function* netRowsInSteps(given: unknown, one: string): Steps<GivenRows<Rows>> {
  if (given instanceof DenseMatrix || given instanceof SparseMatrix || given instanceof TextRows) {
    return { rows: given, ids: undefined }
  }
  if (isDataset(given)) return ofDataset(given)
  if (!Array.isArray(given)) throw notItems(given, one)
  const items: readonly unknown[] = given
  const [first] = items
  if (typeof first === 'string') {
    refuseRecords(items, one, netForms)
    return { rows: textRows(items, one), ids: undefined }
  }
  if (isRecord(first) && 'text' in first) {
    const records = Array.from(items, (item, i) => requireRecord(item, `${one} ${i}`, netForms))
    const texts = records.map((record, i) => fieldOf(record, 'text', `${one} ${i}`, netForms))
    return { rows: textRows(texts, one), ids: idsOfRecords(records, one) }
  }
  const vector: unknown = isRecord(first) ? (first as { vector?: unknown }).vector : first
  if (isSparse(vector)) return yield* sparseRowsInSteps(items, one)
  const { rows, ids } = yield* denseRowsInSteps(items, one)
  return { rows: yield* finiteInSteps(rows), ids }
}

/** Items supplied by the caller, as they are; or out of objects that have an id, an item and nothing else. */
export function ownItemsOf<Item>(given: unknown, one: string): GivenRows<Rows | readonly Item[]> {
  const items: unknown = given
  if (!Array.isArray(items)) return netRowsOf(given, one)
  if (items.length === 0 || !items.every(isOwnItem)) return { rows: Array.from(items), ids: undefined }
  return { rows: items.map(({ item }) => item as Item), ids: idsOfRecords(items, one) }
}

function ofDataset(given: Dataset): GivenRows<Rows> {
  const { name, texts, features, ids } = checkDataset(given)
  if (features && texts) {
    throw new EngineError('BAD_DATA', `${name} has texts and features, expected one of them`, {
      hint: 'Give dataset.features, or new TextRows(dataset.texts).',
    })
  }
  const rows = features ?? (texts && new TextRows(texts))
  if (rows) return { rows, ids }
  throw new EngineError('EMPTY_DATA', `${name} has neither texts nor features`)
}

function textRows(items: readonly unknown[], one: string): TextRows {
  const texts = Array.from(items, (text, i) => {
    if (typeof text === 'string') return text
    throw new EngineError('BAD_DATA', `${one} ${i} is ${shown(text)}, expected a text`, { hint: netForms })
  })
  return new TextRows(texts)
}

/** An empty array could be either: then it is a vector without numbers. */
function isSparse(vector: unknown): boolean {
  return isSparseVector(vector) && !(isNumberList(vector) && vector.length === 0)
}

export function isOwnItem(item: unknown): item is OwnItem<unknown> {
  if (typeof item !== 'object' || item === null) return false
  return 'id' in item && 'item' in item && Object.keys(item).length === 2
}

function notItems(given: unknown, one: string): EngineError {
  return new EngineError('BAD_DATA', `the items are ${shown(given)}, expected a list with one item per ${one}`, {
    hint: netForms,
  })
}
