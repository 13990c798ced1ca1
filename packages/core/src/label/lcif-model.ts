// What a fitted LcifClassifier holds. The parts change with partialFit and remove; rows keep their numbers in all of them.

import type { TextPipeline } from '../data/text/text-pipeline.ts'
import type { Thresholds } from '../evaluate/thresholds.ts'
import type { InvertedIndex } from '../search/inverted-index.ts'
import type { FeatureLabels } from './feature-labels.ts'
import type { KeptArrays } from './kept-arrays.ts'
import type { LabelNames } from './label-names.ts'
import { LabelScores, type NearestBatch } from './label-scores.ts'
import type { LcifSettings } from './lcif-options.ts'
import type { RowLabels } from './row-labels.ts'

/** What is fitted or loaded. */
export interface LcifParts {
  readonly settings: LcifSettings
  /** Absent where the model was fitted on vectors. */
  readonly pipeline: TextPipeline | undefined
  /** Names of the columns, where the model was fitted on vectors that had some. */
  readonly featureNames: readonly string[] | undefined
  readonly labelNames: LabelNames
  /** What features weigh, one a column. */
  readonly weights: Float32Array
  /** The power of similarities in use (α): as set, or as learned. */
  readonly neighborPower: number
  readonly thresholds: Thresholds
  /** The training rows, weighted and of length 1. */
  readonly index: InvertedIndex
  /** Whose memory the following live in. */
  readonly arrays: KeptArrays
  readonly rowLabels: RowLabels
  /** Absent where only neighbors are scored. */
  readonly featureLabels: FeatureLabels | undefined
  /** Texts of the training rows, by row; undefined where none are kept. */
  readonly texts: string[] | undefined
}

export interface LcifModel extends LcifParts {
  readonly scores: LabelScores
}

export function assembleModel(parts: LcifParts): LcifModel {
  return { ...parts, scores: new LabelScores(parts.arrays, parts.rowLabels, parts.featureLabels) }
}

/** The share of the instance score under a method. */
export function mixOf({ method, mix }: Pick<LcifSettings, 'method' | 'mix'>): number {
  if (method === 'lcif') return mix
  return method === 'instance' ? 1 : 0
}

/** In the place of neighbors, where they do not count. */
export function noNeighbors(queries: number): NearestBatch {
  return { k: 0, rows: new Uint32Array(0), similarities: new Float32Array(0), counts: new Uint32Array(queries) }
}

/** How many of the rows that are still there carry each label. */
export function countLabels({ index, rowLabels, labelNames }: LcifModel): Float64Array {
  const counts = new Float64Array(labelNames.count)
  for (let row = 0; row < rowLabels.rows; row++) {
    if (index.idOf(row) === undefined) continue
    for (const label of rowLabels.row(row)) counts[label]++
  }
  return counts
}
