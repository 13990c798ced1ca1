// How LCIF ranks labels: nearest rows, then scores.

import type { RankedLabels } from '../../evaluate/predictions.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { type Ranking, type RankWork, rankingRows } from '../predict.ts'
import type { NearestRows, ScoredNeighbors } from '../scores/label-scores.ts'
import { featureRow, featureRows, type LcifModel, mixOf, noNeighbors } from './model.ts'

export function lcifRanking(model: LcifModel): Ranking {
  return {
    ...{ labelNames: model.labelNames, labels: model.scores.labels },
    ...{ thresholds: model.thresholds, allowEmpty: model.settings.allowEmpty },
    ...rankingRows(model, {
      rankRow: (row, top) =>
        model.scores.score(featureRow(model, row), findNearest(model, row), { top, ...scoring(model) }),
      rankRows: (rows, top, work) => rankRows(model, rows, top, work),
    }),
  }
}

/** The nearest rows of a weighted row, where they count. */
export function findNearest({ settings, index }: LcifModel, row: SparseRow): NearestRows {
  return mixOf(settings) > 0 ? index.nearest(row, settings.neighbors) : noNeighbors(1)
}

async function rankRows(model: LcifModel, rows: SparseMatrix, top: number, work: RankWork): Promise<RankedLabels> {
  const nearest = await findNearestBatch(model, rows, work)
  return model.scores.scoreBatch(featureRows(model, rows), nearest, { top, ...scoring(model), ...work })
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
