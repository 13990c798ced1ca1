// Labeled items as people have them, `{ text, labels }` or `{ vector, labels }`, as the data set that classifiers learn from.

import { EngineError, shown } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { finish, inTurns, type LongWork, mapInSteps, type Steps } from '../../long-work.ts'
import { denseMatrixInSteps } from '../../matrix/dense-matrix.ts'
import { type DenseVector, isSparseVector, type SparseVector } from '../../matrix/given-vector.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { sparseMatrixInSteps } from '../../matrix/sparse-matrix.ts'
import { checkDataset, type Dataset } from '../dataset.ts'
import { fieldOf, idsOfRecords, isRecord } from './records.ts'
import { isDataset } from './rows.ts'

interface Labeled {
  /** Default: the item's place. All items have one, or none has. */
  readonly id?: Id
  /** The names of its labels: none, one or many. Numbers count as their names. */
  readonly labels: string | readonly (string | number)[]
}

/** A text with its labels. Other fields are ignored. */
export interface LabeledText extends Labeled {
  readonly text: string
}

/** A vector with its labels. Other fields are ignored. */
export interface LabeledVector extends Labeled {
  readonly vector: DenseVector | SparseVector
}

/** What classifiers learn from: texts or vectors with labels, or a data set. */
export type LabeledItems = readonly LabeledText[] | readonly LabeledVector[] | Dataset

/** What messages call a data set made of objects. Singular, like the name of a file. */
export const givenItems = 'the list of items'

const forms =
  "Give objects such as { text: 'A title', labels: ['a', 'b'] } or { vector: [1, 2], labels: ['a'] }, or a data set."

/** The data set that `given` is, or that its items make. */
export function labeledItems(given: unknown): Dataset {
  return finish(labeledInSteps(given))
}

/** The same with pauses, as long lists take seconds. They must not change meanwhile. */
export function labeledInTurns(given: unknown, work: LongWork): Promise<Dataset> {
  // Options may be missing: they are checked later.
  return inTurns(labeledInSteps(given), { signal: work?.signal })
}

function* labeledInSteps(given: unknown): Steps<Dataset> {
  if (isDataset(given)) return checkDataset(given)
  if (!Array.isArray(given)) throw notItems(`you gave ${shown(given)}`)
  const items = yield* mapInSteps(given as readonly unknown[], (item, i) => {
    if (isRecord(item)) return item
    throw notItems(`item ${i} is ${shown(item)}`)
  })
  const ids = idsOfRecords(items, 'item')
  return {
    ...{ name: givenItems, rows: items.length },
    ...(ids && { ids }),
    ...(items.length > 0 && (yield* contentsOf(items))),
    ...(yield* labelsOf(items)),
  }
}

/** The first item says whether there are texts or vectors, and which. */
function* contentsOf(items: readonly object[]): Steps<Pick<Dataset, 'texts' | 'features'>> {
  const hasTexts = 'text' in (items[0] ?? {})
  const [field, other] = hasTexts ? ['text', 'vector'] : ['vector', 'text']
  const found = yield* mapInSteps(items, (item, i) => {
    const value = fieldOf(item, field, `item ${i}`, forms)
    if ((item as Readonly<Record<string, unknown>>)[other] === undefined) return value
    throw new EngineError('BAD_DATA', `item ${i} has a text and a vector, expected one of them`, {
      hint: 'Keep the one to learn from, and leave out the other.',
    })
  })
  if (hasTexts) return { texts: found.map(checkText) }
  const isSparse = isSparseVector(found[0]) && !(Array.isArray(found[0]) && found[0].length === 0)
  return { features: yield* isSparse ? sparseMatrixInSteps(found, 'item') : denseMatrixInSteps(found, 'item') }
}

function checkText(text: unknown, item: number): string {
  if (typeof text === 'string') return text
  throw new EngineError('BAD_DATA', `the text of item ${item} is ${shown(text)}, expected a text`, { hint: forms })
}

/** Labels are numbered as they come. */
function* labelsOf(items: readonly object[]): Steps<Required<Pick<Dataset, 'labels' | 'labelNames'>>> {
  const numbers = new Map<string, number>()
  const rows = yield* mapInSteps(items, (item, i) => {
    const names = namesOf(fieldOf(item, 'labels', `item ${i}`, forms), i)
    for (const name of names) if (!numbers.has(name)) numbers.set(name, numbers.size)
    return names.map(name => numbers.get(name) ?? 0)
  })
  return { labels: LabelMatrix.from(rows, numbers.size), labelNames: [...numbers.keys()] }
}

function namesOf(labels: unknown, item: number): string[] {
  const list: readonly unknown[] | undefined = typeof labels === 'string' ? [labels] : listOf(labels)
  if (list === undefined) {
    throw new EngineError('BAD_DATA', `the labels of item ${item} are ${shown(labels)}, expected a list of names`, {
      hint: 'For an item without labels, give labels: [].',
    })
  }
  const names = Array.from(list, label => nameOf(label, item))
  const twice = names.find((name, i) => names.indexOf(name) !== i)
  if (twice === undefined) return names
  throw new EngineError('BAD_DATA', `item ${item} has the label ${shown(twice)} twice`)
}

function listOf(labels: unknown): readonly unknown[] | undefined {
  return Array.isArray(labels) ? labels : undefined
}

function nameOf(label: unknown, item: number): string {
  if (typeof label === 'string' && label.trim() !== '') return label
  if (typeof label === 'number' && Number.isFinite(label)) return String(label)
  throw new EngineError('BAD_DATA', `item ${item} has the label ${shown(label)}, expected a name`)
}

function notItems(given: string): EngineError {
  return new EngineError('BAD_DATA', `${given}, expected texts or vectors with labels`, { hint: forms })
}
