// Searches in a page: the same index file in Chromium, in a plain page and in one that is isolated from other origins,
// beside Node: npm run bench:ann-browser -- --data <folder> [--set titles-use512] [--nodes <other Node programs, by commas>] [--rounds 2]
// The index is built once. Then rounds, in which every runtime starts anew, loads the file and answers the same queries on one thread.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type DenseMatrix, ForestIndex } from '@vicinal/core'
import { build as bundle } from 'esbuild'
import { Browser } from '../test/browser.cases.ts'
import { type Answered, answerAll } from './ann/any-runtime.ts'
import type { Knobs } from './ann/contestant.ts'
import { grid } from './ann/grid.ts'
import { readVectors, type SetName, sets } from './ann/jobs.ts'
import { makeJudge } from './ann/truth.ts'
import { keepResult, short } from './measure.ts'

const k = 10
const levels = [0.9, 0.95, 0.99]
const settings = grid.find(({ contestant }) => contestant.name === 'vicinal forest')?.queries ?? []

const { values } = parseArgs({
  options: {
    data: { type: 'string', default: '' },
    set: { type: 'string', default: 'fashion-mnist' },
    nodes: { type: 'string', default: '' },
    rounds: { type: 'string', default: '2' },
    /** In a process of its own: the folder with the index and the queries. */
    answer: { type: 'string' },
    columns: { type: 'string' },
  },
})

interface Round extends Answered {
  readonly name: string
}
interface Runtime {
  readonly run: (folder: string, columns: number) => Promise<Round>
}

const node = (program: string): Runtime => ({
  run: async (folder, columns) => {
    const args = [process.argv[1] as string, '--answer', folder, '--columns', String(columns)]
    const child = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 2 ** 30 })
    if (child.status !== 0) throw new Error(`${program}: ${child.stderr}`)
    return JSON.parse(child.stdout)
  },
})

/** In the process of its own. */
async function answerInNode(folder: string, columns: number): Promise<Round> {
  const index = await ForestIndex.load(join(folder, 'index'))
  const numbers = new Float32Array(new Uint8Array(readFileSync(join(folder, 'queries'))).buffer)
  return { name: `Node ${process.version.slice(1)}`, ...answerAll(index, { numbers, columns, k, settings }) }
}

const page = (isolated: boolean): Runtime => ({
  run: async (folder, columns) => {
    const files = ['index', 'queries', 'answer.mjs'].map(name => [`/${name}`, join(folder, name)])
    const browser = await Browser.start(Object.fromEntries(files))
    try {
      return (await browser.run({ isolated }, inPage(columns, isolated))) as Round // what the text below returns
    } finally {
      await browser.close()
    }
  },
})

/** The text that a page runs. */
const inPage = (columns: number, isolated: boolean) => `(async () => {
  const [{ ForestIndex }, { answerAll }] = await Promise.all([import('/core/index.mjs'), import('/answer.mjs')])
  const read = async path => (await fetch(path)).arrayBuffer()
  const index = await ForestIndex.fromBytes(new Uint8Array(await read('/index')))
  const numbers = new Float32Array(await read('/queries'))
  const version = /Chrome\\/(\\d+)/.exec(navigator.userAgent)[1]
  const name = 'Chromium ' + version + ', ' + ${JSON.stringify(isolated ? 'isolated page' : 'plain page')}
  return { name, ...answerAll(index, ${JSON.stringify({ columns, k, settings }).slice(0, -1)}, numbers }) }
})()`

/** Builds the index, and lays it out for all runtimes with the queries and the script of pages. */
async function prepare(folder: string, rows: DenseMatrix, queries: DenseMatrix): Promise<void> {
  const index = await ForestIndex.fit(rows)
  await index.save(join(folder, 'index'))
  index.free()
  const { buffer, byteOffset, byteLength } = queries.toFloat32()
  writeFileSync(join(folder, 'queries'), new Uint8Array(buffer, byteOffset, byteLength))
  const entryPoints = [join(import.meta.dirname, 'ann', 'any-runtime.ts')]
  await bundle({ entryPoints, outfile: join(folder, 'answer.mjs'), bundle: true, format: 'esm' })
}

/** The rounds of each runtime; the order moves on by one each round. */
async function runRounds(runtimes: readonly Runtime[], folder: string, columns: number): Promise<Round[][]> {
  const rounds = runtimes.map(() => [] as Round[])
  for (let round = 0; round < Number(values.rounds); round++) {
    for (let i = 0; i < runtimes.length; i++) {
      const next = (round + i) % runtimes.length
      rounds[next]!.push(await runtimes[next]!.run(folder, columns))
    }
  }
  return rounds
}

/** A runtime's best time of each setting, and the fastest setting at each recall. */
function summarize(rounds: readonly Round[], judge: (rows: number[][]) => number) {
  const { name, shared, relaxed, turns } = rounds[0]!
  const measured = settings.map((query: Knobs, i) => {
    const micros = short(Math.min(...rounds.flatMap(round => round.turns[i]!.micros)))
    return { query, recall: judge(turns[i]!.rows), micros }
  })
  const fastest = levels.map(level => {
    const reaching = measured.filter(({ recall }) => recall >= level).sort((a, b) => a.micros - b.micros)
    return { level, ...reaching[0] }
  })
  return { name, shared, relaxed, fastest, measured }
}

async function runAll(name: SetName): Promise<void> {
  const set = sets[name]
  const rows = await readVectors(values.data, set.rows, set.count)
  const queries = await readVectors(values.data, set.queries, 1000)
  const folder = mkdtempSync(join(tmpdir(), 'vicinal-ann-browser-'))
  try {
    await prepare(folder, rows, queries)
    const programs = [process.execPath, ...values.nodes.split(',').filter(Boolean)]
    const rounds = await runRounds([...programs.map(node), page(false), page(true)], folder, rows.columns)
    const judge = makeJudge(rows, queries, k)
    const measured = rounds.map(ofOne => summarize(ofOne, judge))
    const answers = rounds.flat().map(({ turns }) => JSON.stringify(turns.map(({ rows }) => rows)))
    keepResult(`ann-browser-${name}`, { set: name, k, sameAnswers: new Set(answers).size === 1, measured })
    for (const { name, fastest } of measured) console.log(name, ...fastest.map(({ micros }) => micros))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

if (values.answer) console.log(JSON.stringify(await answerInNode(values.answer, Number(values.columns))))
else if (!values.data) throw new Error('give the folder of the data set with --data')
else if (!(values.set in sets))
  throw new Error(`--set is ${values.set}, expected one of ${Object.keys(sets).join(', ')}`)
else await runAll(values.set as SetName)
