// Figure 1 and Table 1 of paper 000, measured again: how leaves choose candidates (rules), in trees that split differently (growers).
//   node tools/run.mjs bench/forest-rules.ts --data <folder of Fashion-MNIST> [--rows 5000] [--paper]
// With --paper as there: trees see the pixels, a row's labels are its 10 nearest rows, and all candidates are compared. Otherwise trees see
// sketches, with 25 nearest rows, and codes may choose candidates.
// Every grid is tried on few queries; the settings that none beats there are measured on all. One thread, best of 3 rounds.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Engine } from '@vicinal/core'
import {
  type CurvePoint,
  DenseMatrix,
  ExactIndex,
  ForestIndex,
  type GrowerName,
  measureCurve,
  type NeighborBatch,
  paretoFront,
  type RuleName,
  svgPlot,
} from 'vicinal'
import { readVectors, sets } from './ann/jobs.ts'
import { neighborLists } from './ann/neighbor-lists.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const allRows = 60_000
const queryCount = 1000
const firstQueries = 100
const trees = 32
const treesAsked = [4, 8, 16, 32]
const growers: readonly GrowerName[] = ['random-projection', 'kd', 'pca', 'classification']
const levels = [0.8, 0.9, 0.95]
/** Recalls that are measured on all queries. */
const shown = { from: 0.75, to: 0.97 }
/** 'all': candidates are compared exactly, as in the paper. 'sifted': codes choose this many of them first. */
const comparisons = { all: 2 ** 31, sifted: 8 * k } as const
type Comparison = keyof typeof comparisons

/** Thresholds are sums of votes over the trees; the index takes their mean. */
const plans = [
  { rule: 'natural', zeroName: 'natural, τ = 0', leafSizes: [5, 16, 64], votes: [0.2, 0.5, 1.2] },
  { rule: 'voting', zeroName: 'lookup', leafSizes: [16, 64, 256], votes: [1.5, 3.5, 7.5] },
] as const satisfies readonly { rule: RuleName; zeroName: string; leafSizes: number[]; votes: number[] }[]
type Plan = (typeof plans)[number]

interface Questions {
  readonly queries: DenseMatrix
  readonly truth: NeighborBatch
}
interface Setting {
  readonly trees: number
  readonly threshold: number
  readonly rerank: number
}
interface Point extends CurvePoint {
  readonly index: ForestIndex
  readonly setting: Setting
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rows: { type: 'string', default: String(allRows) },
    paper: { type: 'boolean', default: false },
  },
})
if (!values.data) throw new Error('give the folder of Fashion-MNIST, as .gz files, with --data')

const images = await readVectors(values.data, sets['fashion-mnist'].rows, Number(values.rows))
const rows = new DenseMatrix(images.rows, images.columns, Float32Array.from(images.values))
const queries = await readVectors(values.data, sets['fashion-mnist'].queries, queryCount)
const [all, first] = [await ask(queries), await ask(queries.slice(0, firstQueries))]
const labelNeighbors = values.paper ? k : 25
const lists = await neighborLists(rows, labelNeighbors)
const view = values.paper ? 'rows' : 'sketch'
const compared: readonly Comparison[] = values.paper ? ['all'] : ['all', 'sifted']

async function ask(queries: DenseMatrix): Promise<Questions> {
  const exact = await ExactIndex.fit(rows, {})
  const truth = await exact.searchBatch(queries, { k })
  exact.free()
  return { queries, truth }
}

/** A query with fewer than k candidates is answered by computing all rows: that is another method. */
function finds(index: ForestIndex, setting: Setting): boolean {
  let few = 0
  for (let i = 0; i < firstQueries; i++) {
    if (index.searchCandidates(queries.row(i), { ...setting, rerank: k, k }) < k) few++
  }
  return few <= firstQueries / 100
}

/** The front of some settings of one index. */
async function measure(index: ForestIndex, { queries, truth }: Questions, settings: readonly Setting[]) {
  if (settings.length === 0) return []
  const points = await measureCurve(index, queries, { k, truth, efforts: settings.map(setting => ({ ...setting })) })
  // The options are the settings given.
  return points.map((point): Point => ({ ...point, index, setting: point.options as unknown as Setting }))
}

/** The front over all leaf sizes: first by few queries, then what is shown of it by all. */
async function frontOf(indexes: readonly ForestIndex[], thresholds: readonly number[], rerank: number) {
  const pairs = treesAsked.flatMap(asked => thresholds.map(votes => ({ trees: asked, threshold: votes / asked })))
  const settings = pairs.filter(({ threshold }) => threshold < 1).map(pair => ({ ...pair, rerank }))
  const tried: Point[] = []
  for (const index of indexes) {
    const good = settings.filter(setting => finds(index, setting))
    tried.push(...(await measure(index, first, good)))
  }
  const points: Point[] = []
  for (const { index, setting } of shownPart(paretoFront(tried) as Point[])) {
    points.push(...(await measure(index, all, [setting])))
  }
  return paretoFront(points) as Point[] // some of the points given
}

function shownPart(front: readonly Point[]): readonly Point[] {
  const last = front.findIndex(({ recall }) => recall >= shown.to)
  return front.slice(0, last < 0 ? front.length : last + 1).filter(({ recall }) => recall >= shown.from)
}

/** Fronts of a rule with its thresholds and with 0 alone, in both ways of comparing. */
async function measurePlan(grower: GrowerName, { rule, zeroName, leafSizes, votes }: Plan) {
  const indexes: ForestIndex[] = []
  // Directions of nodes are as long as what the trees see. With the pixels that is gigabytes: an engine each, and no leaves of 5 rows for PCA.
  const engines: Engine[] = []
  for (const leafSize of leafSizes) {
    if (values.paper && grower === 'pca' && leafSize < 16) continue
    const engine = new Engine()
    engines.push(engine)
    const options = { grower, rule, view, trees, leafSize, labelNeighbors, links: 0 } as const
    indexes.push(await ForestIndex.fit(rows, { ...options, targetRecall: 0, neighborLists: lists, engine }))
  }
  note(`${grower}, ${rule}: grown`)
  const fronts = []
  for (const comparison of compared) {
    const zero = await frontOf(indexes, [0], comparisons[comparison])
    const others = await frontOf(indexes, votes, comparisons[comparison])
    const front = paretoFront([...zero, ...others]) as Point[] // some of the points given
    fronts.push({ grower, rule, comparison, ...report(front) })
    fronts.push({ grower, rule: zeroName, comparison, ...report(zero) })
  }
  for (const engine of engines) await engine.close()
  note(`${grower}, ${rule}: measured`)
  return fronts
}

function note(what: string): void {
  console.error(`${what}, ${Math.round(performance.now() / 1000)} s`)
}

function report(front: readonly Point[]) {
  return { levels: levels.map(level => at(front, level)), points: front.map(brief) }
}

function brief({ recall, microsPerQuery, candidates, index, setting }: Point) {
  const { trees, threshold } = setting
  const { leafSize } = index.settings
  return { recall, micros: short(microsPerQuery), candidates: Math.round(candidates), leafSize, trees, threshold }
}

/** Time and candidates at a recall, between the two points of the front around it; none if the front ends before. */
function at(front: readonly Point[], level: number) {
  const next = front.findIndex(({ recall }) => recall >= level)
  const above = front[next]
  if (!above) return { level }
  const below = front[next - 1] ?? above
  const share = below === above ? 0 : (level - below.recall) / (above.recall - below.recall)
  const between = (a: number, b: number) => a * (b / a) ** share
  const micros = short(between(below.microsPerQuery, above.microsPerQuery))
  return { level, micros, candidates: Math.round(between(below.candidates, above.candidates)) }
}

function draw(grower: GrowerName, fronts: Awaited<ReturnType<typeof measurePlan>>): string {
  const series = fronts
    .filter(({ comparison, points }) => comparison === 'all' && points.length > 0)
    .map(({ rule, points }) => ({ name: rule, points: points.map(({ recall, micros }) => [recall, micros] as const) }))
  const y = { label: 'microseconds per query', scale: 'log' } as const
  return svgPlot({ title: `${grower} trees, all candidates compared`, x: { label: 'recall@10' }, y, series })
}

// A run on fewer rows must not replace the result that the documentation shows.
const isWhole = rows.rows === allRows
const name = `forest-rules${values.paper ? '-paper' : ''}${isWhole ? '' : '-trial'}`
const imageFolder = join(import.meta.dirname, ...(isWhole ? ['..', 'docs', 'images'] : ['results']))
mkdirSync(imageFolder, { recursive: true })
const fronts = []
for (const grower of growers) {
  const own = []
  for (const plan of plans) own.push(...(await measurePlan(grower, plan)))
  if (!values.paper) writeFileSync(join(imageFolder, `${name}-${grower}.svg`), draw(grower, own))
  fronts.push(...own)
  for (const { rule, comparison, levels } of own)
    console.log(grower, rule, comparison, levels.map(({ micros, candidates }) => `${micros} (${candidates})`).join(' '))
  // After every grower: a long run may be stopped.
  const seconds = Math.round(performance.now() / 1000)
  keepResult(name, { rows: rows.rows, queries: queryCount, k, labelNeighbors, trees, seconds, fronts })
}
