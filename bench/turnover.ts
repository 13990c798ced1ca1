// What an index is worth after all of its rows were replaced, again and again: node tools/run.mjs bench/turnover.ts --data <folder of the
// data sets> [--rows 20000] [--turns 10]. One row is removed for each that is added; a fresh build over the rows that are left is what it
// is held against. Clusters: new rows around the same centers. Sentences: other titles (titles-use512). Drift: the centers move with every
// turn, in the end by ten times the distance of a row from its center.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DenseMatrix, ForestIndex, neighborRecallByDistance, Random } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { keepResult, short } from './measure.ts'

const k = 10
const dims = 64
const centerCount = 100
const queryCount = 1000

/** Row `i` of an endless sequence: the queries of a turn come from the same part of it as its rows. */
type Source = (random: Random, turn: number) => Float32Array

function clusters(speed: number): Source {
  const random = new Random(1)
  const centers = Float32Array.from({ length: centerCount * dims }, () => 2 * random.normal())
  const paths = Float32Array.from({ length: centerCount * dims }, () => random.normal())
  return (random, turn) => {
    const at = random.below(centerCount) * dims
    return Float32Array.from({ length: dims }, (_, j) => {
      return (centers[at + j] ?? 0) + speed * turn * (paths[at + j] ?? 0) + random.normal()
    })
  }
}

async function sentences(folder: string): Promise<Source> {
  const { features } = await readDataset(join(folder, 'titles-use512', 'train.npy'))
  if (!(features instanceof DenseMatrix)) throw new Error('the titles hold no vectors')
  const values = features.toFloat32()
  return random => {
    const at = random.below(features.rows) * features.columns
    // Titles come again: a little noise makes them rows of their own.
    return values.slice(at, at + features.columns).map(value => value + 0.002 * random.normal())
  }
}

function matrixOf(source: Source, rows: number, turn: number, seed: number): DenseMatrix {
  const random = new Random(seed)
  const all = Array.from({ length: rows }, () => source(random, turn))
  const columns = all[0]?.length ?? 0
  const values = new Float32Array(rows * columns)
  all.forEach((row, i) => {
    values.set(row, i * columns)
  })
  return new DenseMatrix(rows, columns, values)
}

async function recallOf(index: ForestIndex, queries: DenseMatrix): Promise<number> {
  const [found, truth] = [await index.searchBatch(queries, { k }), await index.exactBatch(queries, { k })]
  return neighborRecallByDistance(found, truth, k)
}

/** Microseconds of a search of its own effort, one by one. */
function microsOf(index: ForestIndex, queries: DenseMatrix): number {
  const begin = process.cpuUsage()
  for (let i = 0; i < queries.rows; i++) index.search(queries.row(i), { k })
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / queries.rows
}

async function turnOver(source: Source, rows: number, turns: number) {
  const index = await ForestIndex.fit(matrixOf(source, rows, 0, 10))
  const random = new Random(5)
  const live = Array.from({ length: rows }, (_, id) => id)
  let next = rows
  const kept = new Map<number, Float32Array>()
  let seconds = 0
  for (let turn = 1; turn <= turns; turn++) {
    for (let i = 0; i < rows; i++) {
      const row = source(random, turn - 1 + i / rows)
      const place = random.below(rows)
      const begin = performance.now()
      index.remove(live[place] ?? 0)
      index.add(row, next)
      seconds += (performance.now() - begin) / 1000
      kept.delete(live[place] ?? 0)
      live[place] = next
      kept.set(next++, row)
    }
    if (turn % 3 === 0) index.compact()
    const queries = matrixOf(source, queryCount, turn, 100 + turn)
    process.stderr.write(`turn ${turn}: ${(await recallOf(index, queries)).toFixed(3)}\n`)
  }
  const queries = matrixOf(source, queryCount, turns, 7)
  const columns = index.dims
  const values = new Float32Array(index.rows * columns)
  live.forEach((id, i) => {
    values.set(kept.get(id) ?? index.vector(index.rowOf(id) ?? 0), i * columns)
  })
  const fresh = await ForestIndex.fit(new DenseMatrix(live.length, columns, values))
  const recall = { changed: short(await recallOf(index, queries)), fresh: short(await recallOf(fresh, queries)) }
  const micros = { changed: short(microsOf(index, queries)), fresh: short(microsOf(fresh, queries)) }
  const efforts = { changed: index.effort, fresh: fresh.effort }
  index.free()
  fresh.free()
  return {
    rows,
    dims: columns,
    turns,
    recall,
    micros,
    efforts,
    microsPerChange: short((1e6 * seconds) / (rows * turns)),
  }
}

const { values: given } = parseArgs({
  options: { data: { type: 'string' }, rows: { type: 'string' }, turns: { type: 'string' }, only: { type: 'string' } },
})
const [rows, turns] = [Number(given.rows ?? 20_000), Number(given.turns ?? 10)]
const sources: [string, () => Source | Promise<Source>][] = [
  ['clusters', () => clusters(0)],
  ['drift', () => clusters(1)],
  ['sentences', () => sentences(given.data ?? '')],
]
const lines = []
for (const [data, open] of sources) {
  if (given.only && data !== given.only) continue
  const line = { data, ...(await turnOver(await open(), rows, turns)) }
  lines.push(line)
  process.stderr.write(`${JSON.stringify(line)}\n`)
}
if (!given.only) keepResult('turnover', { k, lines })
