import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { EngineError } from '../../errors.ts'
import { labelPropensities } from '../../evaluate/propensity.ts'
import { Engine } from '../../kernels/engine.ts'
import { leafMark } from '../../kernels/generated/blocks/forest.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { ModelContents } from '../../store/header.ts'
import type { JsonObject } from '../../store/json.ts'
import { type TensorArray, tensor1d } from '../../store/tensor.ts'
import { bucketsOf } from '../../trees/packed-directions.ts'
import { describeClassifier, shelf, vectors } from '../classifier.cases.ts'
import type { TreePath } from '../classifier.ts'
import type { FitOptions } from '../options.ts'
import { readItem } from '../reading/item-reader.ts'
import type { DescribedNode } from './described-tree.ts'
import { explainForestLabel } from './explain.ts'
import { fitForest } from './fit.ts'
import { ForestClassifier } from './forest-classifier.ts'
import { assembleForest, type ForestModel, freeForest, readingOf } from './model.ts'
import { type ForestClassifierOptions, forestClassifierDefaults, resolveForestOptions } from './options.ts'
import { walkDown } from './walk.ts'

const growers = ['graph', 'kd', 'pca', 'classification', 'random-projection'] as const

/** p@1 on the titles, of 20 trees; measured: 0.490 (the same with 50), 0.263, 0.239, 0.169, 0.317. */
const floors = { graph: 0.47, kd: 0.25, pca: 0.22, classification: 0.15, 'random-projection': 0.3 }

/** Few rows: with the default `l1` they would give no weights at all. */
const tiny = { leafSize: 1, l1: 0.1, trees: 20 } as const

/** Principal directions of twelve titles part many from their kin: there the likeness of a leaf's rows has a say. */
const tinyPca = { ...tiny, leafSize: 4, blend: 0.5 }

for (const grower of growers) {
  const few = grower === 'pca' ? tinyPca : tiny
  describeClassifier(`ForestClassifier, ${grower}`, {
    fit: (dataset, options) =>
      ForestClassifier.fit(dataset, { ...options, grower, ...(dataset.rows < 100 ? few : { trees: 20 }) }),
    load: path => ForestClassifier.load(path),
    titlesFloor: floors[grower],
  })
}

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Uses a classifier, and frees it. */
async function withForest<T>(
  dataset: Dataset,
  options: ForestClassifierOptions,
  use: (model: ForestClassifier) => T | Promise<T>,
): Promise<T> {
  const model = await ForestClassifier.fit(dataset, { ...tiny, engine, ...options })
  try {
    return await use(model)
  } finally {
    model.free()
  }
}

/** Uses what a classifier is made of, and frees it. */
async function withModel<T>(
  dataset: Dataset,
  options: ForestClassifierOptions & FitOptions,
  use: (model: ForestModel) => T | Promise<T>,
): Promise<T> {
  const model = assembleForest(await fitForest(dataset, { ...tiny, engine, threads: 1, ...options }))
  try {
    return await use(model)
  } finally {
    freeForest(model)
  }
}

interface PlainRow {
  readonly features: readonly (readonly [number, number])[]
  readonly labels: readonly number[]
}

function datasetOf(rows: readonly PlainRow[], columns: number, labels: number): Dataset {
  return {
    name: 'plain',
    rows: rows.length,
    features: SparseMatrix.from(
      rows.map(row => row.features),
      columns,
    ),
    labels: LabelMatrix.from(
      rows.map(row => row.labels.toSorted((a, b) => a - b)),
      labels,
    ),
  }
}

const sparse = (dataset: Dataset): SparseMatrix => dataset.features as SparseMatrix // all data here is
const item = (...pairs: [number, number][]): SparseRow => SparseMatrix.from([pairs]).row(0)

/** Some rows over six features and four labels; any may be empty but the first. */
const anyRows = fc
  .array(
    fc.record({
      features: fc.uniqueArray(fc.tuple(fc.nat(5), fc.integer({ min: 1, max: 4 })), {
        selector: ([feature]) => feature,
        maxLength: 5,
      }),
      labels: fc.uniqueArray(fc.nat(3), { maxLength: 3 }),
    }),
    { minLength: 3, maxLength: 16 },
  )
  .map(rows => datasetOf(rows.with(0, { features: [[0, 1]], labels: [1] }), 6, 4))

const anyOptions = fc.record({
  grower: fc.constantFrom(...growers),
  rule: fc.constantFrom('natural', 'voting'),
  leafSize: fc.integer({ min: 1, max: 3 }),
  blend: fc.constantFrom(0, 0.3, 1),
  blendPower: fc.constantFrom(1, 2.5),
  tailLift: fc.constantFrom(0, 0.5, 1),
  weighting: fc.constant('none'),
  trees: fc.constant(5),
} as const)

/** Rows of `length` features with values of about 1, four different labels. */
function nearlyEqual(columns: number, length: number): Dataset {
  const random = new Random(3)
  const plain = Array.from({ length: 120 }, (_, row) => {
    const first = (row * length) % columns
    const features = Array.from({ length }, (_, j) => [first + j, 1 + random.below(16) * 2 ** -23] as const)
    return { features, labels: [random.below(4)] }
  })
  return datasetOf(plain, columns, 4)
}

function checkLeaves(model: ForestModel, dataset: Dataset): void {
  const { forest, rows, scores } = model
  for (let row = 0; row < dataset.rows; row++) {
    const given = readItem(model, sparse(dataset).row(row))
    const leaves = Array.from({ length: forest.trees }, (_, tree) => walkDown(forest.parts, given, tree).leaf)
    expect(scores.reach(given, readingOf(model))).toEqual(leaves.map((leaf, tree) => ({ tree, leaf })))
    for (const leaf of leaves) expect(rows.rowsOf(leaf)).toContain(row)
  }
  const sizes = Array.from(forest.parts.rows.array, (_, leaf) => rows.rowsOf(leaf).length)
  expect(sizes).toEqual([...forest.parts.rows.array])
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(forest.trees * dataset.rows)
}

describe('the trees of ForestClassifier', () => {
  it.each(growers)('hold every row once, in the leaf it reaches, grown by %s', async grower => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.constantFrom('none', 'idf', 'chi2'), async (dataset, weighting) =>
        withModel(dataset, { grower, weighting, trees: 5 }, model => checkLeaves(model, dataset)),
      ),
      { numRuns: 40 },
    )
  })

  it.each(growers)('hold rows that differ in their last bits where they reach, grown by %s', async grower => {
    // All features in every row, and three of sixty or of 360 in each: directions are gone through there, and looked up here.
    for (const [columns, length] of [
      [20, 20],
      [60, 3],
      [360, 3],
    ] as const) {
      const dataset = nearlyEqual(columns, length)
      await withModel(dataset, { grower, l1: 0, density: 1, weighting: 'none' }, model => checkLeaves(model, dataset))
    }
  })

  it('have long directions below the listed levels, which are looked up as they were grown', async () => {
    const random = new Random(8)
    const plain = Array.from({ length: 1500 }, (_, row) => ({
      features: [...random.sample(3000, 40)]
        .sort((a, b) => a - b)
        .map(feature => [feature, 1 + random.below(9)] as const),
      labels: [row % 60],
    }))
    const dataset = datasetOf(plain, 3000, 60)
    await withModel(dataset, { grower: 'graph', l1: 0, leafSize: 9, trees: 2, weighting: 'none', epochs: 3 }, model => {
      const { directionOffsets, listed } = model.forest.parts
      const lengths = directionOffsets.array.slice(1).map((end, i) => end - directionOffsets.array[i])
      expect(bucketsOf(Math.max(...lengths.subarray(listed)) - 1)).toBeGreaterThan(0)
      checkLeaves(model, dataset)
    })
  })

  it('are the same for a seed, and others for another', async () => {
    const nodesOf = (seed: number, threads: number) =>
      withModel(shelf, { seed, threads }, ({ forest }) => [...forest.parts.nodes.array])
    const one = await nodesOf(1, 1)
    expect(await nodesOf(1, 2)).toEqual(one)
    expect(await nodesOf(2, 1)).not.toEqual(one)
  })
})

/** Features of a row of length 1, by number. */
function unitRow({ indices, values }: SparseRow): Map<number, number> {
  const length = Math.hypot(...values)
  return new Map(Array.from(indices, (feature, e) => [feature, values[e] / length]))
}

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

/** Scores by label, 0 where there is none. */
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
          const explained = model.labelNames.all.map(label => explainForestLabel(model, query, label).score)
          expectNear(explained, byLabel)
        })
      }),
      { numRuns: 60 },
    )
  })
})

/** Rows of two kinds, which share neither labels nor features but for five that say nothing. */
function twoKinds(seed: number, rows: number, labels: number): Dataset {
  const random = new Random(seed)
  const plain = Array.from({ length: rows }, (_, row) => {
    const kind = row % 2
    const own = [...random.sample(10, 3)].map(feature => [10 * kind + feature, 1 + random.below(3)] as const)
    return { features: [...own, [20 + random.below(5), 2] as const], labels: [kind * labels + random.below(labels)] }
  })
  return datasetOf(plain, 25, 2 * labels)
}

/** Rows of eight labels, each with four features of its own, among others. */
function overlapping(seed: number, rows: number): Dataset {
  const random = new Random(seed)
  const plain = Array.from({ length: rows }, () => {
    const labels = [...random.sample(8, 1 + random.below(2))]
    const own = labels.flatMap(label => [...random.sample(4, 2)].map(feature => 4 * label + feature))
    const features = new Set([...own, random.below(32), random.below(32)])
    return { features: [...features].map(feature => [feature, 1] as const), labels }
  })
  return datasetOf(plain, 32, 8)
}

/** Of each tree, the rows on the left of its root; undefined where it is a leaf. */
function rootSides({ forest, rows }: ForestModel): (Set<number> | undefined)[] {
  const all = Array.from({ length: rows.count }, (_, row) => row)
  return Array.from({ length: forest.trees }, (_, tree) => {
    const isLeft = (row: number) => walkDown(forest.parts, rows.row(row), tree).steps[0]?.margin
    if (isLeft(0) === undefined) return undefined
    return new Set(all.filter(row => (isLeft(row) ?? 0) < 0))
  })
}

/** The share of the pairs of rows with a common label that a split takes apart. */
function cutShare(labels: LabelMatrix, left: Set<number>): number {
  let [edges, cut] = [0, 0]
  for (let a = 0; a < labels.rows; a++) {
    for (let b = 0; b < a; b++) {
      if (!labels.row(a).some(label => labels.row(b).includes(label))) continue
      edges++
      if (left.has(a) !== left.has(b)) cut++
    }
  }
  return cut / edges
}

describe('the graph grower', () => {
  it('parts rows whose labels never mix, at the root', async () => {
    for (const [rows, labels] of [
      [120, 5],
      // Two labels of 100 rows each, both above the tail threshold of 50.
      [200, 1],
    ] as const) {
      const sides = await withModel(twoKinds(1, rows, labels), { l1: 1, leafSize: 9 }, rootSides)
      for (const left of sides) {
        expect(left?.size).toBe(rows / 2)
        expect(new Set([...(left ?? [])].map(row => row % 2)).size).toBe(1)
      }
    }
  })

  it('cuts fewer edges of the label graph than random hyperplanes do, and leaves no side without rows', async () => {
    const shares: Record<string, number[]> = { graph: [], 'random-projection': [] }
    for (const seed of [1, 2, 3]) {
      const dataset = overlapping(seed, 150)
      for (const grower of ['graph', 'random-projection'] as const) {
        const sides = await withModel(dataset, { grower, seed, trees: 10, l1: 1, depth: 1 }, rootSides)
        for (const left of sides) {
          expect(Math.min(left!.size, 150 - left!.size)).toBeGreaterThan(15)
          shares[grower].push(cutShare(dataset.labels!, left!))
        }
      }
    }
    const [graph, random] = Object.values(shares).map(list => list.reduce((sum, share) => sum + share, 0) / 30)
    expect(graph).toBeLessThan(0.9 * random)
  })

  it('has fewer weights the higher l1 is', async () => {
    const weightsAt = (l1: number) =>
      withModel(overlapping(4, 150), { l1, depth: 1 }, ({ forest: { parts } }) => {
        // A word a weight, and one a direction.
        return parts.directionWords.length - parts.directionOffsets.length + 1
      })
    const counts = await Promise.all([0, 1, 4, 16].map(weightsAt))
    expect(counts[0]).toBe(20 * 32)
    for (let i = 1; i < counts.length; i++) expect(counts[i]).toBeLessThan(counts[i - 1])
  })

  it('makes a node a leaf where l1 leaves no weight', async () => {
    await withForest(vectors, { l1: 1000, trees: 3 }, model => {
      for (const tree of [0, 1, 2]) expect(model.describeTree(tree)).toMatchObject({ rows: 8 })
      expect(model.describeTree(0)).not.toHaveProperty('split')
      // Every label's share of all rows.
      const scores = model.predict(item([3, 1])).map(({ label, score }) => [label, score])
      expect(scores).toEqual([['0', 3], ['1', 2], ['2', 2], ['3', 2]].map(([label, rows]) => [label, expect.closeTo(Number(rows) / 8, 6)])) // biome-ignore format: one list
    })
  })
})

/** Scores by label, best first. */
const ranked = (model: ForestClassifier, query: SparseRow): [string, number][] =>
  model.predict(query, { top: 9 }).map(({ label, score }) => [label, Number(score.toFixed(5))])

describe.each(growers)('a forest grown by %s', grower => {
  const one: PlainRow['features'] = [[0, 1], [2, 3]] // biome-ignore format: one row
  const query = item([0, 2], [2, 6])

  it('scores equal rows by their shares of the labels, also of rows that have none', async () => {
    const labels = [[0], [0], [1], []]
    const equal = datasetOf(
      labels.map(held => ({ features: one, labels: held })),
      6,
      4,
    )
    await withForest(equal, { grower }, model => {
      expect(model.describeTree(7)).toEqual({ rows: 4, labels: [{ label: '0', rows: 2 }, { label: '1', rows: 1 }] }) // biome-ignore format: one node
      expect(ranked(model, query)).toEqual([['0', 0.5], ['1', 0.25]]) // biome-ignore format: one list
    })
    await withForest(equal, { grower, rule: 'voting' }, model => {
      expect(ranked(model, query)).toEqual([['0', 1], ['1', 1]]) // biome-ignore format: one list
    })
  })

  it('keeps rows without features together', async () => {
    const empty = datasetOf(
      [[2], [2], [3]].map(labels => ({ features: [], labels })),
      6,
      4,
    )
    await withForest(empty, { grower }, model => {
      const node = { rows: 3, labels: [{ label: '2', rows: 2 }, { label: '3', rows: 1 }] } // biome-ignore format: one node
      for (let tree = 0; tree < model.trees; tree++) expect(model.describeTree(tree)).toEqual(node)
      expect(model.predict(item())).toEqual([])
    })
  })

  it('is sure of the only label, and never suggests one that no row has', async () => {
    const plain = Array.from({ length: 9 }, (_, row) => ({ features: [[row % 6, 1] as const], labels: [1] }))
    await withForest(datasetOf(plain, 6, 4), { grower }, model => {
      for (let feature = 0; feature < 6; feature++) expect(ranked(model, item([feature, 1]))).toEqual([['1', 1]])
      expect([...model.labelCounts()]).toEqual([0, 9, 0, 0])
      expect(model.explain(query, '0')).toMatchObject({ score: 0, neighbors: [] })
    })
  })

  it('asks no tree about a feature that no training row has', async () => {
    const wide = {
      ...vectors,
      features: SparseMatrix.from([[[9, 1]]], 10)
        .slice(0, 0)
        .concat(sparse(vectors)),
    }
    await withForest(wide, { grower, weighting: 'none' }, model => {
      const { neighbors, paths } = model.explain(item([9, 1]), '0')
      expect(neighbors.every(({ similarity }) => similarity === 0)).toBe(true)
      expect(paths?.flatMap(({ steps }) => steps.flatMap(({ features }) => features))).toEqual([])
    })
  })
})

/** All labels' shares and paths of an item, beside what predict says. */
function checkExplanations(model: ForestClassifier, query: string): void {
  const found = model.predict(query, { top: 9 })
  expect(found.length).toBeGreaterThan(1)
  for (const { label, score } of found) {
    const { neighbors, score: explained, paths } = model.explain(query, label)
    expect(neighbors.every(({ share }) => share > 0)).toBe(true)
    expect(neighbors.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(explained, 9)
    expect(explained).toBeCloseTo(score, 5)
    expect(paths?.map(({ tree }) => tree)).toEqual([...Array(model.trees).keys()])
  }
}

describe('the explanations of ForestClassifier', () => {
  it.each<ForestClassifierOptions>([
    { blend: 0.4 },
    { blend: 1, blendPower: 1 },
    { probes: 15 },
    { probes: 15, blend: 0.4, tailLift: 0.7 },
    { rule: 'voting', blend: 0.4, tailLift: 1 },
    { rule: 'voting', probes: 15 },
    { leafSize: 5, depth: 2 },
  ])('add up with %o', async options => {
    await withForest(shelf, options, model => {
      for (const query of ['history of bread', 'the ships of rome']) checkExplanations(model, query)
    })
  })

  it('lead through each tree as it is described, by what an item has of its terms', async () => {
    const dataset = overlapping(5, 80)
    const query = sparse(dataset).row(3)
    const values = unitRow(query)
    const follow = (root: DescribedNode, { steps, rows }: TreePath) => {
      let node = root
      for (const { side, margin, features } of steps) {
        const { terms, threshold, left, right } = node.split!
        const products = terms.map(({ feature, weight }) => weight * (values.get(Number(feature)) ?? 0))
        const value = products.reduce((sum, product) => sum + product, 0) - threshold
        expect(margin).toBeGreaterThanOrEqual(0)
        expect(side === 'left' ? -margin : margin).toBeCloseTo(value, 4)
        const heaviest = products.map(Math.abs).sort((a, b) => b - a)
        expect(features.length).toBeLessThanOrEqual(3)
        expect(features.map(({ product }) => Math.abs(product))).toEqual(
          heaviest.slice(0, features.length).map(product => expect.closeTo(product, 5)),
        )
        node = side === 'left' ? left : right
      }
      expect([node.split, node.rows]).toEqual([undefined, rows])
    }
    for (const grower of growers) {
      await withForest(dataset, { grower, l1: 1, weighting: 'none', leafSize: 4 }, model => {
        const paths = model.explain(query, String(dataset.labels!.row(3)[0])).paths!
        expect(paths.some(({ steps }) => steps.length > 2)).toBe(true)
        for (const path of paths) follow(model.describeTree(path.tree), path)
      })
    }
  })

  it('describe nodes that hold the rows and labels of both their children', async () => {
    const check = (node: DescribedNode): void => {
      if (!node.split) return
      const { left, right } = node.split
      expect(left.rows + right.rows).toBe(node.rows)
      const counts = new Map<string, number>()
      for (const { label, rows } of [...left.labels, ...right.labels])
        counts.set(label, (counts.get(label) ?? 0) + rows)
      expect(Object.fromEntries(node.labels.map(({ label, rows }) => [label, rows]))).toEqual(
        Object.fromEntries(counts),
      )
      for (const child of [left, right]) check(child)
    }
    await withForest(shelf, {}, model => {
      for (let tree = 0; tree < model.trees; tree++) {
        const root = model.describeTree(tree)
        expect([root.rows, root.split?.terms.every(({ feature }) => /^[a-z]+$/.test(feature))]).toEqual([12, true])
        check(root)
      }
      for (const tree of [-1, 20, 0.5]) {
        expect(() => model.describeTree(tree)).toThrow(
          expect.objectContaining({
            code: 'INVALID_OPTION',
            message: `tree is ${tree}, expected a whole number from 0 to 19`,
          }),
        )
      }
    })
  })
})

/** Rows with labels that the shelf has not. */
const more: Dataset = {
  name: 'more',
  rows: 3,
  ids: ['the id of rome', 'the id of roses', 'the id of bread'],
  texts: ['rome and its harbors', 'roses of rome', 'secret bread of the baltic'],
  labels: LabelMatrix.from([[0, 1], [0], [2]], 3), // biome-ignore format: rows as rows
  labelNames: ['rome', 'shipping', 'hidden'],
}

describe('ForestClassifier, while it changes', () => {
  it.each<[string, (model: ForestClassifier) => unknown]>([
    ['rows are added', model => model.partialFit(more)],
    ['rows are removed', model => model.remove(['s1', 's2', 'c1'])],
    [
      'rows are added and removed and the model is saved',
      model => {
        model.partialFit(more)
        model.remove(['the id of rome', 's1', 'c1'])
        model.contents()
      },
    ],
  ])('answers a batch that is under way as before when %s', async (_what, change) => {
    await withForest(shelf, { blend: 0.5 }, async model => {
      model.partialFit({ ...shelf, ids: shelf.ids!.map(id => `again ${id}`) })
      const queries = Array.from({ length: 1500 }, (_, i) => shelf.texts![i % 12])
      const options = { top: 4, threads: 2 }
      const before = [await model.predictBatch(queries, options), await model.predictSets(queries)]
      const under = [model.predictBatch(queries, options), model.predictSets(queries)]
      change(model)
      expect(await Promise.all(under)).toEqual(before)
      expect(await model.predictBatch(queries, options)).not.toEqual(before[0])
    })
  })

  it('answers from its file as it does itself, and the file has nothing of rows that were removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'vicinal-forest-'))
    const path = join(folder, 'changed.model')
    const longIds = { ...shelf, ids: shelf.ids!.map(id => `the id of ${id}`) }
    await withForest(longIds, { blend: 0.3, probes: 4, tailLift: 0.5 }, async model => {
      model.partialFit(more)
      expect(model.remove(['the id of bread', 'the id of s2', 'the id of g1'])).toBe(3)
      await model.save(path)
      const loaded = await ForestClassifier.load(path, { engine })
      const answersOf = (asked: ForestClassifier) => [
        ...shelf.texts!.map(text => asked.predict(text, { top: 9 })),
        ...['rome', 'shipping', 'hidden'].map(label => asked.explain('harbors of rome', label).neighbors),
        ...[asked.rows, asked.labelNames, [...asked.labelCounts()]],
        ...Array.from({ length: asked.trees }, (_, tree) => asked.describeTree(tree)),
      ]
      expect(answersOf(loaded)).toEqual(answersOf(model))
      loaded.free()
    })
    const bytes = await readFile(path)
    await rm(folder, { recursive: true })
    const has = (texts: string[]) => texts.filter(text => bytes.includes(text))
    const kept = ['roses of rome', 'bread recipes', 'the id of rome', 'the id of s1']
    expect(has(kept)).toEqual(kept)
    const removed = ['secret bread', 'ships and harbors', 'growing roses']
    expect(has([...removed, 'the id of bread', 'the id of s2', 'the id of g1'])).toEqual([])
  })
})

/** The message of a refusal, or 'loaded' where the contents are taken: then all must work. Memory is given back either way. */
function outcome(contents: ModelContents): string {
  try {
    const model = ForestClassifier.fromContents(contents, { engine, name: 'it' })
    model.predict('history of ships')
    model.explain('history of ships', 'shipping')
    model.partialFit(more)
    model.remove(['s1', 'the id of rome'])
    model.contents()
    model.free()
    return 'loaded'
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'MODEL_DAMAGED') throw error
    return error.message.replace('it: the model cannot be loaded: ', '')
  } finally {
    expect(engine.arena.usedBytes).toBe(0)
  }
}

describe('contents of ForestClassifier', () => {
  let contents: ModelContents
  beforeAll(async () => {
    contents = await withForest(shelf, { tailLift: 0.5, blend: 0.3, probes: 3 }, model => model.contents())
  })
  const withTensor = (contents: ModelContents, name: string, array: TensorArray): ModelContents => ({
    ...contents,
    tensors: { ...contents.tensors, [name]: tensor1d(array) },
  })

  it('are refused with what is wrong with them', () => {
    const set = (name: string, at: number, number: number) =>
      withTensor(contents, name, (contents.tensors[name].array as Uint32Array).with(at, number))
    const about = (change: JsonObject) => ({ ...contents, meta: { ...contents.meta, ...change } })
    const forest = contents.meta.forest as JsonObject
    const last = contents.tensors.memberOffsets.array.length - 1
    // Whole trees, of another kind.
    const nodes = (contents.tensors['forest.nodes'].array as Uint32Array).map((number, at) =>
      at % 3 === 0 && number !== leafMark ? 0 : number,
    )
    const axisSplits = {
      ...about({ forest: { ...forest, splits: 'axis' } }),
      tensors: {
        ...contents.tensors,
        'forest.nodes': tensor1d(nodes),
        'forest.directionOffsets': tensor1d(Uint32Array.of(0)),
        'forest.directionWords': tensor1d(new Uint32Array(0)),
      },
    }
    const cases: [ModelContents, string][] = [
      [contents, 'loaded'],
      [set('members', 0, 12), 'a leaf holds a row that does not exist'],
      [set('members', 5, 0xffffffff), 'a leaf holds a row that does not exist'],
      [set('memberOffsets', 1, 0), 'its leaves do not hold the rows that they count'],
      [set('memberOffsets', 0, 1), 'its leaves do not hold the rows that they count'],
      [set('memberOffsets', last, 0), 'its leaves do not hold the rows that they count'],
      [set('forest.rows', 0, 5), 'its leaves do not hold the rows that they count'],
      [
        withTensor(contents, 'memberOffsets', new Uint32Array(2)),
        `"memberOffsets" has 2 elements, expected ${last + 1}`,
      ],
      [axisSplits, 'its trees were grown for other rows'],
      [about({ forest: { ...forest, splits: 'diagonal' } }), 'its splits are of an unknown kind'],
      [about({ forest: { ...forest, dims: 22 } }), 'its trees were grown for other rows'],
      [about({ forest: { ...forest, labels: 5 } }), 'its trees were grown for other rows'],
      [about({ forest: { ...forest, trees: 19 } }), 'its trees are broken'],
      [set('forest.directionWords', 1, 0xffffffff), 'a direction names a dimension that does not exist'],
      [set('forest.directionWords', 0, 0), 'a direction has no scale'],
      [set('forest.nodes', 0, 0x7fffffff), 'tree 0 leads nowhere'],
      [about({ threshold: null }), '"threshold" is null, expected a number'],
      [about({ text: 5 }), 'the text pipeline cannot be loaded: it is not an object'],
      [withTensor(contents, 'labelScales', new Float32Array(5)), '5 labels have a scale, but there are 4'],
      [{ ...contents, options: { ...contents.options, blend: 2 } }, 'blend is 2, expected a number from 0 to 1'],
    ]
    for (const [damaged, message] of cases) expect(outcome(damaged)).toBe(message)
  })

  it('are refused where a part is missing, too short or too long', () => {
    // Without these a model is another one, and whole.
    const optional = ['labelScales', 'texts.ends']
    for (const [name, { array }] of Object.entries(contents.tensors)) {
      const { [name]: _, ...others } = contents.tensors
      // Every typed array can be cut, and made longer, by its own type.
      const longer = new (array.constructor as Uint32ArrayConstructor)(array.length + 1)
      longer.set(array as Uint32Array)
      const damages = [
        ...(optional.includes(name) ? [] : [{ ...contents, tensors: others }]),
        withTensor(contents, name, longer),
        ...(array.length > 0 && name !== 'labelScales' ? [withTensor(contents, name, array.slice(0, -1))] : []),
      ]
      for (const [i, damage] of damages.entries()) expect([name, i, outcome(damage)]).not.toContain('loaded')
    }
  })

  it('are refused, or harmless, where a whole number is any other', () => {
    for (const [name, { array }] of Object.entries(contents.tensors)) {
      if (!(array instanceof Uint32Array)) continue
      const places = [0, 1, 2, 3, array.length >> 1, array.length - 1].filter(at => at >= 0 && at < array.length)
      for (const at of places) {
        for (const number of [0, array[at] + 1, 0x7fffffff, 0xffffffff]) {
          outcome(withTensor(contents, name, array.with(at, number)))
        }
      }
    }
  })
})

describe('the options of ForestClassifier', () => {
  it('are the defaults where they are not given, or undefined', () => {
    const given = { trees: 7, blend: undefined, threads: 2 } as object // as a command would pass it on
    expect(resolveForestOptions(given)).toEqual({ ...forestClassifierDefaults, trees: 7 })
  })

  it('name the method: GPT with the graph grower, else a forest', async () => {
    expect(await withForest(shelf, {}, ({ method }) => method)).toBe('gpt')
    expect(await withForest(shelf, { grower: 'kd' }, ({ method }) => method)).toBe('forest')
  })

  const takers = 'one of random-projection, kd, pca, classification, graph'
  it.each<[Record<string, unknown>, string, string]>([
    [
      { grower: 'oak' },
      'UNKNOWN_NAME',
      "grower is 'oak', expected one of random-projection, kd, chronological, pca, classification, graph",
    ],
    [{ grower: 'chronological' }, 'UNKNOWN_NAME', `grower is 'chronological', expected ${takers}`],
    [{ rule: 'best' }, 'UNKNOWN_NAME', "rule is 'best', expected one of natural, voting"],
    [{ rule: 'lookup', threshold: 0.3 }, 'UNKNOWN_NAME', "rule is 'lookup', expected one of natural, voting"],
    [{ weighting: 'bm25' }, 'UNKNOWN_NAME', "weighting is 'bm25', expected one of none, idf, chi2, learned, auto"],
    [{ trees: 0 }, 'INVALID_OPTION', 'trees is 0, expected a whole number from 1 to 1024'],
    [{ trees: '9' }, 'INVALID_OPTION', "trees is '9', expected a whole number from 1 to 1024"],
    [{ leafSize: 0 }, 'INVALID_OPTION', 'leafSize is 0, expected a whole number from 1 to 1048576'],
    [{ depth: 65 }, 'INVALID_OPTION', 'depth is 65, expected a whole number from 1 to 64'],
    [{ probes: -1 }, 'INVALID_OPTION', 'probes is -1, expected a whole number from 0 to 4096'],
    [{ blend: 1.1 }, 'INVALID_OPTION', 'blend is 1.1, expected a number from 0 to 1'],
    [{ blendPower: 0 }, 'INVALID_OPTION', 'blendPower is 0, expected a number above 0 and at most 100'],
    [{ tailLift: Number.NaN }, 'INVALID_OPTION', 'tailLift is NaN, expected a number from 0 to 1'],
    [{ axes: -1 }, 'INVALID_OPTION', 'axes is -1, expected a whole number from 0 to 65536'],
    [{ sampleRows: 1 }, 'INVALID_OPTION', 'sampleRows is 1, expected a whole number from 2 to 65536'],
    [{ density: 1.5 }, 'INVALID_OPTION', 'density is 1.5, expected a number from 0 to 1'],
    [{ pcaScope: 'tree' }, 'UNKNOWN_NAME', "pcaScope is 'tree', expected one of node, level"],
    [{ graphNeighbors: 0 }, 'INVALID_OPTION', 'graphNeighbors is 0, expected a whole number from 1 to 1000'],
    [{ negatives: 0.5 }, 'INVALID_OPTION', 'negatives is 0.5, expected a whole number from 0 to 1000'],
    [{ epochs: 0 }, 'INVALID_OPTION', 'epochs is 0, expected a whole number from 1 to 1000'],
    [{ epochRows: -1 }, 'INVALID_OPTION', 'epochRows is -1, expected a whole number from 0 to 2147483648'],
    [{ tailThreshold: 1 }, 'INVALID_OPTION', 'tailThreshold is 1, expected a whole number from 2 to 2147483648'],
    [{ l1: -1 }, 'INVALID_OPTION', 'l1 is -1, expected a number from 0 to 1000000'],
    [{ learningRate: 0 }, 'INVALID_OPTION', 'learningRate is 0, expected a number above 0 and at most 1000'],
    [{ threshold: 2 }, 'INVALID_OPTION', 'threshold is 2, expected a number from 0 to 1, or a way to choose it'],
    [{ leafsize: 3 }, 'UNKNOWN_NAME', 'unknown option "leafsize"'],
  ])('are refused: %o', async (options, code, message) => {
    await expect(ForestClassifier.fit(shelf, { ...options, engine })).rejects.toMatchObject({ code, message })
  })

  it('are listed where a name is none of them', () => {
    expect(() => resolveForestOptions({ leafsize: 3 } as ForestClassifierOptions)).toThrow(
      expect.objectContaining({ hint: expect.stringContaining('trees, leafSize, depth') }),
    )
  })
})

describe('the memory of ForestClassifier', () => {
  it.each(['growing trees', 'counting labels', 'writing leaves'])(
    'is given back when fitting is stopped: %s',
    async stage => {
      const controller = new AbortController()
      const onProgress = ({ what }: { what: string }) => what === stage && controller.abort()
      const fitted = ForestClassifier.fit(shelf, { engine, signal: controller.signal, onProgress })
      await expect(fitted).rejects.toMatchObject({ code: 'ABORTED' })
      expect(engine.arena.usedBytes).toBe(0)
    },
  )

  it('is not even taken where fitting is stopped before it begins', async () => {
    const fitted = ForestClassifier.fit(shelf, { engine, signal: AbortSignal.abort() })
    await expect(fitted).rejects.toMatchObject({ code: 'ABORTED' })
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('is given back by free, whatever the model went through', async () => {
    await withForest(shelf, { blend: 0.5, probes: 3 }, async model => {
      model.predict('ships')
      model.partialFit(more)
      model.explain('ships', 'rome')
      const under = model.predictSets(['ships', 'bread'])
      model.remove(['s1', 'the id of roses'])
      await under
      model.contents()
    })
    expect(engine.arena.usedBytes).toBe(0)
  })
})
