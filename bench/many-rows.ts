// Building with many rows, and the memory of a process that answers: node tools/run.mjs bench/many-rows.ts --data <folder of the data
// sets> --titles <folder that title-sketches.ts wrote to> --set titles --rows 1000000 [--keep codes] [--fit '{"links": 16}'] [--name …]
// One process fits and saves, another loads and answers: an engine's memory never shrinks. Time is processor time of all threads beside
// the clock's, as other work may run on the machine. Efforts are picked by the recall that fitting reports, never by these queries.

import { spawnSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  DenseMatrix,
  type DenseMetric,
  defaultEngine,
  type Effort,
  ExactIndex,
  type ForestFitOptions,
  ForestIndex,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { npyHeader, readNpy } from './many-rows/npy.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const recalls = [0.9, 0.95, 0.99]
const rounds = 5

const { values: given } = parseArgs({
  options: {
    ...{ data: { type: 'string' }, titles: { type: 'string' }, rows: { type: 'string' }, step: { type: 'string' } },
    ...{ set: { type: 'string', default: 'titles' }, keep: { type: 'string', default: 'rows' } },
    ...{ fit: { type: 'string', default: '{}' }, name: { type: 'string' } },
  },
})
const { titles = '.', data = '.', set = 'titles' } = given
const file = (what: string) => join(titles, `${set}-${given.rows ?? 'all'}-${what}`)

interface Sets {
  readonly rows: DenseMatrix
  readonly queries: DenseMatrix
  readonly metric: DenseMetric
}

async function features(path: string): Promise<DenseMatrix> {
  const { features } = await readDataset(join(data, path))
  if (!(features instanceof DenseMatrix)) throw new Error(`${path} holds no vectors`)
  return features
}

async function open(): Promise<Sets> {
  if (set === 'titles') {
    const of = (name: string, most?: number) => {
      const { rows, columns, values } = readNpy(join(titles, `${name}.npy`), most)
      return new DenseMatrix(rows, columns, values)
    }
    return { rows: of('rows', given.rows ? Number(given.rows) : undefined), queries: of('queries'), metric: 'cosine' }
  }
  const folders = { 'fashion-mnist': ['train-images-idx3-ubyte.gz', 't10k-images-idx3-ubyte.gz'] } as const
  const [train, test] = set === 'fashion-mnist' ? folders[set] : ['train.npy', 'test.npy']
  const [rows, queries] = [await features(`${set}/${train}`), await features(`${set}/${test}`)]
  return { rows, queries: queries.slice(0, 1000), metric: set === 'fashion-mnist' ? 'euclidean' : 'cosine' }
}

const rss = () => process.memoryUsage.rss()

/** Processor seconds of all threads since `begin`. */
function coreSeconds(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1e6
}

async function build() {
  const { rows, queries, metric } = await open()
  const engine = defaultEngine()
  let arenaPeak = 0
  const stages: Record<string, number> = {}
  let [what, since] = ['placing rows', process.cpuUsage()]
  const onProgress = (progress: { readonly what: string }) => {
    arenaPeak = Math.max(arenaPeak, engine.arena.usedBytes)
    if (progress.what === what) return
    stages[what] = short((stages[what] ?? 0) + coreSeconds(since))
    what = progress.what
    since = process.cpuUsage()
  }
  const [begin, cpu] = [performance.now(), process.cpuUsage()]
  const options: ForestFitOptions = { metric, keep: given.keep as 'rows' | 'codes', ...JSON.parse(given.fit ?? '{}') }
  const index = await ForestIndex.fit(rows, { ...options, onProgress })
  onProgress({ what: 'done' })
  const seconds = short((performance.now() - begin) / 1000)
  const peak = process.resourceUsage().maxRSS * 1024
  const result = {
    ...{
      rows: rows.rows,
      dims: rows.columns,
      rowsBytes: 4 * rows.rows * rows.columns,
      options: JSON.parse(given.fit ?? '{}'),
    },
    ...{ seconds, coreSeconds: short(coreSeconds(cpu)), stages, engineBytes: engine.arena.bytes, arenaPeak },
    ...{ peakRss: peak, residentAfterFit: rss(), effort: index.effort, reached: index.tuning?.reached },
  }
  await index.save(file(`${given.keep}.index`), { overwrite: true })
  const exact = index.settings.keep === 'rows' ? index : await ExactIndex.fit(rows, { metric })
  const truth = exact === index ? await index.exactBatch(queries, { k }) : await exact.searchBatch(queries, { k })
  writeFileSync(file('truth.json'), JSON.stringify([...truth.distances]))
  return result
}

/** The share of the true neighbors, by the rows' own distances: equal ones are as good, and codes are not asked. */
function recallOf(
  found: readonly (readonly number[])[],
  { rows, queries, metric }: Sets,
  truth: readonly number[],
): number {
  let hits = 0
  found.forEach((own, i) => {
    const farthest = (truth[(i + 1) * k - 1] ?? 0) + 1e-5
    for (const row of own) if (distance(rows.row(row), queries.row(i), metric) <= farthest * (1 + 1e-5)) hits++
  })
  return hits / (found.length * k)
}

function distance(a: ArrayLike<number>, b: ArrayLike<number>, metric: DenseMetric): number {
  let [product, squares, lengths] = [0, 0, [0, 0] as [number, number]]
  for (let j = 0; j < a.length; j++) {
    const [x, y] = [a[j] ?? 0, b[j] ?? 0]
    product += x * y
    squares += (x - y) ** 2
    lengths = [lengths[0] + x * x, lengths[1] + y * y]
  }
  return metric === 'euclidean' ? Math.sqrt(squares) : 1 - product / Math.sqrt(lengths[0] * lengths[1])
}

/** Without the rows: they would count as resident. */
async function answer() {
  const bare = rss()
  const { rows: count, columns, values } = readNpy(file('queries.npy'))
  const vectors = Array.from({ length: count }, (_, i) => values.subarray(i * columns, (i + 1) * columns))
  const loadedFrom = performance.now()
  const index = await ForestIndex.load(file(`${given.keep}.index`))
  const loadSeconds = short((performance.now() - loadedFrom) / 1000)
  const search = (effort: Partial<Effort>) =>
    vectors.map(query => index.search(query, { k, ...effort }).map(({ id }) => Number(id)))
  const lines = []
  const own = { ...timed(() => search({})), effort: index.effort }
  const resident = rss()
  globalThis.gc?.()
  const residentCollected = rss()
  for (const recall of recalls) {
    const effort = index.tuning?.curve.find(one => one.recall >= recall)?.effort
    if (effort) lines.push({ recall, effort, ...timed(() => search(effort)) })
  }
  return {
    ...{ loadSeconds, bareRss: bare, resident, residentCollected, engineBytes: defaultEngine().arena.bytes },
    ...{
      fileBytes: statSync(file(`${given.keep}.index`)).size,
      peakRss: process.resourceUsage().maxRSS * 1024,
      own,
      lines,
    },
  }
}

/** The fewest microseconds a query of some rounds, and what was found. */
function timed(run: () => number[][]): { micros: number; found: number[][] } {
  let [micros, found] = [Number.POSITIVE_INFINITY, run()]
  for (let round = 0; round < rounds; round++) {
    const begin = process.cpuUsage()
    found = run()
    micros = Math.min(micros, (1e6 * coreSeconds(begin)) / found.length)
  }
  return { micros: short(micros), found }
}

function inFreshProcess<T>(step: string): T {
  const args = [...process.execArgv, process.argv[1] ?? '', ...process.argv.slice(2), '--step', step]
  const { status, stdout } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) throw new Error(`${step} failed`)
  return JSON.parse(stdout) as T
}

if (given.step) {
  writeFileSync(1, JSON.stringify(await (given.step === 'fit' ? build() : answer()))) // all of it, before the process ends
  process.exit(0)
}
const built = inFreshProcess<Awaited<ReturnType<typeof build>>>('fit')
process.stderr.write(`${JSON.stringify(built)}\n`)
const sets = await open()
const { rows: count, columns } = sets.queries
writeFileSync(file('queries.npy'), npyHeader(count, columns))
writeFileSync(file('queries.npy'), sets.queries.toFloat32(), { flag: 'a' })
const { own, lines, ...answered } = inFreshProcess<Awaited<ReturnType<typeof answer>>>('answer')
const truth = JSON.parse(readFileSync(file('truth.json'), 'utf8')) as number[]
const judged = <T extends { found: number[][]; micros: number }>({ found, ...line }: T) => ({
  ...line,
  found: short(recallOf(found, sets, truth)),
})
const result = { set, keep: given.keep, k, built, answered, own: judged(own), lines: lines.map(judged) }
process.stderr.write(`${JSON.stringify(result)}\n`)
keepResult(`many-rows-${given.name ?? `${set}-${given.keep}`}`, result)
