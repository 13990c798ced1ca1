// Dense neighbors against native peers: node tools/run.mjs bench/ann.ts --data <folder> [--set titles-use512] [--rows 10000]
// [--rounds 3] [--only names]. The folder holds the files of the set, Fashion-MNIST by default. First the builds, each in a process of its own (the peers' are kept in a temporary folder); then
// rounds, in which every contestant answers the same queries in a fresh process. The best round of a setting counts.

import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { svgPlot } from 'vicinal'
import { type Entry, grid } from './ann/grid.ts'
import { type Answers, answer, type BuildCost, build, readVectors, type SetName, sets } from './ann/jobs.ts'
import { type Measured, summarize, toPlot } from './ann/summary.ts'
import { makeJudge } from './ann/truth.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const queryCount = 1000
const folder = join(tmpdir(), 'vicinal-ann')

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    set: { type: 'string', default: 'fashion-mnist' },
    rows: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    only: { type: 'string' },
    /** In a process of its own: what to do, and with which entry of the grid. */
    job: { type: 'string' },
    entry: { type: 'string' },
  },
})
if (!values.data) throw new Error('give the folder of the data set with --data')
if (!(values.set in sets)) throw new Error(`--set is ${values.set}, expected one of ${Object.keys(sets).join(', ')}`)
const set = sets[values.set as SetName]
const rowCount = Number(values.rows ?? set.count)
const readRows = () => readVectors(values.data, set.rows, rowCount)
const readQueries = () => readVectors(values.data, set.queries, queryCount)

function indexFile({ contestant, build }: Entry): string {
  const words = [values.set, contestant.name, contestant.version(), rowCount, ...Object.entries(build).flat()]
  return join(folder, words.join('-').replaceAll(' ', '-'))
}

function spawnJob<Result>(job: 'build' | 'answer', entry: Entry): Result {
  const args = [...process.argv.slice(1), '--job', job, '--entry', String(grid.indexOf(entry))]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
  if (child.status !== 0) throw new Error(`${entry.contestant.name}, ${job}: ${child.stderr}`)
  return JSON.parse(child.stdout)
}

function buildOrReuse(entry: Entry): BuildCost {
  const costFile = `${indexFile(entry)}.json`
  if (!entry.contestant.keepsBuilds || !existsSync(costFile))
    writeFileSync(costFile, JSON.stringify(spawnJob<BuildCost>('build', entry)))
  return JSON.parse(readFileSync(costFile, 'utf8'))
}

function takesPart({ contestant: { name, version } }: Entry): boolean {
  if (values.only && !values.only.split(',').includes(name)) return false
  if (!version())
    console.error(`${name} is left out: not installed (npm install in bench/peers) or not built (npm run build)`)
  return version() !== undefined
}

/** For every entry the rounds of its answers. The order moves on by one each round. */
function runRounds(entries: readonly Entry[]): Answers[][][] {
  const rounds = entries.map(() => [] as Answers[][])
  for (let round = 0; round < Number(values.rounds); round++) {
    entries.forEach((_, i) => {
      const next = (round + i) % entries.length
      rounds[next]!.push(spawnJob<Answers[]>('answer', entries[next]!))
    })
    console.error(`round ${round + 1} of ${values.rounds} is done`)
  }
  return rounds
}

async function measureAll(entries: readonly Entry[]): Promise<Measured[]> {
  mkdirSync(folder, { recursive: true })
  const costs = entries.map(buildOrReuse)
  const rounds = runRounds(entries)
  const judge = makeJudge(await readRows(), await readQueries(), k)
  return entries.map(({ contestant, build, queries }, i) => {
    const settings = queries.map((query, setting) => {
      const raw = rounds[i]!.map(round => round[setting]!.micros.map(short))
      return { query, recall: judge(rounds[i]![0]![setting]!.rows), micros: Math.min(...raw.flat()), raw }
    })
    const answerPeakBytes = Math.min(...rounds[i]!.flat().map(({ peakBytes }) => peakBytes))
    const { name } = contestant
    return { name, version: contestant.version(), build, buildCost: costs[i]!, answerPeakBytes, settings }
  })
}

async function runAll() {
  const entries = grid.filter(takesPart)
  if (entries.length === 0) throw new Error('nobody takes part')
  const measured = await measureAll(entries)
  const levels = summarize(measured)
  for (const { level, fastest } of levels)
    for (const { name, micros, query, ratios } of fastest) console.log(level, name, micros, query, ratios)
  // A run on fewer rows, or with somebody missing, must not replace the result that the documentation shows.
  const name = rowCount === set.count && entries.length === grid.length ? `ann-${values.set}` : 'ann-trial'
  keepResult(name, { rows: rowCount, queries: queryCount, k, metric: 'euclidean', levels, measured })
  const title = `${values.set}, ${rowCount} rows, one thread`
  writeFileSync(join(import.meta.dirname, 'results', `${name}.svg`), svgPlot(toPlot(measured, title)))
}

const entry = grid[Number(values.entry)]
if (!entry) await runAll()
else if (values.job === 'build') console.log(JSON.stringify(await build(entry, await readRows(), indexFile(entry))))
else console.log(JSON.stringify(await answer(entry, await readQueries(), k, indexFile(entry))))
