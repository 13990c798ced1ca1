import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { Random } from '../../random.ts'
import { bucketsOf } from '../../trees/packed-directions.ts'
import { readItem } from '../reading/item-reader.ts'
import { shelf, vectors } from '../shelf.cases.ts'
import { anyRows, datasetOf, growers, item, overlapping, sparse, withForest, withModel } from './forest-model.cases.ts'
import { type ForestModel, readingOf } from './model.ts'
import { walkDown } from './walk.ts'

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

/** Of each tree, the rows on the left of its root; undefined if it is a leaf. */
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
