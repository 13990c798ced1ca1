// How a MemoryClassifier learns a row: it is stored once; then, in every pass, routers and scorer learn by reward, and the models of
// labels learn which of the labels found are the row's own.

import type { Id } from '../../ids/id.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { setReward } from '../../memory/learning/set-reward.ts'
import { candidatesOf, findMemories, type MemoryLabelModel } from './model.ts'

export interface LabeledRow {
  readonly id: Id
  readonly row: SparseRow
  readonly labels: readonly number[]
}

/** Stores a row; a row without features is only counted. */
export function storeRow({ memory, bare }: MemoryLabelModel, { id, row, labels }: LabeledRow): void {
  if (row.indices.length === 0) bare.set(id, labels)
  else memory.insert(row, labels, { id })
}

/** One supervised step. A row that is already stored does not learn from its own memory. */
export function learnRow(model: MemoryLabelModel, { id, row, labels }: LabeledRow): void {
  if (row.indices.length === 0) return
  if (model.labeler) teachLabels(model, { id, row, labels })
  // Values are as storeRow gave them.
  model.memory.learn(row, value => setReward(labels, value as readonly number[]), { except: id })
}

/** The labels of the memories found are examples, and so are the row's own labels that no memory has. */
function teachLabels(model: MemoryLabelModel, { id, row, labels }: LabeledRow): void {
  const votes = new Map(labels.map(label => [label, 0]))
  for (const { label, vote } of candidatesOf(findMemories(model, row, id))) votes.set(label, vote)
  const key = model.key.lay(row)
  for (const [label, vote] of votes) model.labeler?.learn(label, key, vote, labels.includes(label))
}
