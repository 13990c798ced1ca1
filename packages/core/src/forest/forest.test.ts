import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { denseRowsFrom } from '../search/dense/dense-rows.ts'
import type { Effort } from '../search/forest/block.ts'
import { forestSettings } from '../search/forest/options.ts'
import { forestNeighbors } from '../search/forest/search.ts'
import { sketchRows } from '../search/forest/training-rows.ts'
import { growerNames } from '../trees/growers.ts'
import { grow, leafOf, marginAt, normalRows, type PlainTrees, type Wish, withGrowing } from '../trees/grown.cases.ts'
import type { Forest } from './forest.ts'
import { growForest } from './grow-forest.ts'
import { bitsFor, checkPacking } from './leaf-counts.ts'
import { dropped } from './repack-leaves.ts'

const engine = new Engine()
afterEach(() => expect(engine.arena.usedBytes).toBe(0))
afterAll(() => engine.close())

const corpus = normalRows(21, 60, 4)
const queries = normalRows(22, 12, 4)
const squared = (a: number[], b: number[]) => a.reduce((sum, x, j) => sum + (x - b[j]) ** 2, 0)
/** The three nearest rows of each row, itself among them. */
const neighbors = corpus.map(row =>
  [...corpus.keys()].sort((a, b) => squared(row, corpus[a]) - squared(row, corpus[b])).slice(0, 3),
)
const themselves = corpus.map((_, row) => [row])

/** The leaves that a query reaches in each tree: the tree's own, then the nearest of those beside (best bin first). */
function reachedLeaves(grown: PlainTrees, trees: number, probes: number, point: number[]): number[][] {
  const found: number[][] = []
  const detours: { tree: number; node: number; distance: number }[] = []
  const descend = (tree: number, from: number, distance: number): number => {
    const { nodes } = grown.trees[tree]
    let node = from
    while (nodes[node].axis !== undefined) {
      const off = Math.fround(marginAt(grown, tree, node, point))
      const [near, far] = off < 0 ? [node + 1, nodes[node].right] : [nodes[node].right, node + 1]
      // As the kernel has it, so that ties (trees may be alike) are ties here: the latest noted is taken first.
      detours.unshift({ tree, node: far, distance: Math.fround(distance + Math.fround(off * off)) })
      node = near
    }
    return nodes[node].right
  }
  for (let tree = 0; tree < trees; tree++) found.push([descend(tree, 0, 0)])
  for (let probe = 0; probe < probes && detours.length > 0; probe++) {
    detours.sort((a, b) => a.distance - b.distance)
    const [{ tree, node, distance }] = detours.splice(0, 1)
    found[tree].push(descend(tree, node, distance))
  }
  return found
}

/** Formulas (4) and (5): a label's share among the rows of the leaves reached, as one part of the space; the mean of it over trees. */
function naturalScores(grown: PlainTrees, leaves: number[][], labels: number[][]): number[] {
  const scores = corpus.map(() => 0)
  leaves.forEach((reached, tree) => {
    const rows = reached.flatMap(leaf => [...grown.trees[tree].leaves[leaf]])
    for (const row of rows) for (const label of labels[row]) scores[label] += 1 / rows.length / leaves.length
  })
  return scores
}

/** The share of the trees where the query reaches a leaf that holds the row itself. */
function votes(grown: PlainTrees, leaves: number[][]): number[] {
  return corpus.map((_, row) => {
    const holds = (reached: number[], tree: number) =>
      reached.some(leaf => grown.trees[tree].leaves[leaf].includes(row))
    return leaves.filter(holds).length / leaves.length
  })
}

/** `block` is the forest's own where it is not given. */
type Ask = (query: number, effort: Partial<Effort>, block?: number) => Promise<number[]>

/** A forest over the corpus, and a way to ask it which rows it takes for candidates: all that it finds when it may find all. */
async function withForest<T>(
  wish: Wish,
  plainVotes: boolean,
  use: (forest: Forest, ask: Ask, grown: PlainTrees) => Promise<T>,
): Promise<T> {
  const grown = await grow(engine, corpus, wish)
  return withGrowing(engine, corpus, wish, async growing => {
    const scope = engine.arena.scope()
    const rows = denseRowsFrom(engine, 'euclidean', DenseMatrix.from(corpus))
    const build = { settings: forestSettings({}), neighborLists: 'exact', discard: freeNow, threads: 1 } as const
    const { sketch, codes } = await sketchRows(engine, scope, rows, build)
    const forest = await growForest(engine, { ...growing, plainVotes })
    const placed = scope.place(Float32Array.from(queries.flat()))
    const ask: Ask = async (query, effort, block = forest.pointer) => {
      const found = await forestNeighbors(engine, {
        searched: { rows, sketch, codes, forest: block, treesSeeSketch: false },
        queries: { pointer: placed.pointer + 4 * 4 * query, rows: 1 },
        k: rows.rows,
        effort: { trees: forest.trees, threshold: 0, probes: 0, rerank: 1, walk: 0, ...effort },
        threads: 1,
      })
      expect(found.candidates).toBe(found.counts[0])
      return [...found.rows.subarray(0, found.counts[0])].sort((a, b) => a - b)
    }
    try {
      return await use(forest, ask, grown)
    } finally {
      for (const part of [forest, sketch, codes, rows, scope]) part.free()
    }
  })
}

const freeNow = (slice: { free(): void }) => slice.free()

/** Thresholds halfway between all scores that there are: none is decided by the last bit. */
function thresholdsBetween(scores: readonly number[]): number[] {
  const all = [...new Set([0, ...scores].map(score => Math.round(score * 1e6) / 1e6))].sort((a, b) => a - b)
  return all.slice(1).map((score, i) => (score + all[i]) / 2)
}

const above = (scores: number[], limit: number) => [...scores.keys()].filter(row => scores[row] > limit)

describe.each(growerNames)('a forest of %s trees', grower => {
  const wish: Wish = { grower, trees: 5, leafSize: 6, depth: 8, labels: neighbors }

  it('takes the rows for candidates whose mean share among the neighbors of the leaves is above the threshold', async () => {
    await withForest(wish, false, async (_, ask, grown) => {
      for (const [query, point] of queries.entries()) {
        const scores = naturalScores(grown, reachedLeaves(grown, 5, 0, point), neighbors)
        for (const threshold of thresholdsBetween(scores)) {
          expect(await ask(query, { threshold })).toEqual(above(scores, threshold))
        }
      }
    })
  })

  it('takes the rows themselves that share leaves, by their share of the trees, where votes are plain', async () => {
    await withForest({ ...wish, labels: themselves }, true, async (_, ask, grown) => {
      for (const [query, point] of queries.entries()) {
        const shares = votes(grown, reachedLeaves(grown, 5, 0, point))
        expect(await ask(query, {})).toEqual(above(shares, 0))
        for (const threshold of [0.1, 0.3, 0.5, 0.7, 0.9]) {
          expect(await ask(query, { threshold })).toEqual(above(shares, threshold))
        }
      }
    })
  })

  it('asks the first trees only where fewer are asked', async () => {
    await withForest(wish, false, async (_, ask, grown) => {
      for (const trees of [1, 2, 3, 4]) {
        const scores = naturalScores(grown, reachedLeaves(grown, trees, 0, queries[0]), neighbors)
        expect(await ask(0, { trees })).toEqual(above(scores, 0))
      }
    })
  })

  it('takes all leaves that it probes in a tree as one part of the space', async () => {
    // Principal directions of two trees differ by rounding alone, and so would the order of their leaves.
    const trees = grower === 'pca' ? 1 : 5
    await withForest({ ...wish, trees }, false, async (_, ask, grown) => {
      for (const [query, point] of queries.entries()) {
        for (const probes of [1, 2, 5, 11]) {
          const scores = naturalScores(grown, reachedLeaves(grown, trees, probes, point), neighbors)
          for (const threshold of [0, ...thresholdsBetween(scores).slice(0, 3)]) {
            expect(await ask(query, { threshold, probes })).toEqual(above(scores, threshold))
          }
        }
      }
    })
  })

  it('loses nothing by more probes, and ends when all leaves are visited', async () => {
    await withForest({ ...wish, labels: themselves }, true, async (_, ask) => {
      let before: number[] = []
      for (const probes of [0, 1, 2, 4, 8, 16, 32, 5000]) {
        const found = await ask(3, { probes })
        expect(before.filter(row => !found.includes(row))).toEqual([])
        before = found
      }
      expect(before).toEqual([...corpus.keys()])
    })
  })
})

/** What every leaf counts, by label. */
function countsOf({ parts }: Forest): Map<number, number>[] {
  const { offsets, entries, rows, countBits } = parts
  return Array.from(rows.array, (_, leaf) => {
    const own = [...entries.array.subarray(offsets.array[leaf], offsets.array[leaf + 1])]
    expect(own).toEqual([...own].sort((a, b) => a - b))
    return new Map(own.map(entry => [entry >>> countBits, entry & (2 ** countBits - 1)]))
  })
}

/** The same from the trees' leaves, in plain words. */
function countAll(grown: PlainTrees, labels: number[][]): Map<number, number>[] {
  return grown.trees.flatMap(({ leaves }) =>
    leaves.map(leaf => {
      const counts = new Map<number, number>()
      const own = leaf.flatMap(row => labels[row]).sort((a, b) => a - b)
      for (const label of own) counts.set(label, (counts.get(label) ?? 0) + 1)
      return counts
    }),
  )
}

describe('the leaves of a forest', () => {
  const wish: Wish = { grower: 'kd', trees: 3, leafSize: 6, labels: neighbors }

  it('count the labels of their rows, in no more bits than the highest count needs', async () => {
    await withForest(wish, false, async (forest, _, grown) => {
      expect(countsOf(forest)).toEqual(countAll(grown, neighbors))
      const highest = Math.max(...countsOf(forest).flatMap(counts => [...counts.values()]))
      expect(forest.parts.countBits).toBe(bitsFor(highest))
      expect([...forest.parts.rows.array]).toEqual(grown.trees.flatMap(({ leaves }) => leaves.map(leaf => leaf.length)))
    })
  })

  it('count what is added at once, and the same after packing', async () => {
    await withForest(wish, false, async (forest, ask, grown) => {
      const place = queries.map(point => [0, 1, 2].map(tree => leafOf(grown, tree, point)))
      // One row more, with four labels, in the leaves of a query: two that are counted there, and two that are not.
      const leaves = firstLeafOf(grown).map((first, tree) => first + place[0][tree])
      const added = [neighbors[0][0], neighbors[1][0], 58, 59]
      const expected = countAll(grown, neighbors)
      forest.countRow(Uint32Array.from(leaves))
      for (const label of added) {
        forest.countLabel(label, Uint32Array.from(leaves))
        for (const leaf of leaves) expected[leaf].set(label, (expected[leaf].get(label) ?? 0) + 1)
      }
      expect(forest.entryCounts.added).toBe(12)
      const before = await ask(0, { threshold: 0.01 })
      expect(before).toEqual(expect.arrayContaining([58, 59]))
      forest.repack(undefined, forest.labels)
      expect(forest.entryCounts.added).toBe(0)
      expect(countsOf(forest)).toEqual(expected.map(counts => new Map([...counts].sort(([a], [b]) => a - b))))
      expect(await ask(0, { threshold: 0.01 })).toEqual(before)
    })
  })

  it('widen their counts when one outgrows its bits', async () => {
    await withForest({ ...wish, leafSize: 60, labels: themselves }, false, async forest => {
      expect(forest.parts.countBits).toBe(1)
      for (let i = 0; i < 2000; i++) forest.countLabel(7, Uint32Array.of(0))
      forest.repack(undefined, 60)
      expect(forest.parts.countBits).toBe(11)
      expect([6, 7].map(label => countsOf(forest)[0].get(label))).toEqual([1, 2001])
      expect(() => forest.extendLabels(2 ** 21 + 1)).toThrow(
        '2097153 labels with counts of 11 bits do not fit in 32 bits',
      )
    })
  })

  it('forget labels that are dropped, and know the others by their new numbers', async () => {
    await withForest(wish, false, async (forest, _, grown) => {
      const newLabels = Uint32Array.from(corpus, (_, row) => (row % 3 === 0 ? dropped : row - Math.ceil((row + 1) / 3)))
      expect([...newLabels.subarray(0, 6)]).toEqual([dropped, 0, 1, dropped, 2, 3])
      forest.repack(newLabels, 40)
      const renumbered = countAll(grown, neighbors.map(own => own.filter(row => row % 3 !== 0).map(row => newLabels[row]))) // biome-ignore format: one line
      expect(countsOf(forest)).toEqual(renumbered)
      expect(forest.labels).toBe(40)
    })
  })

  it('stay as they were in a snapshot', async () => {
    await withForest(wish, false, async (forest, ask) => {
      const before = await ask(0, {})
      const all = Uint32Array.from({ length: forest.parts.rows.length }, (_, leaf) => leaf)
      const scope = engine.arena.scope()
      forest.countLabel(58, all)
      const snapshot = forest.snapshot(scope)
      forest.countLabel(59, all)
      forest.countRow(all)
      const with58 = [...new Set([...before, 58])].sort((a, b) => a - b)
      expect(await ask(0, {}, snapshot)).toEqual(with58)
      expect(await ask(0, {})).toEqual([...new Set([...with58, 59])].sort((a, b) => a - b))
      scope.free()
    })
  })
})

function firstLeafOf({ trees }: PlainTrees): number[] {
  let first = 0
  return trees.map(({ leaves }) => {
    first += leaves.length
    return first - leaves.length
  })
}

describe('packing', () => {
  it('takes the bits that hold a number', () => {
    expect([1, 2, 3, 4, 255, 256].map(bitsFor)).toEqual([1, 2, 2, 3, 8, 9])
  })

  it('refuses labels and counts that do not fit 32 bits together', () => {
    expect(() => checkPacking(2 ** 24, 8)).not.toThrow()
    expect(() => checkPacking(2 ** 24 + 1, 8)).toThrow('16777217 labels with counts of 8 bits do not fit in 32 bits')
    expect(() => checkPacking(1, 31)).not.toThrow()
  })
})
