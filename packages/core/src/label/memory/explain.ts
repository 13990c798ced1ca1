// Why a MemoryClassifier suggested a label. By the nearest memory: that memory. By one-against-some: the memories that vote for the label
// and the features whose weights support it, each with its part of the score; evidence against it is left out.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Hit } from '../../memory/memory-query.ts'
import type { Explanation, FeatureReason, Item, NeighborReason } from '../classifier.ts'
import type { Explain } from '../predict.ts'
import { featureNamesOf, readItem } from '../reading/item-reader.ts'
import { type Candidate, candidatesOf, findMemories, type MemoryLabelModel, weightOf } from './model.ts'
import type { OneAgainstSome } from './one-against-some.ts'

/** Memories are found once, for all labels that are asked about. */
export function memoryExplainer(model: MemoryLabelModel, item: Item): Explain {
  const row = readItem(model, item)
  const candidates = row.indices.length === 0 ? [] : candidatesOf(findMemories(model, row))
  return label => explainMemoryLabel(model, row, candidates, label)
}

function explainMemoryLabel(
  model: MemoryLabelModel,
  row: SparseRow,
  candidates: readonly Candidate[],
  label: string,
): Explanation {
  const number = model.labelNames.numberOf(label)
  const named = model.labelNames.named(number)
  const found = candidates.find(candidate => candidate.label === number)
  if (!found) return { ...named, score: 0, neighbors: [], features: [] }
  const { neighbors, features } = model.labeler
    ? someReasons(model, model.labeler, row, found)
    : { neighbors: [reason(model, found.carriers[0], found.carriers[0].score)], features: [] }
  const score = [...neighbors, ...features].reduce((sum, { share }) => sum + share, 0)
  return { ...named, score, neighbors: neighbors.sort(byShare), features: features.sort(byShare) }
}

function someReasons(model: MemoryLabelModel, labeler: OneAgainstSome, row: SparseRow, candidate: Candidate) {
  const { label, vote, carriers } = candidate
  const score = labeler.score(label, model.key.lay(row), vote)
  const terms = Array.from(row.indices, (feature, e) => {
    const single = { indices: Uint32Array.of(feature), values: row.values.slice(e, e + 1) }
    return { feature, term: labeler.term(label, model.key.lay(single)) }
  }).filter(({ term }) => term > 0)
  const votes = Math.max(labeler.votes.weight * vote, Number.MIN_VALUE)
  const part = score / terms.reduce((sum, { term }) => sum + term, votes)
  const weight = weightOf(carriers)
  const names = featureNamesOf(model)
  return {
    neighbors: carriers.map(hit => reason(model, hit, part * votes * (weightOf([hit]) / weight))),
    features: terms.map(({ feature, term }): FeatureReason => {
      return { feature: names?.[feature] ?? String(feature), share: part * term }
    }),
  }
}

function reason({ texts }: MemoryLabelModel, { id, distance }: Hit, share: number): NeighborReason {
  const text = texts?.get(id)
  // Of keys of length 1: distance² = 2 − 2 · cosine.
  return { id, ...(text !== undefined && { text }), similarity: 1 - distance ** 2 / 2, share }
}

function byShare(a: { readonly share: number }, b: { readonly share: number }): number {
  return b.share - a.share
}
