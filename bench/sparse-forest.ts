// Sparse rows through the forest: recall against time for each grower, beside the exact inverted index in the same run:
// node tools/run.mjs bench/sparse-forest.ts --data <folder with xmc sets> --set debtags [--rows 50000] [--trees 10]
// [--growers kd,pca] [--name sparse-forest-debtags]
// Queries are random test rows, one at a time on one thread, best of 3 rounds. The grid of efforts is the same for all growers.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type GrowerName,
  InvertedIndex,
  measureCurve,
  paretoFront,
  Random,
  type SparseEffort,
  SparseForestIndex,
  SparseMatrix,
} from 'vicinal'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const queryCount = 300
const levels = [0.8, 0.9, 0.95]
const candidateCounts = [50, 100, 200, 400, 800, 1600]

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    set: { type: 'string', default: 'debtags' },
    growers: { type: 'string', default: 'graph,kd,pca,classification,random-projection' },
    rows: { type: 'string', default: '50000' },
    trees: { type: 'string', default: '10' },
    name: { type: 'string' },
  },
})
if (!values.data) throw new Error('give the folder of the sets with --data')
const { data, set } = values
const trees = Number(values.trees)

const efforts: readonly SparseEffort[] = [Math.ceil(trees / 2), trees].flatMap(asked =>
  [0, 2 * asked].flatMap(probes =>
    candidateCounts.map(candidates => ({ trees: asked, probes, threshold: 0, candidates })),
  ),
)

/** Rows that are all there are, or this many at random. */
function someOf(rows: unknown, count: number): SparseMatrix {
  if (!(rows instanceof SparseMatrix)) throw new Error('the rows are not sparse')
  return rows.rows <= count ? rows : rows.select(new Random(1).sample(rows.rows, count))
}

async function measureGrower(rows: SparseMatrix, queries: SparseMatrix, grower: GrowerName) {
  const begin = performance.now()
  const index = await SparseForestIndex.fit(rows, { grower, trees })
  const fitSeconds = short((performance.now() - begin) / 1000)
  const truth = await index.exactBatch(queries, { k })
  const points = await measureCurve(index, queries, { k, truth, efforts: efforts.map(effort => ({ ...effort })) })
  const front = paretoFront(points)
  index.free()
  const at = levels.map(level => {
    const found = front.find(({ recall }) => recall >= level)
    if (!found) return { level }
    const { microsPerQuery, candidates, options } = found
    return { level, micros: short(microsPerQuery), candidates: Math.round(candidates), options }
  })
  return { name: grower, fitSeconds, at, best: short(Math.max(...front.map(({ recall }) => recall))) }
}

/** The exact index, measured before, between and after the growers: the best round of all counts. */
async function openInverted(rows: SparseMatrix, queries: SparseMatrix) {
  const begin = performance.now()
  const index = await InvertedIndex.fit(rows)
  const fitSeconds = short((performance.now() - begin) / 1000)
  const truth = await index.searchBatch(queries, { k })
  const { candidates } = await index.nearestBatch(queries, { k })
  let micros = Number.POSITIVE_INFINITY
  return async () => {
    const points = await measureCurve(index, queries, { k, truth })
    micros = Math.min(micros, ...points.map(({ microsPerQuery }) => microsPerQuery))
    return { name: 'inverted', fitSeconds, micros: short(micros), candidates: Math.round(candidates / queries.rows) }
  }
}

const { train, test } = await loadSet(join(data, 'xmc'), { name: set })
const [rows, queries] = [someOf(train.features, Number(values.rows)), someOf(test.features, queryCount)]
const measureInverted = await openInverted(rows, queries)
let inverted = await measureInverted()
const growers = []
for (const name of values.growers.split(',')) {
  // The growers are named by the caller; the index refuses others.
  growers.push(await measureGrower(rows, queries, name as GrowerName))
  inverted = await measureInverted()
  process.stderr.write(`${set}, ${rows.rows} rows: ${JSON.stringify(inverted)} ${JSON.stringify(growers.at(-1))}\n`)
}

const facts = { set, rows: rows.rows, features: rows.columns, queries: queries.rows, k, trees, levels }
keepResult(values.name ?? `sparse-forest-${set}`, { ...facts, inverted, growers })
