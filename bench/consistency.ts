// Section 7 of paper 000, measured: with a fixed corpus and ever more training points, the candidates that one chronological k-d tree
// chooses become the k nearest corpus points and nothing else. node tools/run.mjs bench/consistency.ts [--most 1000000]

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DenseMatrix, ForestIndex, Random, svgPlot } from 'vicinal'
import { keepResult, short } from './measure.ts'

const neighborCounts = [1, 10]
const corpusRows = 200
const queryCount = 2000
const thresholds = [0, 0.5]
const leafSizes = { 'leaves of 8': () => 8, 'leaves of √n': (n: number) => Math.round(Math.sqrt(n)) } as const
type LeafSizes = keyof typeof leafSizes

/** Draws one coordinate list; queries, training points and corpus points come from the same distribution. */
type Draw = (random: Random, dims: number) => number[]
const centers = 5
const distributions: Readonly<Record<string, Draw>> = {
  uniform: (random, dims) => Array.from({ length: dims }, () => random.float()),
  'Gaussian mixture': (random, dims) => {
    const center = new Random(random.below(centers), 7) // its place is always the same
    return Array.from({ length: dims }, () => 4 * center.float() + 0.5 * random.normal())
  },
}

const { values } = parseArgs({ options: { most: { type: 'string', default: '1000000' } } })
const sizes = [1e3, 1e4, 1e5, 1e6].filter(size => size <= Number(values.most))

function draw(name: string, count: number, dims: number, seed: number): DenseMatrix {
  const random = new Random(seed)
  const points = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) points.set(distributions[name]!(random, dims), i * dims)
  return new DenseMatrix(count, dims, points)
}

/** The candidates themselves: as many neighbors as there are candidates, all compared. */
function candidatesOf(index: ForestIndex, query: ArrayLike<number>, threshold: number): number[] {
  const effort = { threshold, rerank: corpusRows }
  const count = index.searchCandidates(query, { ...effort, k: corpusRows })
  return count === 0 ? [] : index.search(query, { ...effort, k: count }).map(({ id }) => Number(id))
}

/** How far the candidates are from being the neighbors, over fresh queries. No candidates at all count as precise. */
async function judge(index: ForestIndex, queries: DenseMatrix, k: number, threshold: number) {
  const truth = await index.exactBatch(queries, { k })
  let [wrong, recall, precision, candidates] = [0, 0, 0, 0]
  for (let i = 0; i < queries.rows; i++) {
    const nearest = new Set(truth.rows.subarray(i * k, (i + 1) * k))
    const chosen = candidatesOf(index, queries.row(i), threshold)
    const right = chosen.filter(row => nearest.has(row)).length
    wrong += right === k && chosen.length === k ? 0 : 1
    recall += right / k
    precision += chosen.length === 0 ? 1 : right / chosen.length
    candidates += chosen.length
  }
  const mean = (sum: number) => short(sum / queries.rows)
  return { loss: mean(wrong), recall: mean(recall), precision: mean(precision), candidates: mean(candidates) }
}

interface Case {
  readonly distribution: string
  readonly dims: number
  readonly k: number
  readonly leaves: LeafSizes
  /** Training points. */
  readonly n: number
}

async function measure(one: Case) {
  const { distribution, dims, k, leaves, n } = one
  const corpus = draw(distribution, corpusRows, dims, 1)
  const queries = draw(distribution, queryCount, dims, 2)
  const index = await ForestIndex.fit(corpus, {
    ...{ training: draw(distribution, n, dims, 3), neighborLists: 'exact', labelNeighbors: k },
    ...{ grower: 'chronological', view: 'rows', trees: 1, leafSize: leafSizes[leaves](n), targetRecall: 0 },
  })
  const lines = []
  for (const threshold of thresholds) {
    lines.push({ ...one, threshold, ...(await judge(index, queries, k, threshold)) })
  }
  index.free()
  return lines
}

/** Every combination, the sizes last. */
function cases(): Case[] {
  return Object.keys(distributions).flatMap(distribution =>
    [2, 3].flatMap(dims =>
      neighborCounts.flatMap(k =>
        (Object.keys(leafSizes) as LeafSizes[]).flatMap(leaves =>
          sizes.map(n => ({ distribution, dims, k, leaves, n })),
        ),
      ),
    ),
  )
}

type Line = Awaited<ReturnType<typeof measure>>[number]

function drawLoss(lines: readonly Line[]): string {
  const shown = lines.filter(({ distribution, leaves, threshold }) => {
    return distribution === 'uniform' && leaves === 'leaves of 8' && threshold === 0.5
  })
  const nameOf = ({ dims, k }: Line) => `${dims} dimensions, k = ${k}`
  const series = [...new Set(shown.map(nameOf))].map(name => {
    const own = shown.filter(line => nameOf(line) === name)
    return { name, points: own.map(({ n, loss }) => [n, loss] as const) }
  })
  const x = { label: 'training points', scale: 'log' } as const
  const title = 'Share of queries whose candidates are not the k nearest'
  return svgPlot({ title, x, y: { label: '0-1 loss' }, series })
}

const lines: Line[] = []
for (const one of cases()) lines.push(...(await measure(one)))
console.table(lines)
const isWhole = sizes.at(-1) === 1e6
keepResult(isWhole ? 'consistency' : 'consistency-trial', { corpusRows, queries: queryCount, lines })
if (isWhole) {
  const folder = join(import.meta.dirname, '..', 'docs', 'images')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'consistency.svg'), drawLoss(lines))
}
