// What a fitted LcifClassifier holds. The parts change with partialFit and remove; rows keep their numbers in all of them.

import type { Thresholds } from '../../evaluate/thresholds.ts'
import type { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import type { LabelNames } from '../label-names.ts'
import type { ItemReader } from '../reading/item-reader.ts'
import type { DenseFeatures } from '../scores/dense-features.ts'
import type { FeatureLabels } from '../scores/feature-labels.ts'
import { LabelScores, type ScoredNeighbors } from '../scores/label-scores.ts'
import type { NeighborFinder } from '../scores/neighbor-finder.ts'
import type { RowLabels } from '../scores/row-labels.ts'
import type { LcifSettings } from './options.ts'

/** What is fitted or loaded. */
export interface LcifParts extends ItemReader {
  readonly settings: LcifSettings
  /** Names of the columns, if the training vectors had some. */
  readonly featureNames: readonly string[] | undefined
  readonly labelNames: LabelNames
  /** The power of similarities in use (α): as set, or as learned. */
  readonly neighborPower: number
  readonly thresholds: Thresholds
  /** The training rows as the model reads them. */
  readonly index: NeighborFinder
  /** The engine whose memory holds the parts below. */
  readonly arrays: CopyOnWriteArrays
  readonly rowLabels: RowLabels
  /** Absent if only neighbors are scored. */
  readonly featureLabels: FeatureLabels | undefined
  /** How the feature score reads dense rows, if it is used. */
  readonly denseFeatures: DenseFeatures | undefined
  /** Texts of the training rows, by row; undefined if none are kept. */
  readonly texts: string[] | undefined
}

export interface LcifModel extends LcifParts {
  readonly scores: LabelScores
  /** Called before rows are added or removed: lets running batches read what they still need from the index. */
  readonly beforeChange: Set<() => void>
}

export function assembleModel(parts: LcifParts): LcifModel {
  const scores = new LabelScores(parts.arrays, parts.rowLabels, parts.featureLabels)
  return { ...parts, scores, beforeChange: new Set() }
}

/** The share of the instance score under a method. */
export function mixOf({ method, mix }: Pick<LcifSettings, 'method' | 'mix'>): number {
  if (method === 'lcif') return mix
  return method === 'instance' ? 1 : 0
}

/** Rows as the feature score sees them. */
export function featureRow({ space, denseFeatures }: FeatureReader, row: SparseRow): SparseRow {
  if (!space) return row
  return denseFeatures?.row(row) ?? { indices: new Uint32Array(0), values: new Float32Array(0) }
}

export function featureRows({ space, denseFeatures }: FeatureReader, rows: SparseMatrix): SparseMatrix {
  if (!space) return rows
  return denseFeatures?.rows(rows) ?? new SparseMatrix(rows.rows, 0, new Float64Array(rows.rows + 1), new Uint32Array(0), new Float32Array(0)) // biome-ignore format: no entries
}

type FeatureReader = Pick<LcifParts, 'space' | 'denseFeatures'>

/** Used if neighbors are not scored. */
export function noNeighbors(queries: number): ScoredNeighbors {
  return { k: 0, rows: new Uint32Array(0), similarities: new Float32Array(0), counts: new Uint32Array(queries) }
}

/** How many of the remaining rows have each label. */
export function countLabels({ index, rowLabels, labelNames }: LcifModel): Float64Array {
  const counts = new Float64Array(labelNames.count)
  for (let row = 0; row < rowLabels.rows; row++) {
    if (index.idOf(row) === undefined) continue
    for (const label of rowLabels.row(row)) counts[label]++
  }
  return counts
}
