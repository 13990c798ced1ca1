import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import { FeatureLabels } from './feature-labels.ts'
import { LabelScores, type ScoredLabels, type ScoredNeighbors, type ScoreOptions } from './label-scores.ts'
import { RowLabels } from './row-labels.ts'
import { featureParts, neighborParts, strength } from './score-parts.ts'

const engine = new Engine()
const [columns, labelColumns] = [6, 8]

const value = fc.integer({ min: 0, max: 20 }).map(n => Math.fround(n / 7))
const entries = fc.uniqueArray(fc.tuple(fc.nat({ max: columns - 1 }), value), { selector: ([index]) => index })
const labelList = fc.uniqueArray(fc.nat({ max: labelColumns - 1 }), { maxLength: 4 })
const training = fc.array(fc.record({ entries, labels: labelList }), { minLength: 1, maxLength: 10 })
const similarity = fc.integer({ min: 1, max: 100 }).map(n => Math.fround(n / 100))
const options: fc.Arbitrary<ScoreOptions & { beta: number }> = fc.record({
  top: fc.integer({ min: 0, max: labelColumns + 2 }),
  neighborPower: fc.constantFrom(0.5, 1, 1.5, 2, 4, 30),
  mix: fc.constantFrom(0, 0.25, 0.7, 1),
  beta: fc.constantFrom(0.5, 1, 2, 3),
})
const cases = training.chain(rows =>
  fc.record({
    rows: fc.constant(rows),
    queries: fc.array(
      fc.record({ entries, nearest: fc.uniqueArray(fc.tuple(fc.nat({ max: rows.length - 1 }), similarity), { maxLength: 6, selector: ([row]) => row }) }), // biome-ignore format: one query
      { minLength: 1, maxLength: 4 },
    ),
    options,
  }),
)
type Query = { entries: [number, number][]; nearest: [number, number][] }

/** The score as score-parts.ts defines it. */
function oracle(
  rowLabels: LabelMatrix,
  features: FeatureLabels,
  query: Query,
  { neighborPower, mix, beta }: ScoreOptions & { beta: number },
): Map<number, number> {
  // biome-ignore format: one signature
  const sum = (numbers: number[]): number => numbers.reduce((a, b) => a + b, 0)
  const neighbors = neighborParts({ ...nearestOf(query), from: 0, count: query.nearest.length }, neighborPower, mix)
  const values = featureParts(Float32Array.from(query.entries, ([, x]) => x), 1 - mix) // biome-ignore format: one line
  const scores = new Map<number, number>()
  for (let label = 0; label < labelColumns; label++) {
    const instance = query.nearest.map(([row], i) => (rowLabels.row(row).includes(label) ? neighbors[i] : 0))
    const feature = query.entries.map(([f], i) => values[i] * strength(features.similarity(f, label), beta))
    const score = sum(instance) + sum(feature)
    if (Math.fround(score) > 0) scores.set(label, score)
  }
  return scores
}

function batchOf(queries: Query[]): { rows: SparseMatrix; nearest: ScoredNeighbors } {
  const k = 6
  const nearest = {
    k,
    rows: new Uint32Array(queries.length * k),
    similarities: new Float32Array(queries.length * k),
    counts: Uint32Array.from(queries, query => query.nearest.length),
  }
  queries.forEach((query, i) => {
    nearest.rows.set(nearestOf(query).rows, i * k)
    nearest.similarities.set(nearestOf(query).similarities, i * k)
  })
  return { rows: SparseMatrix.from(queries.map(query => query.entries), columns), nearest } // biome-ignore format: one line
}

function nearestOf({ nearest }: Query): NearestRows {
  return {
    rows: Uint32Array.from(nearest, ([row]) => row),
    similarities: Float32Array.from(nearest, ([, similarity]) => similarity),
  }
}

/** The `top` best of the expected scores, in falling order; labels with the same score may be told apart by rounding. */
function expectBest({ labels, scores }: ScoredLabels, expected: Map<number, number>, top: number): void {
  const best = [...expected.values()].sort((a, b) => b - a).slice(0, top)
  expect(Array.from(scores)).toEqual(best.map(score => expect.closeTo(score, 5)))
  expect(Array.from(labels, label => expected.get(label))).toEqual(best.map(score => expect.closeTo(score, 5)))
  expect(new Set(labels).size).toBe(labels.length)
}

/** One feature; four rows with a label or two each. */
function small(): { arrays: CopyOnWriteArrays; rows: RowLabels; scorer: LabelScores } {
  const arrays = new CopyOnWriteArrays(engine)
  const rows = new RowLabels(arrays, LabelMatrix.from([[0], [1], [1, 2], [3]]))
  return { arrays, rows, scorer: new LabelScores(arrays, rows) }
}

const nothing: SparseRow = { indices: new Uint32Array(0), values: new Float32Array(0) }
const near = (rows: number[], similarities: number[]): NearestRows => ({
  rows: Uint32Array.from(rows),
  similarities: Float32Array.from(similarities),
})

describe('LabelScores', () => {
  it('scores as score-parts.ts defines it, the best first, for any rows and options', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async ({ rows, queries, options }) => {
        const arrays = new CopyOnWriteArrays(engine)
        const rowLabels = LabelMatrix.from(rows.map(({ labels }) => labels), labelColumns) // biome-ignore format: one line
        const features = FeatureLabels.fit(SparseMatrix.from(rows.map(row => row.entries), columns), rowLabels, arrays, { power: options.beta }) // biome-ignore format: one line
        const scorer = new LabelScores(arrays, new RowLabels(arrays, rowLabels), features)
        const batch = batchOf(queries)
        const ranked = await scorer.scoreBatch(batch.rows, batch.nearest, { ...options, threads: 1 })
        queries.forEach((query, i) => {
          const expected = oracle(rowLabels, features, query, options)
          const found = scorer.score(batch.rows.row(i), nearestOf(query), options)
          expectBest(found, expected, options.top)
          const [from, to] = [i * ranked.top, i * ranked.top + ranked.counts[i]]
          expect(ranked.labels.slice(from, to)).toEqual(found.labels)
          expect(ranked.scores.slice(from, to)).toEqual(found.scores)
        })
        scorer.free()
        arrays.free()
      }),
      { numRuns: 200 },
    )
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('scores a small example: the labels of two near rows, by the squares of their similarities', () => {
    const { arrays, scorer } = small()
    const { labels, scores } = scorer.score(nothing, near([2, 0], [0.4, 0.3]), { top: 5, neighborPower: 2, mix: 1 })
    expect([...labels]).toEqual([1, 2, 0])
    expect(Array.from(scores)).toEqual([0.64, 0.64, 0.36].map(score => expect.closeTo(score, 6)))
    scorer.free()
    arrays.free()
  })

  it('lets near rows speak even where the power of their similarity is too small for a float', () => {
    const { arrays, scorer } = small()
    const { labels, scores } = scorer.score(nothing, near([0, 1], [0.01, 0.01]), { top: 5, neighborPower: 50, mix: 1 })
    expect([[...labels], [...scores]]).toEqual([[0, 1], [0.5, 0.5]]) // biome-ignore format: two lists
    scorer.free()
    arrays.free()
  })

  it('knows rows and labels that are added, and answers the same again', () => {
    const { arrays, rows, scorer } = small()
    const ask = () => scorer.score(nothing, near([4, 0], [0.8, 0.6]), { top: 5, neighborPower: 1, mix: 1 })
    rows.add(Uint32Array.of(0, 9))
    expect([...ask().labels]).toEqual([0, 9])
    expect(ask()).toEqual(ask())
    expect([rows.rows, rows.columns, ...rows.row(4)]).toEqual([5, 10, 0, 9])
    expect([...rows.matrix().row(4)]).toEqual([0, 9])
    scorer.free()
    arrays.free()
  })

  it('scores labels that rows know of and features do not', () => {
    const arrays = new CopyOnWriteArrays(engine)
    const features = FeatureLabels.fit(SparseMatrix.from([[[0, 1]]]), LabelMatrix.from([[0]]), arrays)
    const rows = new RowLabels(arrays, LabelMatrix.from([[0]]))
    const scorer = new LabelScores(arrays, rows, features)
    rows.add(Uint32Array.of(50))
    const query = { indices: Uint32Array.of(0), values: Float32Array.of(1) }
    const { labels, scores } = scorer.score(query, near([1], [0.5]), { top: 5, neighborPower: 1, mix: 0.75 })
    expect([[...labels], [...scores]]).toEqual([[50, 0], [0.75, 0.25]]) // biome-ignore format: two lists
    scorer.free()
    arrays.free()
  })

  it('answers a batch from what was there when it began, for one thread and for two', async () => {
    const { arrays, rows, scorer } = small()
    const queries = new SparseMatrix(200, 1, new Float64Array(201), new Uint32Array(0), new Float32Array(0))
    const nearest: ScoredNeighbors = {
      k: 1,
      rows: Uint32Array.from({ length: 200 }, (_, i) => i % 4),
      similarities: new Float32Array(200).fill(0.5),
      counts: new Uint32Array(200).fill(1),
    }
    const options = { top: 2, neighborPower: 1, mix: 1 }
    const expected = await scorer.scoreBatch(queries, nearest, { ...options, threads: 1 })
    expect([...expected.labels.subarray(0, 8)]).toEqual([0, 0, 1, 0, 1, 2, 3, 0])
    const running = scorer.scoreBatch(queries, nearest, { ...options, threads: 2 })
    for (let i = 0; i < 1000; i++) rows.add(Uint32Array.of(5))
    rows.labels.writable().fill(7)
    expect(await running).toEqual(expected)
    scorer.free()
    arrays.free()
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('refuses queries that it could not score', () => {
    const arrays = new CopyOnWriteArrays(engine)
    const labels = LabelMatrix.from([[0]])
    const features = FeatureLabels.fit(SparseMatrix.from([[[0, 1]]]), labels, arrays)
    const scorer = new LabelScores(arrays, new RowLabels(arrays, labels), features)
    const ask = (index: number, value: number) => () =>
      scorer.score({ indices: Uint32Array.of(index), values: Float32Array.of(value) }, near([0], [1]), {
        ...{ top: 1, neighborPower: 1, mix: 0.5 },
      })
    expect(ask(1, 1)).toThrow('the queries have 2 features, expected at most 1')
    expect(ask(0, -1)).toThrow('a query has the value -1, expected at least 0')
    expect([...ask(0, 1)().scores]).toEqual([1])
    scorer.free()
    arrays.free()
  })

  it.each<[Partial<ScoreOptions>, string]>([
    [{ top: -1 }, 'top is -1, expected a whole number of at least 0'],
    [{ neighborPower: 0 }, 'neighborPower is 0, expected a number above 0'],
    [{ mix: 1.5 }, 'mix is 1.5, expected a number from 0 to 1'],
    [{ mix: 0.5 }, 'mix is 0.5, expected 1, because there are no feature similarities'],
  ])('refuses %o', (wrong, message) => {
    const { arrays, scorer } = small()
    const options = { top: 1, neighborPower: 1, mix: 1, ...wrong }
    expect(() => scorer.score(nothing, near([0], [1]), options)).toThrow(message)
    arrays.free()
  })
})
