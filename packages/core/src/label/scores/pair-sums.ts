// The sums behind the similarities of features and labels, counted from rows: Σ x over the rows that have both the feature and the label.
// Two walks: the first finds how long the lists are, the second fills them. If there are too many pairs, the longest lists keep only their
// most similar labels (the neighbors of a feature, in paper 003, section 3.2).

import type { Steps } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { type FeatureVisit, visitFeatures } from '../weights/co-occurrence.ts'
import type { PairSums } from './pair-lists.ts'

/** All that is counted: what a model file needs. */
export interface FeatureLabelSums extends PairSums {
  /** |f|² of each feature. */
  readonly featureSquares: Float64Array
  /** |l|² of each label: how many rows have it. */
  readonly labelCounts: Float64Array
}

/** The sums of all pairs, or of at most `maxPairs`. */
export function* sumPairs(features: SparseMatrix, labels: LabelMatrix, maxPairs: number): Steps<FeatureLabelSums> {
  const labelCounts = labels.counts()
  const featureSquares = new Float64Array(features.columns)
  for (let e = 0; e < features.entries; e++) featureSquares[features.indices[e]] += features.values[e] ** 2
  const lengths = new Float64Array(features.columns)
  for (const { feature, labels: found } of visitFeatures(features, labels)) {
    lengths[feature] = found.length
    yield
  }
  const longest = longestList(lengths, maxPairs)
  const offsets = new Float64Array(features.columns + 1)
  for (let f = 0; f < features.columns; f++) offsets[f + 1] = offsets[f] + Math.min(lengths[f], longest)
  const pairs = {
    offsets,
    labels: new Uint32Array(offsets[features.columns]),
    sums: new Float64Array(offsets[features.columns]),
  }
  for (const visit of visitFeatures(features, labels)) {
    const kept = visit.labels.length > longest ? mostSimilar(visit, labelCounts, longest) : visit.labels
    kept.sort().forEach((label, i) => {
      pairs.labels[offsets[visit.feature] + i] = label
      pairs.sums[offsets[visit.feature] + i] = visit.sums[label]
    })
    yield
  }
  return { ...pairs, featureSquares, labelCounts }
}

/** The largest length that lists may have so that they hold at most `maxPairs` together. */
function longestList(lengths: Float64Array, maxPairs: number): number {
  let [low, high] = [0, lengths.reduce((most, length) => Math.max(most, length), 0)]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (lengths.reduce((sum, length) => sum + Math.min(length, middle), 0) <= maxPairs) low = middle
    else high = middle - 1
  }
  return low
}

/** The `count` labels most similar to the feature, ties by label. The feature's own length is the same for all. */
function mostSimilar({ labels, sums }: FeatureVisit, labelCounts: Float64Array, count: number): Uint32Array {
  const closeness = (label: number): number => sums[label] ** 2 / labelCounts[label]
  const falling = Float64Array.from(labels, closeness).sort().reverse()
  const least = falling[count]
  let ties = count - falling.indexOf(least)
  return labels.sort().filter(label => closeness(label) > least || (closeness(label) === least && ties-- > 0))
}
