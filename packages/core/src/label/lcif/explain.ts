// Why a label was suggested: the neighbors that carry it and the features that go with it, each with its part of the score
// (Definitions 6, 8 and 9 of paper 003, term by term).

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { FeatureReason, Item, NeighborReason } from '../classifier.ts'
import type { Explain } from '../predict.ts'
import { featureNamesOf, readItem } from '../reading/item-reader.ts'
import { splitNames } from '../reading/signed-parts.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import { featureRow, type LcifModel, mixOf } from './model.ts'
import { findNearest } from './predict.ts'

/** Neighbors are found once, for all labels that are asked about. */
export function lcifExplainer(model: LcifModel, item: Item): Explain {
  const row = readItem(model, item)
  const found = findWithDistances(model, row)
  return label => {
    const number = model.labelNames.numberOf(label)
    const neighbors = neighborReasons(model, found, number).sort(byShare)
    const features = featureReasons(model, featureRow(model, row), number).sort(byShare)
    const score = sum(neighbors) + sum(features)
    return { label, score, neighbors, features }
  }
}

type Found = NearestRows & { readonly distances?: Float32Array }

function neighborReasons(model: LcifModel, { rows, similarities, distances }: Found, label: number): NeighborReason[] {
  // In relation to the nearest, as high powers of small numbers are 0.
  const votes = Float64Array.from(similarities, similarity => (similarity / similarities[0]) ** model.neighborPower)
  const part = mixOf(model.settings) / votes.reduce((total, vote) => total + vote, 0)
  const carriers = Array.from(rows.keys()).filter(i => votes[i] > 0 && model.rowLabels.row(rows[i]).includes(label))
  return carriers.map(i => {
    const text = model.texts?.[rows[i]]
    return {
      id: model.index.idOf(rows[i]) ?? rows[i],
      ...(text !== undefined && { text }),
      similarity: similarities[i],
      ...(distances && { distance: distances[i] }),
      share: part * votes[i],
    }
  })
}

/** Of dense rows with distances, where neighbors count. */
function findWithDistances(model: LcifModel, row: SparseRow): Found {
  const { index, settings } = model
  if (index instanceof DenseNeighbors && mixOf(settings) > 0) return index.neighbors(row, settings.neighbors)
  return findNearest(model, row)
}

function featureReasons(model: LcifModel, { indices, values }: SparseRow, label: number): FeatureReason[] {
  const { featureLabels, settings } = model
  if (!featureLabels) return []
  const part = (1 - mixOf(settings)) / values.reduce((total, value) => total + value, 0)
  const names = model.denseFeatures ? splitNames(model.featureNames, model.index.columns) : featureNamesOf(model)
  return Array.from(indices, (feature, i) => ({
    feature: names?.[feature] ?? String(feature),
    share: part * values[i] * featureLabels.similarity(feature, label) ** settings.featurePower,
  })).filter(({ share }) => share > 0)
}

function byShare(a: { readonly share: number }, b: { readonly share: number }): number {
  return b.share - a.share
}

function sum(reasons: readonly { readonly share: number }[]): number {
  return reasons.reduce((total, { share }) => total + share, 0)
}
