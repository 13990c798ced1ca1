// Why a label was suggested: the neighbors with that label and the features that support it, each with its part of the score
// (see scores/score-parts.ts).

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { FeatureReason, Item, NeighborReason } from '../classifier.ts'
import type { Explain } from '../predict.ts'
import { featureNamesOf, readItem } from '../reading/item-reader.ts'
import { splitName } from '../reading/signed-parts.ts'
import { DenseNeighbors } from '../scores/dense-neighbors.ts'
import { featureParts, neighborParts, strength } from '../scores/score-parts.ts'
import { featureRow, type LcifModel, mixOf } from './model.ts'
import { findNearest } from './predict.ts'

/** Neighbors are found once, for all labels that are asked about. */
export function lcifExplainer(model: LcifModel, item: Item): Explain {
  const row = readItem(model, item)
  const found = findWithDistances(model, row)
  return label => {
    const number = model.labelNames.numberOf(label)
    const named = model.labelNames.named(number)
    const neighbors = neighborReasons(model, found, number).sort(byShare)
    const features = featureReasons(model, featureRow(model, row), number).sort(byShare)
    const score = sum(neighbors) + sum(features)
    return { ...named, score, neighbors, features }
  }
}

type Found = NearestRows & { readonly distances?: Float32Array }

function neighborReasons(model: LcifModel, { rows, similarities, distances }: Found, label: number): NeighborReason[] {
  const parts = neighborParts({ similarities, from: 0, count: rows.length }, model.neighborPower, mixOf(model.settings))
  const carriers = Array.from(rows.keys()).filter(i => parts[i] > 0 && model.rowLabels.row(rows[i]).includes(label))
  return carriers.map(i => {
    const text = model.texts?.[rows[i]]
    return {
      id: model.index.idOf(rows[i]) ?? rows[i],
      ...(text !== undefined && { text }),
      similarity: similarities[i],
      ...(distances && { distance: distances[i] }),
      share: parts[i],
    }
  })
}

/** For dense rows with distances, if neighbors count. */
function findWithDistances(model: LcifModel, row: SparseRow): Found {
  const { index, settings } = model
  if (index instanceof DenseNeighbors && mixOf(settings) > 0) return index.neighbors(row, settings.neighbors)
  return findNearest(model, row)
}

function featureReasons(model: LcifModel, { indices, values }: SparseRow, label: number): FeatureReason[] {
  const { featureLabels, settings } = model
  if (!featureLabels) return []
  const parts = featureParts(values, 1 - mixOf(settings))
  const nameOf = featureNamer(model)
  const reasons: FeatureReason[] = []
  for (let i = 0; i < indices.length; i++) {
    const share = parts[i] * strength(featureLabels.similarity(indices[i], label), settings.featurePower)
    if (share > 0) reasons.push({ feature: nameOf(indices[i]), share })
  }
  return reasons
}

/** Names features one at a time: a list of all of them would take longer than the rest of an explanation. */
function featureNamer(model: LcifModel): (feature: number) => string {
  const { denseFeatures, featureNames, index } = model
  if (denseFeatures) return feature => splitName(featureNames, index.columns, feature)
  const names = featureNamesOf(model)
  return feature => names?.[feature] ?? String(feature)
}

function byShare(a: { readonly share: number }, b: { readonly share: number }): number {
  return b.share - a.share
}

function sum(reasons: readonly { readonly share: number }[]): number {
  return reasons.reduce((total, { share }) => total + share, 0)
}
