// The cost of filters: µs a query, and recall, with filters that let 50 % to 0.1 % of the rows pass, as sets, functions and prepared
// filters, by ForestIndex and ExactIndex: node tools/run.mjs bench/filters.ts [--rows 20000] [--dims 384] [--keep]
// All ways to ask take turns, some queries at a time, so that a noisy machine is noisy for all of them, and each finds in the caches
// what it left there, as a program that uses one filter does; medians are reported.

import { parseArgs } from 'node:util'
import { DenseMatrix, ExactIndex, type Filter, ForestIndex, type Id, Random } from '@vicinal/core'
import { keepResult, percentile, short } from './measure.ts'

const shares = [0.5, 0.2, 0.05, 0.01, 0.001]
const k = 10
const queries = 240
/** Queries a turn; the first of them fill the caches and do not count. */
const [turn, warming] = [20, 5]

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '20000' },
    dims: { type: 'string', default: '384' },
    keep: { type: 'boolean', default: false },
  },
})
const [rows, dims] = [Number(values.rows), Number(values.dims)]

/** Rows around `centers` centers, as embeddings are; without centers, noise that fills all dimensions. */
function rowsAround(centers: number, count: number, seed: number): DenseMatrix {
  const [spots, random] = [new Random(1), new Random(seed)]
  const center = Float32Array.from({ length: Math.max(1, centers) * dims }, () => (centers > 0 ? spots.normal() : 0))
  const cells = new Float32Array(count * dims)
  for (let i = 0; i < count; i++) {
    const from = random.below(Math.max(1, centers)) * dims
    for (let j = 0; j < dims; j++) cells[i * dims + j] = (center[from + j] ?? 0) + random.normal()
  }
  return new DenseMatrix(count, dims, cells)
}

type Asks = (query: Float32Array) => Id[]

interface Way {
  readonly index: 'forest' | 'exact'
  readonly filter: 'none' | 'set' | 'function' | 'prepared'
  readonly share: number
  readonly ask: Asks
}

function waysOf(name: Way['index'], index: ForestIndex | ExactIndex): Way[] {
  const ask =
    (filter?: Filter): Asks =>
    query =>
      index.search(query, { k, ...(filter && { filter }) }).map(({ id }) => id)
  const ways: Way[] = [{ index: name, filter: 'none', share: 1, ask: ask() }]
  for (const share of shares) {
    const set = new Set<Id>(new Random(7).sample(rows, Math.round(share * rows)))
    ways.push({ index: name, filter: 'set', share, ask: ask(set) })
    ways.push({ index: name, filter: 'function', share, ask: ask(id => set.has(id)) })
    ways.push({ index: name, filter: 'prepared', share, ask: ask(index.filter(set)) })
  }
  return ways
}

async function measureSet(data: string, centers: number) {
  const matrix = rowsAround(centers, rows, 2)
  const asked = rowsAround(centers, queries, 3)
  const [forest, exact] = [
    await ForestIndex.fit(matrix, { metric: 'cosine' }),
    await ExactIndex.fit(matrix, { metric: 'cosine' }),
  ]
  process.stderr.write(`${data}: ${JSON.stringify(forest.effort)} ${JSON.stringify(forest.tuning?.larger)}\n`)
  const ways = [...waysOf('forest', forest), ...waysOf('exact', exact)]
  const times = ways.map(() => [] as number[])
  const answers = ways.map(() => [] as Id[][])
  for (let from = 0; from < queries; from += turn) {
    ways.forEach(({ ask }, way) => {
      for (let i = from - warming; i < from + turn; i++) {
        const query = asked.row(i < from ? i + turn : i) as Float32Array // as they were made
        const begin = process.hrtime.bigint()
        const found = ask(query)
        if (i < from) continue
        times[way]?.push(Number(process.hrtime.bigint() - begin) / 1000)
        answers[way]?.push(found)
      }
    })
  }
  const measured = ways.map(({ index, filter, share }, way) => {
    // The truth is what ExactIndex finds among the same rows.
    const judge = ways.findIndex(
      other => other.index === 'exact' && other.share === share && ['none', 'set'].includes(other.filter),
    )
    const hits = answers[way]?.reduce(
      (sum, found, i) => sum + found.filter(id => answers[judge]?.[i]?.includes(id)).length,
      0,
    )
    const wanted = answers[judge]?.reduce((sum, { length }) => sum + length, 0)
    const recall = (hits ?? 0) / (wanted ?? 1)
    return { data, index, filter, share, micros: short(percentile(times[way] ?? [], 0.5)), recall: short(recall) }
  })
  forest.free()
  exact.free()
  return measured
}

const measured = []
for (const [data, centers] of [
  ['clusters', 200],
  ['noise', 0],
] as const)
  measured.push(...(await measureSet(data, centers)))
if (values.keep) keepResult('filters', { rows, dims, k, queries, measured })
for (const line of measured) process.stdout.write(`${JSON.stringify(line)}\n`)
