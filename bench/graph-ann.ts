// The graph grower as an index: trees that keep near neighbors together because they are each other's labels, beside the other
// growers, all by the natural rule: node tools/run.mjs bench/graph-ann.ts --data <folder of Fashion-MNIST> [--rows 5000]
// One thread for queries, best of 3 rounds.

import { parseArgs } from 'node:util'
import { DenseMatrix, ExactIndex, ForestIndex, type GrowerName, measureCurve, paretoFront } from 'vicinal'
import { readVectors, sets } from './ann/jobs.ts'
import { neighborLists } from './ann/neighbor-lists.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const trees = 16
const leafSize = 16
const queryCount = 300
const growers: readonly GrowerName[] = ['graph', 'kd', 'pca', 'classification', 'random-projection']
const levels = [0.8, 0.9, 0.95]
/** Sums of votes over the trees asked; the index takes their mean. */
const votes = [0, 0.2, 0.5, 1.2]
/** Candidates compared exactly: all, or those that codes choose. */
const comparisons = { all: 2 ** 31, sifted: 8 * k } as const

const { values } = parseArgs({ options: { data: { type: 'string' }, rows: { type: 'string', default: '60000' } } })
if (!values.data) throw new Error('give the folder of Fashion-MNIST, as .gz files, with --data')
const images = await readVectors(values.data, sets['fashion-mnist'].rows, Number(values.rows))
const rows = new DenseMatrix(images.rows, images.columns, Float32Array.from(images.values))
const queries = await readVectors(values.data, sets['fashion-mnist'].queries, queryCount)
const exact = await ExactIndex.fit(rows, {})
const truth = await exact.searchBatch(queries, { k })
exact.free()

const lists = await neighborLists(rows)
const measured = []
for (const grower of growers) {
  const begin = performance.now()
  const index = await ForestIndex.fit(rows, { grower, trees, leafSize, targetRecall: 0, neighborLists: lists })
  const fitSeconds = short((performance.now() - begin) / 1000)
  const fronts = []
  for (const [comparison, rerank] of Object.entries(comparisons)) {
    const efforts = [2, 4, 8, 16].flatMap(asked =>
      votes.filter(sum => sum < asked).map(sum => ({ trees: asked, threshold: sum / asked, probes: 0, rerank })),
    )
    const front = paretoFront(await measureCurve(index, queries, { k, truth, efforts }))
    const at = levels.map(level => {
      const found = front.find(({ recall }) => recall >= level)
      if (!found) return { level }
      return { level, micros: short(found.microsPerQuery), candidates: Math.round(found.candidates) }
    })
    fronts.push({ comparison, at, best: short(Math.max(...front.map(({ recall }) => recall))) })
  }
  measured.push({ grower, fitSeconds, fronts })
  process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
  index.free()
}

keepResult('graph-ann', { rows: rows.rows, trees, leafSize, measured })
