// Rows as neighbors are searched: every value times its feature's weight, scaled to length 1, without zeros. Training rows
// and queries pass through the same arithmetic, so equal rows stay equal to the last bit.

import type { LongWork } from '../../long-work.ts'
import { scaleToUnit } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import type { FitContext } from '../fit-context.ts'
import type { Weighting } from '../options.ts'
import { learnWeights } from './feature-weights.ts'

export interface FeatureWeights {
  /** One per feature; 0 for features that are left out. */
  readonly weights: Float32Array
  /** The power of similarities that goes with the weights. */
  readonly sharpness: number
}

/** The power of similarities if no weights were learned: choosing one on a few rows did harm. */
const plainPower = 2

interface WeightSettings {
  readonly weighting: Weighting
  /** The share of the features that are kept. */
  readonly featureShare: number
  readonly seed: number
}

/** The feature weights for the options: features are selected first, then the remaining ones are weighted. */
export async function chooseWeights(
  features: SparseMatrix,
  labels: LabelMatrix,
  { weighting, featureShare, seed }: WeightSettings,
  { engine, threads, ...work }: FitContext & LongWork,
): Promise<FeatureWeights> {
  const kept = keptFeatures(features, featureShare)
  const learn = weighting === 'learned'
  const learned = await learnWeights(kept ? weighRows(features, kept, false) : features, labels, {
    ...work,
    ...{ learn, start: learn ? 'auto' : weighting, seed, engine },
    ...(threads !== undefined && { threads }),
  })
  const weights = kept ? learned.weights.map((weight, feature) => weight * kept[feature]) : learned.weights
  return { weights, sharpness: learned.isLearned ? learned.sharpness : plainPower }
}

/** 1 for the share of the occurring features whose presence has the highest entropy, 0 for others; undefined for all. */
function keptFeatures(features: SparseMatrix, share: number): Float32Array | undefined {
  if (share === 1) return undefined
  const counts = new Float64Array(features.columns)
  for (let e = 0; e < features.indices.length; e++) counts[features.indices[e]]++
  // The nearer to half of the rows a feature is in, the higher the entropy.
  const certainty = counts.map(count => Math.abs(count - features.rows / 2))
  const order = Uint32Array.from(counts.keys())
    .filter(feature => counts[feature] > 0)
    .sort((a, b) => certainty[a] - certainty[b] || a - b)
  const kept = new Float32Array(features.columns)
  for (const feature of order.subarray(0, Math.ceil(order.length * share))) kept[feature] = 1
  return kept
}

/** A copy of the rows, weighted, without zeros, and scaled to length 1 unless `unit` is false. */
export function weighRows(matrix: SparseMatrix, weights: Float32Array, unit = true): SparseMatrix {
  const offsets = new Float64Array(matrix.rows + 1)
  const indices = new Uint32Array(matrix.entries)
  const values = new Float32Array(matrix.entries)
  let end = 0
  for (let row = 0; row < matrix.rows; row++) {
    for (let e = matrix.offsets[row]; e < matrix.offsets[row + 1]; e++) {
      const value = matrix.values[e] * weights[matrix.indices[e]]
      if (value === 0) continue
      indices[end] = matrix.indices[e]
      values[end++] = value
    }
    if (unit) scaleToUnit(values.subarray(offsets[row], end))
    offsets[row + 1] = end
  }
  return new SparseMatrix(matrix.rows, matrix.columns, offsets, indices.slice(0, end), values.slice(0, end))
}

/** The same for one row. */
export function weighRow({ indices, values }: SparseRow, weights: Float32Array): SparseRow {
  const weighted = values.map((value, e) => value * weights[indices[e]])
  scaleToUnit(weighted)
  if (!weighted.includes(0)) return { indices, values: weighted }
  return { indices: indices.filter((_, e) => weighted[e] !== 0), values: weighted.filter(value => value !== 0) }
}
