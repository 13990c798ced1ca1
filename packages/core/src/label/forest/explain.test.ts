import { describe, expect, it } from 'vitest'
import type { TreePath } from '../classifier.ts'
import type { DescribedNode } from '../described-node.ts'
import { shelf } from '../shelf.cases.ts'
import type { ForestClassifier } from './forest-classifier.ts'
import { growers, overlapping, sparse, unitRow, withForest } from './forest-model.cases.ts'
import type { ForestClassifierOptions } from './options.ts'

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
