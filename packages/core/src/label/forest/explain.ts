// Why a label was suggested: the training rows with that label in the leaves reached, each with its part of the score; and for each tree
// the path to its leaf, with the features that decided.

import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import type { Explanation, Item, NeighborReason, PathStep, TreePath } from '../classifier.ts'
import type { Explain } from '../predict.ts'
import { featureNamesOf, readItem } from '../reading/item-reader.ts'
import { type ForestModel, readingOf } from './model.ts'
import type { Reached } from './scores.ts'
import { walkDown } from './walk.ts'

/** Features of a step that are named. */
const decisive = 3

/** Leaves are found once, for all labels that are asked about. */
export function forestExplainer(model: ForestModel, item: Item): Explain {
  const row = readItem(model, item)
  const reached = row.indices.length === 0 ? [] : model.scores.reach(row, readingOf(model))
  return label => explainForestLabel(model, row, reached, label)
}

function explainForestLabel(
  model: ForestModel,
  row: SparseRow,
  reached: readonly Reached[],
  label: string,
): Explanation {
  const number = model.labelNames.numberOf(label)
  const named = model.labelNames.named(number)
  if (reached.length === 0) return { ...named, score: 0, neighbors: [], features: [], paths: [] }
  const shares = leafShares(model, reached, number)
  const scale = model.labelScales[number] ?? 1
  const leafPart = (1 - model.settings.blend) * scale
  const byRow = new Map<number, number>()
  const add = (row: number, share: number) => byRow.set(row, (byRow.get(row) ?? 0) + share)
  for (const { carriers, share } of shares) {
    for (const carrier of carriers) add(carrier, (leafPart * share) / carriers.length)
  }
  for (const [carrier, share] of rowShares(model, row, reached, number)) add(carrier, scale * share)
  const neighbors = [...byRow]
    .filter(([, share]) => share > 0)
    .map(([other, share]) => reason(model, row, other, share))
  neighbors.sort((a, b) => b.share - a.share)
  const score = neighbors.reduce((sum, { share }) => sum + share, 0)
  const paths = shares.slice(0, model.forest.trees).map(({ share }, tree) => pathOf(model, row, tree, leafPart * share))
  return { ...named, score, neighbors, features: [], paths }
}

/**
 * For each leaf reached: its rows with the label, and its part of the score. The leaves of one tree are treated as one: each row's part is
 * divided by the number of rows in all of them or, with votes, by the number of rows with the label.
 */
function leafShares({ rows, forest, settings }: ForestModel, reached: readonly Reached[], label: number) {
  const sizes = new Float64Array(forest.trees)
  const found = reached.map(({ tree, leaf }) => {
    const members = rows.rowsOf(leaf)
    const carriers = members.filter(row => rows.labels.row(row).includes(label))
    sizes[tree] += settings.rule === 'voting' ? carriers.length : members.length
    return { tree, carriers }
  })
  return found.map(({ tree, carriers }) => ({
    carriers,
    share: carriers.length / Math.max(1, sizes[tree]) / forest.trees,
  }))
}

/** The part of the score that comes from the similarity of rows. */
function rowShares(model: ForestModel, row: SparseRow, reached: readonly Reached[], label: number): [number, number][] {
  const { blend, blendPower } = model.settings
  if (blend === 0) return []
  const found = [...new Set(reached.flatMap(({ leaf }) => model.rows.rowsOf(leaf)))]
  const votes = found.map(other => Math.max(0, cosine(model, row, model.rows.row(other))) ** blendPower)
  const total = votes.reduce((sum, vote) => sum + vote, 0)
  if (total === 0) return []
  return found.flatMap((other, i): [number, number][] =>
    model.rows.labels.row(other).includes(label) ? [[other, (blend * votes[i]) / total]] : [],
  )
}

function reason(model: ForestModel, row: SparseRow, other: number, share: number): NeighborReason {
  const text = model.texts?.[other]
  return {
    id: model.ids.idOf(other) ?? other,
    ...(text !== undefined && { text }),
    similarity: cosine(model, row, model.rows.row(other)),
    share,
  }
}

/** Dense rows may have any length. */
function cosine({ space }: ForestModel, a: SparseRow, b: SparseRow): number {
  const product = productOf(a, b)
  if (!space) return Math.min(1, product)
  const lengths = Math.sqrt(productOf(a, a) * productOf(b, b))
  return lengths > 0 ? Math.min(1, product / lengths) : 0
}

function productOf(a: SparseRow, b: SparseRow): number {
  let sum = 0
  for (let i = 0, j = 0; i < a.indices.length && j < b.indices.length; ) {
    if (a.indices[i] === b.indices[j]) sum += a.values[i++] * b.values[j++]
    else if (a.indices[i] < b.indices[j]) i++
    else j++
  }
  return sum
}

function pathOf(model: ForestModel, row: SparseRow, tree: number, share: number): TreePath {
  const names = featureNamesOf(model)
  const { steps, leaf } = walkDown(model.forest.parts, row, tree)
  return {
    ...{ tree, leaf, rows: model.rows.rowsOf(leaf).length, share },
    steps: steps.map(({ terms, margin }): PathStep => {
      const heaviest = terms.sort((a, b) => Math.abs(b.product) - Math.abs(a.product)).slice(0, decisive)
      return {
        side: margin < 0 ? 'left' : 'right',
        margin: Math.abs(margin),
        features: heaviest.map(({ feature, product }) => ({ feature: names?.[feature] ?? String(feature), product })),
      }
    }),
  }
}
