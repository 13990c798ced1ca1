// Turns what callers have (arrays of vectors, of texts, of objects with ids and labels) into matrices, ids and labels. Every public call that
// takes rows reads them here and nowhere else.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { finish, inTurns, type LongWork, mapInSteps, type Steps } from '../../long-work.ts'
import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { type DenseNumbers, denseNumbersInSteps } from '../../matrix/dense-values.ts'
import type { DenseVector, SparseVector } from '../../matrix/given-vector.ts'
import { isMatrix } from '../../matrix/matrix-kind.ts'
import { SparseMatrix, sparseMatrixInSteps } from '../../matrix/sparse-matrix.ts'
import { isJsonObject } from '../../store/json.ts'
import type { Dataset } from '../dataset.ts'
import { fieldOf, idsOfRecords, isRecord, refuseRecord, requireRecord } from './records.ts'

/** A vector with your id. Other fields are ignored. */
export interface VectorItem<Vector> {
  /** Default: the item's place. All items have one, or none has. */
  readonly id?: Id
  readonly vector: Vector
}

/** Dense rows: arrays of numbers, objects with vectors, a matrix, or a data set with dense features. */
export type DenseItems = readonly DenseVector[] | readonly VectorItem<DenseVector>[] | DenseMatrix | Dataset
/** Sparse rows: sparse vectors, objects with such vectors, a matrix, or a data set with sparse features. */
export type SparseItems = readonly SparseVector[] | readonly VectorItem<SparseVector>[] | SparseMatrix | Dataset

/** Rows with the callers' keys; without keys, rows are numbered. */
export interface GivenRows<Matrix> {
  readonly rows: Matrix
  readonly ids: readonly Id[] | undefined
}

export const denseForms = 'Give arrays of numbers, objects such as { id, vector: [1, 2] }, or a DenseMatrix.'
export const sparseForms =
  'Give { indices, values } or [feature, value] pairs for each row, objects such as { id, vector }, or a SparseMatrix.'

/** With pauses, as long lists take seconds. They must not change meanwhile. `one` is what messages call a row: 'query'. */
export function denseRowsInTurns(given: unknown, one: string, work: LongWork): Promise<GivenRows<DenseNumbers>> {
  return inTurns(denseRowsInSteps(given, one), { signal: work.signal })
}

/** `columns` is how many numbers a row has, if there are no rows. Numbers that are not finite are left to the index. */
export function* denseRowsInSteps(given: unknown, one: string, columns = 0): Steps<GivenRows<DenseNumbers>> {
  if (isMatrix(given, 'DenseMatrix')) return { rows: given, ids: undefined }
  if (isDataset(given)) {
    const { features, ids } = given
    if (isMatrix(features, 'DenseMatrix')) return { rows: checkRows(given, features), ids }
    throw notRows(given, one, 'dense vectors', denseForms)
  }
  const { vectors, ids } = yield* listOf(given, one, 'dense vectors', denseForms)
  return { rows: yield* denseNumbersInSteps(vectors, one, columns), ids }
}

export function sparseRowsOf(given: unknown, one: string): GivenRows<SparseMatrix> {
  return finish(sparseRowsInSteps(given, one))
}

/** The same with pauses, as long lists take seconds. They must not change meanwhile. */
export function sparseRowsInTurns(given: unknown, one: string, work: LongWork): Promise<GivenRows<SparseMatrix>> {
  return inTurns(sparseRowsInSteps(given, one), { signal: work.signal })
}

export function* sparseRowsInSteps(given: unknown, one: string): Steps<GivenRows<SparseMatrix>> {
  if (given instanceof SparseMatrix) return { rows: given, ids: undefined }
  if (isDataset(given)) {
    const { features, ids } = given
    if (features instanceof SparseMatrix) return { rows: checkRows(given, features), ids }
    throw notRows(given, one, 'sparse vectors', sparseForms)
  }
  const { vectors, ids } = yield* listOf(given, one, 'sparse vectors', sparseForms)
  return { rows: yield* sparseMatrixInSteps(vectors, one), ids }
}

/** Only what is used of a data set is checked, the ids by the index: a page that searches ships no checks of texts and labels. */
function checkRows<Matrix extends DenseMatrix | SparseMatrix>({ name, rows }: Dataset, features: Matrix): Matrix {
  if (features.rows === rows) return features
  throw new EngineError('DIMENSION_MISMATCH', `${name}: ${features.rows} feature rows, expected ${rows}`)
}

/** The ids of items, or those of the option `ids`; both are one too many. */
export function idsOf(
  ofItems: readonly Id[] | undefined,
  option: readonly Id[] | undefined,
): readonly Id[] | undefined {
  if (ofItems === undefined || option === undefined) return option ?? ofItems
  throw new EngineError('INVALID_OPTION', 'you gave ids twice: in the items and in the option ids', {
    hint: 'Leave out the option.',
  })
}

/** Vectors as they are, or out of objects; the first says which of the two they are. */
function* listOf(
  given: unknown,
  one: string,
  what: string,
  forms: string,
): Steps<{ vectors: unknown[]; ids: readonly Id[] | undefined }> {
  if (!Array.isArray(given)) throw notRows(given, one, what, forms)
  const items: readonly unknown[] = given
  if (!isRecord(items[0])) {
    return {
      vectors: yield* mapInSteps(items, (item, i) => refuseRecord(item, i, items[0], one, forms)),
      ids: undefined,
    }
  }
  const vectors = yield* mapInSteps(items, (item, i) => {
    const name = `${one} ${i}`
    return fieldOf(requireRecord(item, name, forms), 'vector', name, forms)
  })
  return { vectors, ids: idsOfRecords(items as readonly object[], one) } // each was checked
}

/** A plain object with the parts of a data set. Matrices and TextRows have a method `row`, data sets have none. */
export function isDataset(given: unknown): given is Dataset {
  if (!isJsonObject(given) || 'row' in given) return false
  return 'rows' in given && ('features' in given || 'texts' in given || 'labels' in given)
}

function notRows(given: unknown, one: string, what: string, forms: string): EngineError {
  const named = isDataset(given) ? 'a data set without them' : nameOf(given)
  return new EngineError('BAD_DATA', `the ${plural(one)} are ${named}, expected ${what}`, { hint: forms })
}

/** Our own classes by name. */
function nameOf(given: unknown): string {
  const name: unknown = isJsonObject(given) ? given.constructor?.name : undefined
  return typeof name === 'string' && /^[A-Z]/.test(name) && name !== 'Object' ? `a ${name}` : shown(given)
}

function plural(one: string): string {
  return one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`
}
