// The thresholds of a model that is being fitted, chosen on scores of its own rows, each left out of the model in turn.

import { chooseThresholds, type Thresholds } from '../evaluate/thresholds.ts'
import { inTurns } from '../long-work.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { LongWork } from '../progress.ts'
import { Random } from '../random.ts'
import { mixOf, noNeighbors } from './lcif-model.ts'
import type { LcifSettings } from './lcif-options.ts'
import { findNeighbors } from './lcif-trial.ts'
import type { NeighborRows } from './neighbor-rows.ts'
import type { FeatureLabelSums } from './pair-sums.ts'
import { TrialScores } from './trial-scores.ts'
import type { WorkPlace } from './work-place.ts'

export interface ThresholdModel {
  readonly settings: LcifSettings
  readonly neighborPower: number
  readonly rows: SparseMatrix
  readonly labels: LabelMatrix
  readonly index: NeighborRows
  /** Rows as the feature score sees them. */
  featureRows(rows: SparseMatrix): SparseMatrix
  readonly sums: FeatureLabelSums | undefined
}

/** Labels ranked for each row: several times as many as a row has. */
const leastRanked = 100
const rankedPerLabel = 8

/** How many labels of a row have to be ranked so that thresholds see all that could pass. */
export function rankedLabels(labels: LabelMatrix): number {
  const perRow = Math.ceil(labels.entries / labels.rows)
  return Math.min(labels.columns, Math.max(leastRanked, rankedPerLabel * perRow))
}

export async function fitThresholds(model: ThresholdModel, place: WorkPlace & LongWork): Promise<Thresholds> {
  const { settings, neighborPower, rows, labels, index, sums } = model
  const { threshold, thresholdFactor: factor, thresholdTrust: trust, neighbors, featurePower } = settings
  if (typeof threshold === 'number') return { single: Math.fround(threshold) }
  const own = new Random(settings.seed).sample(rows.rows, Math.min(rows.rows, settings.thresholdRows))
  const queries = rows.select(own)
  const mix = mixOf(settings)
  const nearest = mix > 0 ? await findNeighbors(index, queries, own, neighbors, place) : noNeighbors(own.length)
  const trial = new TrialScores({ queries: model.featureRows(queries), own, labels }, nearest, sums)
  const options = { neighbors, neighborPower, featurePower, mix }
  const ranked = await inTurns(trial.rank(options, rankedLabels(labels)), { signal: place.signal })
  return chooseThresholds(threshold, ranked, labels.select(own), { factor, trust })
}
