// Rows that come and go after fitting. They count at once; weights, tokens and thresholds stay as they were fitted.

import type { LabeledItems } from '../../data/given/labeled.ts'
import type { Id } from '../../ids/id.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { readNewRows } from '../new-rows.ts'
import { featureRow, type LcifModel } from './model.ts'

export function addRows(model: LcifModel, items: LabeledItems): void {
  const added = readNewRows(model, items, id => model.index.rowOf(id))
  for (const prepare of model.beforeChange) prepare()
  for (const { row, labels, id, text } of added) {
    model.index.add(row, id)
    model.rowLabels.add(labels)
    model.featureLabels?.add(featureRow(model, row), labels)
    if (model.texts) model.texts.push(wellFormed(text))
  }
}

/** Returns how many of the ids were there. */
export function removeRows(model: LcifModel, ids: Iterable<Id>): number {
  const { index, rowLabels, featureLabels, texts, beforeChange } = model
  for (const prepare of beforeChange) prepare()
  let removed = 0
  for (const id of ids) {
    const row = index.rowOf(id)
    if (row === undefined) continue
    featureLabels?.remove(featureRow(model, index.row(row)), rowLabels.row(row))
    index.remove(id)
    if (texts) texts[row] = ''
    removed++
  }
  return removed
}
