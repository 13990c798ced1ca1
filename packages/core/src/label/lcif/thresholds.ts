// The thresholds of a model that is being fitted, chosen on scores of its own rows, each left out of the model in turn.

import { chooseThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { LongWork } from '../../long-work.ts'
import { inTurns } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { FitContext } from '../fit-context.ts'
import { rankedLabels } from '../rankings.ts'
import type { NeighborFinder } from '../scores/neighbor-finder.ts'
import type { FeatureLabelSums } from '../scores/pair-sums.ts'
import { TrialScores } from '../scores/trial-scores.ts'
import { mixOf, noNeighbors } from './model.ts'
import type { LcifSettings } from './options.ts'
import { findNeighbors } from './trial.ts'

export interface ThresholdModel {
  readonly settings: LcifSettings
  readonly neighborPower: number
  readonly rows: SparseMatrix
  readonly labels: LabelMatrix
  readonly index: NeighborFinder
  /** Rows as the feature score sees them. */
  featureRows(rows: SparseMatrix): SparseMatrix
  readonly sums: FeatureLabelSums | undefined
}

export async function fitThresholds(model: ThresholdModel, place: FitContext & LongWork): Promise<Thresholds> {
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
