// Collections beside other text search in JavaScript, on titles: time to build, memory, time a query, and how many of the ten
// best of plain BM25 are found. Each contestant has a process of its own, whose
// memory is told with the titles in it; they answer in turns. The other parts are in bench/collection, one file each.
//   npm run bench:collection -- --data DIR [--titles 590000] [--queries 300] [--operations 1000000] [--only PART]
//   [--state FILE --minutes 8] for the churn: see there
// MiniSearch and Orama are looked for in bench/peers.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import { Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { compareAlgorithms } from './collection/algorithms.ts'
import { churn } from './collection/churn.ts'
import { contestants, type Searcher, topK } from './collection/contestants.ts'
import { timeFilters } from './collection/filters.ts'
import { timeForgiving } from './collection/forgiving.ts'
import { compareHybrid } from './collection/hybrid.ts'
import { overlap, PlainBm25 } from './collection/plain-bm25.ts'
import { readTitles } from './collection/titles.ts'
import { timeWaits } from './collection/waits.ts'
import { keepResult, percentile, short } from './measure.ts'
import { peerVersion } from './peers.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    titles: { type: 'string', default: '590000' },
    queries: { type: 'string', default: '300' },
    operations: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    state: { type: 'string' },
    minutes: { type: 'string', default: '8' },
    child: { type: 'string' },
  },
})
const rounds = 3
const slowMillis = 20_000
const churnOf = (kind: string) => {
  const { data, state, operations, minutes } = options
  return { data, kind, state, operations: Number(operations), minutes: Number(minutes) }
}
const titles = () => readTitles(options.data, Number(options.titles), Number(options.queries))

type Ask = 'build' | 'answer'

interface Answers {
  readonly millis: number[]
  readonly found: number[][]
}

/** A contestant's process: builds when it is told to, answers all queries when it is told to. */
async function serve(name: string): Promise<void> {
  const { stored, queries } = titles()
  let searcher: Searcher | undefined
  process.on('message', async (ask: Ask) => {
    const start = performance.now()
    if (ask === 'build') {
      searcher = await contestants[name]?.(stored)
      const seconds = (performance.now() - start) / 1000
      globalThis.gc?.()
      process.send?.({ seconds, megabytes: process.memoryUsage().rss / 2 ** 20 })
      return
    }
    const millis: number[] = []
    const found: number[][] = []
    for (const query of queries) {
      const begin = performance.now()
      found.push((await searcher?.search(query)) ?? [])
      millis.push(performance.now() - begin)
    }
    process.send?.({ millis, found })
  })
}

async function ask<Answer>(child: ChildProcess, what: Ask): Promise<Answer> {
  const answer = once(child, 'message')
  child.send(what)
  return (await answer)[0] as Answer
}

async function compareTitles(): Promise<void> {
  const { stored, queries } = titles()
  const names = Object.keys(contestants).filter(name => name === 'vicinal' || peerVersion(name) !== undefined)
  const script = process.argv[1] ?? ''
  const args = ['data', 'titles', 'queries'].flatMap(name => [`--${name}`, String(options[name as 'data'])])
  const children = names.map(name => {
    return fork(script, [...args, '--child', name], { execArgv: ['--expose-gc', '--max-old-space-size=6000'] })
  })
  const built: { seconds: number; megabytes: number }[] = []
  for (const [i, child] of children.entries()) {
    process.stderr.write(`building ${names[i]}\n`)
    built.push(await ask(child, 'build'))
  }
  const answers = names.map(() => [] as Answers[])
  for (let round = 0; round < rounds; round++) {
    for (const [i, child] of children.entries()) {
      // A contestant that needs longer than this for a round needs no warming up.
      if (sum(answers[i]?.[0]?.millis ?? []) < slowMillis) answers[i]?.push(await ask<Answers>(child, 'answer'))
    }
  }
  const millis = answers.map(own => (own.length > 1 ? own.slice(1) : own).flatMap(one => one.millis))
  for (const child of children) child.kill()
  const plain = new PlainBm25(stored)
  const truths = queries.map(query => plain.scores(query))
  const results = names.map((name, i) => {
    const own = answers[i]?.at(-1)?.found ?? []
    const shares = truths.map((scores, query) => overlap(own[query] ?? [], scores, topK))
    return {
      ...{ name, version: name === 'vicinal' ? 'this commit' : peerVersion(name) },
      buildSeconds: short(built[i]?.seconds ?? 0),
      megabytes: Math.round(built[i]?.megabytes ?? 0),
      meanMillis: short(mean(millis[i] ?? [])),
      medianMillis: short(percentile(millis[i] ?? [], 0.5)),
      p95Millis: short(percentile(millis[i] ?? [], 0.95)),
      overlap: short(mean(shares)),
    }
  })
  console.table(results)
  keepResult('collection-titles', { titles: stored.length, queries: queries.length, k: topK, results })
}

/** Vectors one by one, as an application stores them. */
async function timeUpserts(): Promise<void> {
  const [count, dims] = [20_000, 384]
  const random = new Random(2)
  const collection = Collection.create()
  const millis: number[] = []
  for (let id = 0; id < count; id++) {
    const vector = Float32Array.from({ length: dims }, () => random.normal())
    const begin = performance.now()
    await collection.upsert({ id, text: `note ${id} of ${id % 100}`, vector, metadata: { place: id % 10 } })
    millis.push(performance.now() - begin)
  }
  const result = {
    ...{ count, dims, meanMillis: short(mean(millis)), p99Millis: short(percentile(millis, 0.99)) },
    mostMillis: short(Math.max(...millis)),
  }
  console.table([result])
  keepResult('collection-upserts', result)
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function mean(values: readonly number[]): number {
  return sum(values) / values.length
}

if (options.child !== undefined) await serve(options.child)
else {
  const parts = {
    titles: compareTitles,
    algorithms: () => compareAlgorithms(titles()),
    forgiving: () => timeForgiving(titles()),
    upserts: timeUpserts,
    waits: () => timeWaits(50_000),
    filters: () => timeFilters(options.data),
    hybrid: () => compareHybrid(options.data),
    'churn-clusters': () => churn(churnOf('clusters')),
    'churn-titles': () => churn(churnOf('titles')),
  }
  for (const [name, run] of Object.entries(parts)) if ((options.only ?? name) === name) await run()
}
