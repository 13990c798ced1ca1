import { afterAll, describe, expect, it } from 'vitest'
import { neighborRecallByDistance } from '../../evaluate/ann-recall.ts'
import { Engine } from '../../kernels/engine.ts'
import { leafMark } from '../../kernels/generated/blocks/forest.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { ModelContents } from '../../store/header.ts'
import type { TensorArray } from '../../store/tensor.ts'
import { termsOf } from '../../trees/packed-directions.ts'
import { InvertedIndex } from '../inverted/inverted-index.ts'
import { describeSparseIndex } from '../sparse-index.cases.ts'
import { books, bruteForce, clusteredTexts, sparse } from '../sparse-oracle.cases.ts'
import type { SparseEffort } from './finder.ts'
import type { SparseForestBatchOptions, SparseForestFitOptions, SparseForestOptions } from './options.ts'
import { SparseForestIndex } from './sparse-forest-index.ts'

/** Few trees, and far from comparing all rows. */
const quick = { trees: 6, epochs: 4, candidates: 100 } as const

describeSparseIndex('SparseForestIndex', {
  fit: (rows, options) => SparseForestIndex.fit(rows, { ...quick, ...options }),
  load: (path, place) => SparseForestIndex.load(path, place),
  fromContents: (contents, place) => SparseForestIndex.fromContents(contents, place),
  recallFloor: 0.7, // measured 0.733 (cosine) and 0.779 (dot): rows of random features are far from each other
})

const engine = new Engine()
const rows = clusteredTexts(1500, 2)
const queries = clusteredTexts(60, 3)

afterAll(async () => {
  expect(engine.arena.usedBytes).toBe(0)
  await engine.close()
})

async function withIndex<T>(
  options: SparseForestFitOptions,
  use: (index: SparseForestIndex) => T,
  of: SparseMatrix = rows,
): Promise<T> {
  const index = await SparseForestIndex.fit(of, { engine, ...quick, ...options })
  try {
    return await use(index)
  } finally {
    index.free()
  }
}

async function recallOf(index: SparseForestIndex, options: SparseForestBatchOptions = {}): Promise<number> {
  const [found, truth] = [await index.searchBatch(queries, options), await index.exactBatch(queries)]
  return neighborRecallByDistance(found, truth, 10)
}

const { fround } = Math

/** The leaf that a row reaches in a tree, by the arrays of the file: products are summed in the order of the features, in 32 bits. */
function leafOf(array: (name: string) => TensorArray, tree: number, row: SparseRow): number {
  const names = ['nodes', 'roots', 'directionOffsets', 'directionWords']
  const [nodes, roots, offsets, words] = names.map(array) as Uint32Array[]
  const thresholds = new Float32Array(nodes.buffer, nodes.byteOffset, nodes.length)
  let at = 3 * roots[tree]
  while (nodes[at] !== leafMark) {
    let sum = 0
    for (const { feature, weight } of termsOf({ offsets, words }, rows.columns, nodes[at])) {
      const place = row.indices.indexOf(feature)
      if (place >= 0) sum = fround(sum + fround(weight * row.values[place]))
    }
    at = sum < thresholds[at + 1] ? at + 3 : 3 * (roots[tree] + nodes[at + 2])
  }
  return nodes[at + 2]
}

/** Formulas (4) and (5): the rows with the highest mean share among the neighbors of the leaves' rows, above the threshold. */
function candidatesOf(
  { meta, tensors }: ModelContents,
  row: SparseRow,
  effort: Omit<SparseEffort, 'probes'>,
): number[] {
  const array = (name: string) => tensors[`forest.${name}`]?.array ?? new Uint32Array()
  const { countBits } = meta.forest as { countBits: number } // as the forest wrote it
  const scores = new Map<number, number>()
  for (let tree = 0; tree < effort.trees; tree++) {
    const leaf = leafOf(array, tree, row)
    const weight = fround(1 / (array('rows')[leaf] * effort.trees))
    for (const entry of array('entries').slice(array('offsets')[leaf], array('offsets')[leaf + 1])) {
      const [label, count] = [entry >>> countBits, entry & (2 ** countBits - 1)]
      scores.set(label, fround((scores.get(label) ?? 0) + fround(weight * count)))
    }
  }
  const above = [...scores].filter(([, score]) => score > fround(effort.threshold))
  return above
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, effort.candidates)
    .map(([label]) => label)
}

describe('a sparse forest', () => {
  it.each(['cosine', 'dot'] as const)('finds the nearest of the rows that the formulas choose, by %s', async metric => {
    for (const grower of ['kd', 'graph'] as const) {
      await withIndex({ grower, metric }, index => {
        const contents = index.contents()
        const unit = queries.normalizeRows()
        for (let i = 0; i < 20; i++) {
          for (const effort of [
            { trees: 6, threshold: 0, candidates: 40 },
            { trees: 3, threshold: 0.03, candidates: 25 },
          ]) {
            const chosen = candidatesOf(contents, unit.row(i), effort)
            const items = chosen.sort((a, b) => a - b).map((row): [number, SparseRow] => [row, rows.row(row)])
            const nearest = bruteForce(items, queries.row(i), 5, metric === 'dot')
            expect(nearest).toHaveLength(5)
            expect(index.search(queries.row(i), { k: 5, ...effort })).toEqual(nearest)
            expect(index.searchCandidates(queries.row(i), { k: 5, ...effort })).toBe(chosen.length)
          }
        }
      })
    }
  })

  // biome-ignore format: floors beside what was measured
  it.each([
    ['graph', 0.98], // measured 0.995
    ['kd', 0.93], // measured 0.955
    ['pca', 0.9], // measured 0.928
    ['classification', 0.9], // measured 0.928
    ['random-projection', 0.74], // measured 0.770
  ] as const)('grown by %s finds %d of the nearest or more', async (grower, floor) => {
    expect(await withIndex({ grower }, index => recallOf(index))).toBeGreaterThanOrEqual(floor)
  })

  it('finds more the more it is allowed to compare, and all where that is all', async () => {
    await withIndex({ grower: 'kd' }, async index => {
      const recalls = []
      for (const candidates of [10, 40, 160]) recalls.push(await recallOf(index, { candidates }))
      expect(recalls).toEqual(recalls.toSorted((a, b) => a - b))
      expect(await recallOf(index, { candidates: 160, trees: 1 })).toBeLessThan(recalls[2] ?? 0)
      expect(await recallOf(index, { probes: 4096, candidates: 1500 })).toBe(1)
    })
  })

  it('compares as many rows as it is told, of those that score above the threshold', async () => {
    await withIndex({ grower: 'kd' }, index => {
      const count = (options: SparseForestBatchOptions) => index.searchCandidates(queries.row(0), options)
      expect([count({ candidates: 30 }), count({}), count({ k: 15 })]).toEqual([30, 100, expect.any(Number)])
      expect(count({ k: 15 })).toBeGreaterThan(100)
      const [all, some] = [0, 0.02].map(threshold => count({ candidates: 1500, threshold }))
      expect(all).toBeGreaterThan(100)
      expect(some).toBeLessThan(all ?? 0)
      expect(count({ candidates: 1500, probes: 12 })).toBeGreaterThan(all ?? 0)
    })
  })

  it('asks the lists where its leaves know too few', async () => {
    await withIndex({ grower: 'kd' }, async index => {
      // Nothing scores above 1.
      const options = { k: 20, threshold: 1 }
      const { rows: found, distances } = await index.exactBatch(queries, { k: 20 })
      const asked = await index.searchBatch(queries, options)
      expect([asked.rows, asked.distances]).toEqual([found, distances])
      expect(index.search(queries.row(0), options).map(({ id }) => id)).toEqual([...found.subarray(0, 20)])
    })
  })

  it('knows the true neighbors: those of an inverted index', async () => {
    const inverted = await InvertedIndex.fit(rows, { engine, metric: 'dot' })
    const truth = await inverted.searchBatch(queries, { k: 7 })
    expect(await withIndex({ metric: 'dot', grower: 'kd' }, index => index.exactBatch(queries, { k: 7 }))).toEqual(
      truth,
    )
    inverted.free()
  })

  it('finds the same for a query of any length, by products too', async () => {
    await withIndex({ metric: 'dot', grower: 'kd' }, index => {
      const { indices, values } = queries.row(0)
      const found = index.search({ indices, values })
      const longer = index.search({ indices, values: values.map(value => 4 * value) })
      expect(longer).toEqual(found.map(({ id, distance }) => ({ id, distance: 4 * distance })))
    })
  })

  it('leaves its working memory clean, whatever was asked before', async () => {
    await withIndex({ grower: 'kd' }, index => {
      const fresh = index.search(queries.row(0))
      for (const k of [1, 300, 7]) {
        index.search(queries.row(k % 60), { k, probes: k, candidates: 1 + k })
        index.search(sparse([3, 1]), { k, threshold: 1 })
        expect(index.search(queries.row(0))).toEqual(fresh)
      }
    })
  })

  it('finds rows that came later as well as those it was grown on', async () => {
    const start = rows.slice(0, 1000)
    await withIndex(
      {},
      async index => {
        for (let row = 1000; row < 1500; row++) index.add(rows.row(row))
        for (let row = 0; row < 300; row++) index.remove(row)
        const changed = await recallOf(index)
        expect(changed).toBeGreaterThanOrEqual(0.97) // measured 0.992
        index.compact()
        expect(await recallOf(index)).toBe(changed)
        const found = await index.searchBatch(queries)
        expect(found.rows.filter(row => row >= 700).length).toBeGreaterThan(found.rows.length / 4)
      },
      start,
    )
  })

  it('is grown by its options and its seed', async () => {
    const nodes = (options: SparseForestOptions) =>
      withIndex({ grower: 'kd', ...options }, index => index.contents().tensors['forest.nodes']?.array.join())
    const first = await nodes({})
    expect(await nodes({ seed: 1 })).toBe(first)
    expect(await nodes({ seed: 2 })).not.toBe(first)
    expect(await nodes({ leafSize: 60 })).not.toBe(first)
  })
})

describe('a sparse forest refuses', () => {
  it.each([
    [{ grower: 'chronological' }, 'UNKNOWN_NAME', "grower is 'chronological', expected one of random-projection, kd"],
    [{ metric: 'euclidean' }, 'UNKNOWN_NAME', "metric is 'euclidean', expected one of cosine, dot"],
    [{ leaves: 3 }, 'UNKNOWN_NAME', 'unknown option "leaves"'],
    [{ rule: 'lookup', threshold: 0.3 }, 'UNKNOWN_NAME', 'unknown option "rule"'],
    [{ trees: 0 }, 'INVALID_OPTION', 'trees is 0, expected a whole number from 1 to 1024'],
    [{ candidates: 0 }, 'INVALID_OPTION', 'candidates is 0'],
    [{ threshold: 2 }, 'INVALID_OPTION', 'threshold is 2'],
    [{ l1: -1 }, 'INVALID_OPTION', 'l1 is -1'],
  ])('%j', async (options, code, message) => {
    const fitting = SparseForestIndex.fit(books, { engine, ...(options as SparseForestOptions) }) // to be refused
    await expect(fitting).rejects.toMatchObject({ code, message: expect.stringContaining(message) })
  })

  it('efforts of a search that make no sense', async () => {
    await withIndex(
      {},
      async index => {
        const search = (options: SparseForestBatchOptions) => () => index.search(books.row(0), options)
        expect(search({ trees: 7 })).toThrow('trees is 7, expected a whole number from 1 to 6')
        expect(search({ probes: -1 })).toThrow('probes is -1')
        expect(search({ probes: 4097 })).toThrow('probes is 4097, expected a whole number from 0 to 4096')
        expect(search({ threshold: Number.NaN })).toThrow('threshold is NaN')
        await expect(index.searchBatch(books, { candidates: 1.5 })).rejects.toThrow('candidates is 1.5')
      },
      books,
    )
  })

  it('trees that lead out of the rows, by name', async () => {
    const contents = await withIndex({ grower: 'kd' }, index => index.contents())
    const changed = (name: string, change: (array: Uint32Array) => void) => () => {
      const array = contents.tensors[name]?.array.slice() as Uint32Array // those changed below are
      change(array)
      const tensors = { ...contents.tensors, [name]: { array, shape: [array.length] } }
      return SparseForestIndex.fromContents({ ...contents, tensors }, { engine, name: 'x.index' })
    }
    const no = 'x.index is not a valid sparse forest: '
    expect(changed('forest.entries', array => array.fill(0xffffffff))).toThrow(
      `${no}a leaf names a row that does not exist`,
    )
    expect(changed('forest.nodes', array => array.fill(7))).toThrow(`${no}tree 0 leads nowhere`)
    expect(changed('forest.directionWords', array => array.fill(0xffffffff, 1, 2))).toThrow(
      `${no}a direction names a dimension`,
    )
    const options = { ...contents.options, trees: 5 }
    const other = () => SparseForestIndex.fromContents({ ...contents, options }, { engine })
    expect(other).toThrow('the model is not a valid sparse forest: its trees were grown for other rows')
  })
})
