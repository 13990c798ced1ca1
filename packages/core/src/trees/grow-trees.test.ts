import fc from 'fast-check'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { denseLeaves } from '../forest/dense-leaves.ts'
import { growForest } from '../forest/grow-forest.ts'
import { Engine } from '../kernels/engine.ts'
import type { GrowerOptions } from './grower-options.ts'
import type { GrowerName } from './growers.ts'
import { findGrower, growerNames } from './growers.ts'
import {
  depthUnder,
  grow,
  growSparse,
  leafOf,
  normalRows,
  type PlainTree,
  rowsUnder,
  sparseRows,
  type Wish,
  withGrowing,
} from './grown.cases.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

/** Every grower, and the other scope of 'pca'. */
const growers: readonly [name: string, grower: GrowerName, options: GrowerOptions][] = [
  // With the default l1 the graph grower finds few rows not worth a split.
  ...growerNames.map(name => [name, name, name === 'graph' ? { l1: 0 } : {}] as [string, GrowerName, GrowerOptions]),
  ['pca, a direction a level', 'pca', { pcaScope: 'level' }],
]
const rows = normalRows(5, 150, 6)
const equal = (count: number): number[][] => Array.from({ length: count }, () => [1, 2, 3, 4])

/** The leaf of each tree, by the kernel that queries are routed with. */
async function routed(points: number[][], wish: Wish): Promise<number[][]> {
  return withGrowing(engine, points, wish, async growing => {
    const forest = await growForest(engine, { ...growing, plainVotes: true })
    const { view, dims } = growing
    const seen = points.map((_, i) => view.array.slice(i * dims, (i + 1) * dims))
    const leaves = seen.map(point => [...denseLeaves(engine, forest, point)])
    forest.free()
    return leaves
  })
}

describe.each(growers)('trees grown by %s', (_, grower, options) => {
  const wish: Wish = { grower, options, trees: 5, leafSize: 4, depth: 12 }

  it('hold every row in exactly one leaf', async () => {
    for (const { leaves } of (await grow(engine, rows, wish)).trees) {
      expect(leaves.flat().sort((a, b) => a - b)).toEqual([...rows.keys()])
      expect(leaves.every(leaf => leaf.length > 0)).toBe(true)
    }
  })

  it('lead every row to the leaf that holds it', async () => {
    const { trees } = await grow(engine, rows, wish)
    const reached = await routed(rows, wish)
    let first = 0
    trees.forEach(({ leaves }, tree) => {
      leaves.forEach((leaf, i) => {
        for (const row of leaf) expect(reached[row][tree]).toBe(first + i)
      })
      first += leaves.length
    })
  })

  it('stop at the leaf size, and not before', async () => {
    for (const tree of (await grow(engine, rows, wish)).trees) {
      tree.nodes.forEach(({ axis }, node) => {
        const size = rowsUnder(tree, node).length
        expect(axis === undefined ? size <= 4 : size > 4).toBe(true)
      })
    }
  })

  it('stop at the depth', async () => {
    for (const { nodes } of (await grow(engine, rows, { ...wish, leafSize: 1, depth: 3 })).trees) {
      expect(depthUnder(nodes)).toBe(3)
    }
    for (const { leaves } of (await grow(engine, rows, { ...wish, depth: 0 })).trees) expect(leaves).toHaveLength(1)
  })

  it('keep a thousand equal rows together', async () => {
    for (const { nodes, leaves } of (await grow(engine, equal(1000), wish)).trees) {
      expect(nodes).toEqual([{ axis: undefined, threshold: 0, right: 0 }])
      expect(leaves[0]).toHaveLength(1000)
    }
  })

  it('tell the one row apart that differs in one number', async () => {
    const points = equal(9)
    points[3][2] = 3.5
    const all = { ...options, axes: 4, density: 1 }
    const { trees } = await grow(engine, points, { ...wish, options: all, leafSize: 1 })
    for (const { leaves } of trees) {
      expect(leaves).toHaveLength(2)
      expect(leaves.some(leaf => leaf.length === 1 && leaf[0] === 3)).toBe(true)
    }
  })

  it('are the same for one thread and two, and for the same seed', async () => {
    const one = await grow(engine, rows, { ...wish, threads: 1 })
    expect(await grow(engine, rows, { ...wish, threads: 2 })).toEqual(one)
  })

  it('differ between trees and seeds, but for the chronological, which leave nothing to chance', async () => {
    const [one, other] = [await grow(engine, rows, wish), await grow(engine, rows, { ...wish, seed: 2 })]
    const isFixed = grower === 'chronological'
    expect(JSON.stringify(one.trees[0]) === JSON.stringify(other.trees[0])).toBe(isFixed)
    expect(JSON.stringify(one.trees[0]) === JSON.stringify(one.trees[1])).toBe(isFixed)
  })
})

/** Growers of sparse rows, with options under which they split as long as rows differ. */
const sparseGrowers: readonly [grower: GrowerName, options: GrowerOptions][] = [
  ['random-projection', { density: 1 }],
  ['kd', { axes: 12 }],
  ['pca', {}],
  ['classification', { axes: 12, sampleRows: 200 }],
  ['graph', { l1: 0 }],
]

describe.each(sparseGrowers)('trees grown by %s on sparse rows', (grower, options) => {
  const sparse = sparseRows(6, 120, 12)
  const wish: Wish = { grower, options, trees: 4, leafSize: 4, depth: 20 }

  it('keep a direction an inner node: features in order, each once, none with a weight of zero', async () => {
    const { splits, trees, directions } = await growSparse(engine, sparse, wish)
    const { offsets, indices, values } = directions
    expect(splits).toBe('sparse')
    expect(offsets).toHaveLength(1 + trees.reduce((sum, { leaves }) => sum + leaves.length - 1, 0))
    expect([indices.length, values.every(weight => weight !== 0 && Number.isFinite(weight))]).toEqual([
      offsets.at(-1),
      true,
    ])
    for (let row = 0; row + 1 < offsets.length; row++) {
      const own = [...indices.subarray(offsets[row], offsets[row + 1])]
      expect(own.length).toBeGreaterThan(0)
      expect(own).toEqual([...new Set(own)].sort((a, b) => a - b))
    }
  })

  it('stop at the leaf size, and not before, and at the depth', async () => {
    for (const tree of (await growSparse(engine, sparse, wish)).trees) {
      tree.nodes.forEach(({ axis }, node) => {
        const size = rowsUnder(tree, node).length
        expect(axis === undefined ? size <= 4 : size > 4).toBe(true)
      })
    }
    const { trees } = await growSparse(engine, sparse, { ...wish, leafSize: 1, depth: 3 })
    expect(trees.map(({ nodes }) => depthUnder(nodes))).toEqual([3, 3, 3, 3])
  })

  it('are the same for one thread and two, and others for another seed', async () => {
    const one = await growSparse(engine, sparse, { ...wish, threads: 1 })
    expect(await growSparse(engine, sparse, { ...wish, threads: 2 })).toEqual(one)
    expect(await growSparse(engine, sparse, { ...wish, seed: 2 })).not.toEqual(one)
    expect(one.trees[0]).not.toEqual(one.trees[1])
  })

  it.each([
    ['equal', Array.from({ length: 300 }, () => [0, 2, 0, 1])],
    ['empty', Array.from({ length: 300 }, () => [0, 0, 0, 0])],
  ])('keep %s rows together', async (_, points) => {
    const { trees, directions } = await growSparse(engine, points, wish)
    for (const { nodes, leaves } of trees) {
      expect(nodes).toEqual([{ axis: undefined, threshold: 0, right: 0 }])
      expect(leaves[0]).toHaveLength(300)
    }
    expect(directions.indices).toHaveLength(0)
  })

  it('hold each row in the one leaf that it falls into, and have fewer of them at every step', async () => {
    const row = fc.tuple(fc.nat(2), fc.nat(1), fc.nat(3), fc.nat(1), fc.nat(2))
    const own = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(row, own), { minLength: 1, maxLength: 20 }), async pairs => {
        const [points, labels] = [pairs.map(([values]) => values as number[]), pairs.map(([, held]) => held)]
        const grown = await growSparse(engine, points, { ...wish, leafSize: 1, trees: 2, labels })
        grown.trees.forEach((tree, number) => {
          expect(rowsUnder(tree, 0).sort((a, b) => a - b)).toEqual([...points.keys()])
          expect(tree.nodes).toHaveLength(2 * tree.leaves.length - 1)
          tree.leaves.forEach((leaf, i) => {
            for (const member of leaf) expect(leafOf(grown, number, points[member])).toBe(i)
          })
          tree.nodes.forEach(({ axis, right }, node) => {
            if (axis === undefined) return
            const [left, others] = [rowsUnder(tree, node + 1).length, rowsUnder(tree, right).length]
            expect([left > 0, others > 0, left + others]).toEqual([true, true, rowsUnder(tree, node).length])
          })
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('trees of sparse rows', () => {
  it('are refused by growers that take none', async () => {
    await expect(growSparse(engine, sparseRows(1, 9, 4), { grower: 'chronological' })).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: 'chronological trees do not take sparse rows',
    })
  })

  it.each([1, 2])('are given up within a second, on %i threads, and reported until then', async threads => {
    // A tree takes half a minute: its rows are visited a thousand times.
    const options = { l1: 0, epochs: 1000, epochRows: 2000, negatives: 10 }
    const points = sparseRows(11, 2000, 300)
    const stop = new AbortController()
    let [reports, last, longest, aborted] = [0, 0, 0, 0]
    const onProgress = () => {
      const now = performance.now()
      if (reports > 0) longest = Math.max(longest, now - last)
      last = now
      if (++reports !== 10) return
      aborted = now
      setTimeout(() => stop.abort(), 0)
    }
    const wish: Wish = { grower: 'graph', options, trees: threads, threads }
    const grown = growSparse(engine, points, wish, 0, { signal: stop.signal, onProgress })
    await expect(grown).rejects.toMatchObject({ code: 'ABORTED' })
    expect(performance.now() - aborted).toBeLessThan(1000)
    expect(longest).toBeLessThan(500)
  })

  it('are grown again where their weights find no room, and come out the same', async () => {
    // 64 rows of 80 features, all their own: every level of a tree has a weight for each.
    const points = Array.from({ length: 64 }, (_, row) =>
      Array.from({ length: 64 * 80 }, (_, j) => (Math.floor(j / 80) === row ? 1 + (j % 3) : 0)),
    )
    const wish: Wish = { grower: 'graph', options: { l1: 0, epochRows: 64 }, trees: 3 }
    const grown = await growSparse(engine, points, wish)
    expect(grown.directions.indices.length / 3).toBeGreaterThan(2 * 64 * 80)
    expect(await growSparse(engine, points, { ...wish, threads: 2 })).toEqual(grown)
    // With room for all of them from the start.
    expect(await growSparse(engine, points, wish, 500_000)).toEqual(grown)
  })
})

describe('a chronological tree', () => {
  it('halves on the axes in turn, a level each, at the median', async () => {
    // Eight points on the diagonal: x at the top, then y, then x again.
    const diagonal = Array.from({ length: 8 }, (_, i) => [i + 1, i + 1])
    const [{ nodes, leaves }] = (await grow(engine, diagonal, { grower: 'chronological' })).trees
    const splits = nodes.filter(({ axis }) => axis !== undefined).map(({ axis, threshold }) => [axis, threshold])
    expect(splits).toEqual([[0, 4.5], [1, 2.5], [0, 1.5], [0, 3.5], [1, 6.5], [0, 5.5], [0, 7.5]]) // biome-ignore format: one list
    expect(leaves).toEqual([[0], [1], [2], [3], [4], [5], [6], [7]])
  })

  it('tries the next axis if the rows do not differ on its own', async () => {
    const upright = [[7, 1], [7, 2], [7, 4]] // biome-ignore format: rows as rows
    const [{ nodes, leaves }] = (await grow(engine, upright, { grower: 'chronological' })).trees
    expect([nodes[0].axis, nodes[0].threshold, leaves]).toEqual([1, 1.5, [[0], [1], [2]]])
  })

  it('splits beside the median where the median is there many times', async () => {
    const many = [[5], [5], [5], [5], [9]]
    const [{ nodes, leaves }] = (await grow(engine, many, { grower: 'chronological' })).trees
    expect([nodes[0].threshold, leaves]).toEqual([7, [[0, 1, 2, 3], [4]]])
  })
})

describe('a k-d tree', () => {
  it('chooses among the widest axes only, and among all of those', async () => {
    const wide = normalRows(8, 100, 5).map(row => row.map((value, j) => (j === 1 || j === 4 ? 50 : 1) * value))
    const { trees } = await grow(engine, wide, { grower: 'kd', options: { axes: 2 }, trees: 30, leafSize: 60 })
    expect(new Set(trees.map(({ nodes }) => nodes[0].axis))).toEqual(new Set([1, 4]))
  })

  it('has five axes to choose from unless told otherwise, or all', () => {
    const kd = findGrower('kd')
    expect([kd.axes({}, 16), kd.axes({}, 3), kd.axes({ axes: 7 }, 16), kd.axes({ axes: 0 }, 16)]).toEqual([5, 3, 7, 5])
  })
})

describe('a random projection tree', () => {
  it('has a new sparse direction a level, with the share of entries that is asked for', async () => {
    const points = normalRows(9, 40, 16)
    const entriesOf = async (options: GrowerOptions) => {
      const { directions } = await grow(engine, points, { grower: 'random-projection', options, trees: 2, depth: 4 })
      expect(directions.offsets).toHaveLength(2 * 4 + 1)
      for (let row = 0; row < 8; row++) {
        const own = directions.indices.subarray(directions.offsets[row], directions.offsets[row + 1])
        expect(new Set(own).size).toBe(own.length)
      }
      return directions.offsets[8] / 8
    }
    expect(await entriesOf({})).toBe(4)
    expect(await entriesOf({ density: 0.5 })).toBe(8)
    expect(await entriesOf({ density: 1 })).toBe(16)
    expect(await entriesOf({ density: 0.001 })).toBe(1)
  })
})

describe('a principal component tree', () => {
  // Long along (3, 4) / 5, thin across.
  const long = normalRows(10, 200, 2).map(([along, across]) => [6 * along - 0.08 * across, 8 * along + 0.06 * across])
  const alongCosine = (direction: Float32Array) => Math.abs(0.6 * direction[0] + 0.8 * direction[1])

  it('halves along the widest direction of its rows', async () => {
    const { trees } = await grow(engine, long, { grower: 'pca', depth: 1 })
    expect(alongCosine(trees[0].ownDirections)).toBeGreaterThan(0.9999)
    expect(trees[0].leaves.map(leaf => leaf.length)).toEqual([100, 100])
  })

  it('takes the widest direction for the first level and the one across for the second, then both again', async () => {
    const options = { pcaScope: 'level' } as const
    const { splits, directions } = await grow(engine, long, { grower: 'pca', options, depth: 3 })
    const cosines = [0, 2, 4].map(at => alongCosine(directions.values.subarray(at, at + 2)))
    expect(splits).toBe('level')
    expect([cosines[0], cosines[2]].every(cosine => cosine > 0.9999)).toBe(true)
    expect(cosines[1]).toBeLessThan(0.02)
  })
})

/** Σ over both sides and all labels of c · log(c / C): what a split says about the labels. */
function likelihood(sides: readonly (readonly number[])[], labels: readonly (readonly number[])[]): number {
  let sum = 0
  for (const side of sides) {
    const all = side.flatMap(row => labels[row])
    for (const label of new Set(all)) {
      const count = all.filter(other => other === label).length
      sum += count * Math.log(count / all.length)
    }
  }
  return sum
}

/** The best that any axis and threshold can do; undefined if the rows are all equal. */
function bestLikelihood(points: number[][], node: number[], labels: number[][]): number | undefined {
  const found = points[0].flatMap((_, axis) =>
    [...new Set(node.map(row => points[row][axis]))]
      .sort((a, b) => a - b)
      .slice(1)
      .map(value => {
        const [left, right] = [
          node.filter(row => points[row][axis] < value),
          node.filter(row => points[row][axis] >= value),
        ]
        return likelihood([left, right], labels)
      }),
  )
  return found.length === 0 ? undefined : Math.max(...found)
}

describe('a classification tree', () => {
  const options = { axes: 3, sampleRows: 100 }

  it('parts rows of different labels, whatever the axis that does it', async () => {
    // Labels go with the third number; the first two are wider, and say nothing.
    const points = [[0, 90, 1], [50, 10, 2], [20, 70, 2], [90, 80, 5], [10, 20, 6], [70, 50, 6]] // biome-ignore format: rows as rows
    const labels = [
      [0, 1],
      [0, 1],
      [0, 1],
      [2, 3],
      [2, 3],
      [2, 3],
    ]
    const [{ nodes, leaves }] = (await grow(engine, points, { grower: 'classification', options, labels, depth: 1 }))
      .trees
    expect([nodes[0].axis, nodes[0].threshold, leaves]).toEqual([
      2,
      3.5,
      [
        [0, 1, 2],
        [3, 4, 5],
      ],
    ])
  })

  it('splits every node as well as trying all axes and thresholds does', async () => {
    const row = fc.tuple(fc.nat(5), fc.nat(5), fc.nat(3))
    const own = fc.uniqueArray(fc.nat(4), { minLength: 1, maxLength: 3 })
    const checkNode = (tree: PlainTree, node: number, points: number[][], labels: number[][]) => {
      const rows = rowsUnder(tree, node)
      const best = bestLikelihood(points, rows, labels)
      const isPure = new Set(rows.map(member => labels[member].toSorted().join())).size === 1
      const { axis, right } = tree.nodes[node]
      expect(axis === undefined).toBe(isPure || best === undefined)
      if (axis === undefined) return
      const sides = [rowsUnder(tree, node + 1), rowsUnder(tree, right)]
      expect(likelihood(sides, labels)).toBeCloseTo(best ?? Number.NaN, 8)
    }
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(row, own), { minLength: 1, maxLength: 12 }), async pairs => {
        const [points, labels] = [pairs.map(([values]) => values as number[]), pairs.map(([, held]) => held)]
        const { trees } = await grow(engine, points, { grower: 'classification', options, labels })
        for (const node of trees[0].nodes.keys()) checkNode(trees[0], node, points, labels)
      }),
      { numRuns: 60 },
    )
  })

  it('tries √dims axes a node unless told otherwise', () => {
    const { axes, usesLabels } = findGrower('classification')
    expect([axes({}, 16), axes({}, 17), axes({ axes: 0 }, 16), axes({ axes: 9 }, 4), usesLabels]).toEqual([
      4,
      5,
      4,
      4,
      true,
    ])
  })
})

describe('growers', () => {
  it('are refused by names that are none', () => {
    // A name that the type does not allow, as a caller without types may give.
    expect(() => findGrower('oak' as GrowerName)).toThrow(
      "grower is 'oak', expected one of random-projection, kd, chronological, pca, classification",
    )
  })
})
