// Rows that come and go after fitting. They count in the leaves they fall into, at once; trees, weights, tokens and thresholds
// stay as they were fitted.

import type { LabeledItems } from '../../data/given/labeled.ts'
import type { Id } from '../../ids/id.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { readNewRows } from '../new-rows.ts'
import { type ForestModel, readingOf } from './model.ts'

export function addForestRows(model: ForestModel, items: LabeledItems): void {
  const { forest, rows, ids, texts } = model
  const added = readNewRows(model, items, id => ids.rowOf(id))
  if (added.length === 0) return
  forest.extendLabels(model.labelNames.count)
  for (const { row, labels, id, text } of added) {
    const leaves = ownLeaves(model, row)
    ids.add(ids.nextId(id))
    rows.add(row, labels, leaves)
    forest.countRow(leaves)
    for (const label of labels) forest.countLabel(label, leaves)
    if (texts) texts.push(wellFormed(text))
  }
}

/** Returns how many of the ids were there. */
export function removeForestRows(model: ForestModel, removed: Iterable<Id>): number {
  const { forest, rows, ids, texts, arrays } = model
  let count = 0
  for (const id of removed) {
    const row = ids.remove(id)
    if (row === undefined) continue
    // Running batches keep what they read.
    if (count++ === 0 && arrays.lastReading > 0) forest.detach()
    forest.uncountRow(ownLeaves(model, rows.row(row)), rows.labels.row(row))
    rows.remove(row)
    if (texts) texts[row] = ''
  }
  return count
}

/** The leaf of each tree: a training row reaches the one it was grown into. */
function ownLeaves(model: ForestModel, row: Parameters<ForestModel['scores']['reach']>[0]): Uint32Array {
  return Uint32Array.from(model.scores.reach(row, { ...readingOf(model), probes: 0 }), ({ leaf }) => leaf)
}
