import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { labelPropensities } from '../../evaluate/propensity.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { readItem } from '../reading/item-reader.ts'
import { forestExplainer } from './explain.ts'
import { anyOptions, anyRows, item, sparse, unitRow, withModel } from './forest-model.cases.ts'
import { type ForestModel, readingOf } from './model.ts'
import { walkDown } from './walk.ts'

function cosine(a: SparseRow, b: SparseRow): number {
  const [one, other] = [unitRow(a), unitRow(b)]
  return [...one].reduce((sum, [feature, value]) => sum + value * (other.get(feature) ?? 0), 0)
}

/** The rule of the method, in plain numbers: what the leaves of each tree say, blended with what their rows say. */
function scoresByHand(
  { settings }: ForestModel,
  { features, labels }: { features: SparseMatrix; labels: LabelMatrix },
  query: SparseRow,
  /** The rows of the leaves reached, tree by tree. */
  members: readonly (readonly number[])[],
): number[] {
  const found = [...new Set(members.flat())]
  const votes = found.map(row => Math.max(0, cosine(query, features.row(row))) ** settings.blendPower)
  const total = votes.reduce((sum, vote) => sum + vote, 0)
  const lifts = labelPropensities(labels).map(propensity => propensity ** -settings.tailLift)
  return Array.from({ length: labels.columns }, (_, label) => {
    const has = (row: number) => labels.row(row).includes(label)
    const said = members.map(rows => {
      const carriers = rows.filter(has).length
      return settings.rule === 'voting' ? Math.min(1, carriers) : carriers / Math.max(1, rows.length)
    })
    const leaves = said.reduce((sum, share) => sum + share, 0) / members.length
    const rows = found.reduce((sum, row, i) => sum + (has(row) ? votes[i] : 0), 0) / (total || 1)
    return (((1 - settings.blend) * leaves + settings.blend * rows) * lifts[label]) / Math.max(...lifts)
  })
}

/** Scores by label, 0 if there is none. */
function scoresOf(found: { labels: ArrayLike<number>; scores: ArrayLike<number> }, count: number, from = 0): number[] {
  const scores = [0, 0, 0, 0]
  for (let i = from; i < from + count; i++) scores[found.labels[i]] = found.scores[i]
  return scores
}

function expectNear(found: readonly number[], expected: readonly number[]): void {
  const off = Math.max(...found.map((score, label) => Math.abs(score - expected[label])))
  expect(off, `${found} is not ${expected}`).toBeLessThanOrEqual(1e-6)
}

describe('the scores of ForestClassifier', () => {
  it('are those of a count by hand', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyOptions, async (dataset, options) => {
        const data = { features: sparse(dataset), labels: dataset.labels! }
        await withModel(dataset, options, async model => {
          for (let row = 0; row < dataset.rows; row++) {
            const query = data.features.row(row)
            if (query.indices.length === 0) continue
            const given = readItem(model, query)
            const members = Array.from({ length: model.forest.trees }, (_, tree) =>
              model.rows.rowsOf(walkDown(model.forest.parts, given, tree).leaf),
            )
            const { labels, scores } = model.scores.score(given, 4, readingOf(model))
            expectNear(scoresOf({ labels, scores }, labels.length), scoresByHand(model, data, query, members))
          }
        })
      }),
      { numRuns: 80 },
    )
  })

  it('are those of a count by hand without the row itself, where thresholds are chosen', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, anyOptions, async (dataset, options) => {
        const data = { features: sparse(dataset), labels: dataset.labels! }
        await withModel(dataset, options, async model => {
          const own = Uint32Array.from({ length: dataset.rows }, (_, row) => row)
          const asked = data.features.normalizeRows()
          const found = await model.scores.scoreBatch(asked, 4, readingOf(model), { own, threads: 1 })
          for (const row of own) {
            const query = data.features.row(row)
            if (query.indices.length === 0) continue
            const members = Array.from({ length: model.forest.trees }, (_, tree) =>
              model.rows.rowsOf(walkDown(model.forest.parts, asked.row(row), tree).leaf).filter(other => other !== row),
            )
            const scores = scoresOf(found, found.counts[row], row * found.top)
            expectNear(scores, scoresByHand(model, data, query, members))
          }
        })
      }),
      { numRuns: 40 },
    )
  })

  it('take the leaves probed as one part of the space with those of their tree', async () => {
    const probing = anyOptions.map(options => ({ ...options, probes: 4 }))
    await fc.assert(
      fc.asyncProperty(anyRows, probing, async (dataset, options) => {
        const data = { features: sparse(dataset), labels: dataset.labels! }
        await withModel(dataset, options, model => {
          const query = item([0, 1], [3, 2], [5, 1])
          const given = readItem(model, query)
          const reached = model.scores.reach(given, readingOf(model))
          const { trees, parts } = model.forest
          expect(reached.slice(0, trees).map(({ leaf }) => leaf)).toEqual(
            Array.from({ length: trees }, (_, tree) => walkDown(parts, given, tree).leaf),
          )
          expect(new Set(reached.map(({ leaf }) => leaf)).size).toBe(reached.length)
          expect(reached.length).toBe(Math.min(trees + 4, parts.rows.length))
          const members = Array.from({ length: trees }, (_, tree) =>
            reached.filter(place => place.tree === tree).flatMap(({ leaf }) => model.rows.rowsOf(leaf)),
          )
          const { labels, scores } = model.scores.score(given, 4, readingOf(model))
          const byLabel = scoresOf({ labels, scores }, labels.length)
          expectNear(byLabel, scoresByHand(model, data, query, members))
          const explain = forestExplainer(model, query)
          const explained = model.labelNames.all.map(label => explain(label).score)
          expectNear(explained, byLabel)
        })
      }),
      { numRuns: 60 },
    )
  })
})
