// How LCIF ranks labels: nearest rows, then scores.

import type { ItemList } from '../../data/given/items.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { RankWork, ThreadedRanking } from '../predict.ts'
import { readItem, readItems } from '../reading/item-reader.ts'
import type { ScoredNeighbors } from '../scores/label-scores.ts'
import { featureRow, featureRows, type LcifModel, mixOf, noNeighbors } from './model.ts'
import { NeighborsAhead } from './neighbors-ahead.ts'

export function lcifRanking(model: LcifModel): ThreadedRanking {
  return {
    ...{ labelNames: model.labelNames, labels: model.scores.labels },
    ...{ thresholds: model.thresholds, allowEmpty: model.settings.allowEmpty },
    rankItem: (item, top) => {
      const row = readItem(model, item)
      return model.scores.score(featureRow(model, row), findNearest(model, row), { top, ...scoring(model) })
    },
    open: (items, work) => openBatch(model, items, work),
  }
}

/** The nearest rows of a weighted row, if neighbors are scored. */
export function findNearest({ settings, index }: LcifModel, row: SparseRow): NearestRows {
  return mixOf(settings) > 0 ? index.nearest(row, settings.neighbors) : noNeighbors(1)
}

/** One batch. It sees the model as it is now: before the index changes, the batch looks up its remaining neighbors. */
function openBatch(model: LcifModel, items: ItemList, work: RankWork): ReturnType<ThreadedRanking['open']> {
  const scores = model.scores.snapshot()
  const find = (rows: SparseMatrix) => findNearestBatch(model, rows, work)
  const neighbors = new NeighborsAhead(from => readItems(model, items.slice(from)), find)
  const hurry = () => neighbors.findRest()
  model.beforeChange.add(hurry)
  return {
    rank: async (from, to, top) => {
      const rows = readItems(model, items.slice(from, to))
      const nearest = await neighbors.take(rows, from, to)
      return scores.scoreBatch(featureRows(model, rows), nearest, { top, ...scoring(model), ...work })
    },
    close: () => {
      model.beforeChange.delete(hurry)
      scores.free()
    },
  }
}

async function findNearestBatch(
  { settings, index }: LcifModel,
  rows: SparseMatrix,
  work: RankWork,
): Promise<ScoredNeighbors> {
  return mixOf(settings) > 0 ? index.nearestBatch(rows, { k: settings.neighbors, ...work }) : noNeighbors(rows.rows)
}

function scoring({ settings, neighborPower }: LcifModel): { neighborPower: number; mix: number } {
  return { neighborPower, mix: mixOf(settings) }
}
