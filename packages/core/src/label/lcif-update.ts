// Rows that come and go after fitting. They count at once; weights, vocabulary and thresholds stay as they were fitted.
// Invariant: data that is refused changes nothing.

import { checkDataset, type Dataset } from '../data/dataset.ts'
import { EngineError } from '../errors.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { InvertedIndex } from '../search/inverted-index.ts'
import type { Id } from '../search/neighbor.ts'
import { itemsOf } from './items.ts'
import { wellFormed } from './lcif-fit.ts'
import { readItems } from './lcif-items.ts'
import type { LcifModel } from './lcif-model.ts'
import { checkTraining, namesOf } from './training-data.ts'

export function addRows(model: LcifModel, dataset: Dataset): void {
  checkDataset(dataset)
  if (dataset.rows === 0) return
  const labels = checkTraining(dataset)
  const takesTexts = model.pipeline !== undefined
  const rows = readItems(model, itemsOf(dataset, { takesTexts }))
  checkIds(model.index, dataset.ids)
  const names = namesOf(dataset, labels)
  for (let i = 0; i < rows.rows; i++) {
    const carried = labels.row(i).map(label => model.labelNames.numberOrNew(names[label]))
    addRow(model, rows, i, carried.sort(), dataset.ids?.[i])
    if (model.texts) model.texts.push(wellFormed(dataset.texts?.[i] ?? ''))
  }
}

function addRow(model: LcifModel, rows: SparseMatrix, i: number, labels: Uint32Array, id: Id | undefined): void {
  const row = rows.row(i)
  model.index.add(row, id)
  model.rowLabels.add(labels)
  model.featureLabels?.add(row, labels)
}

function checkIds(index: InvertedIndex, ids: readonly string[] | undefined): void {
  const seen = new Set<string>()
  for (const id of ids ?? []) {
    if (index.rowOf(id) !== undefined || seen.has(id)) {
      throw new EngineError('BAD_DATA', `the id ${JSON.stringify(id)} is there already`, {
        hint: 'Give every row an id of its own; remove a row before adding its new version.',
      })
    }
    seen.add(id)
  }
}

/** Returns how many of the ids were there. */
export function removeRows(model: LcifModel, ids: Iterable<Id>): number {
  const { index, rowLabels, featureLabels, texts } = model
  let removed = 0
  for (const id of ids) {
    const row = index.rowOf(id)
    if (row === undefined) continue
    featureLabels?.remove(index.row(row), rowLabels.row(row))
    index.remove(id)
    if (texts) texts[row] = ''
    removed++
  }
  return removed
}
