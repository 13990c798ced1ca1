// Collections against what people use for text search in JavaScript, on titles: time to build, memory, time a query, and how many of the ten
// best of plain BM25 are found. Each contestant has a process of its own, whose
// memory is told with the titles in it; they answer in turns. And upserts, one by one.
//   npm run bench:collection -- --data DIR [--titles 590000] [--queries 300] [--only titles|upserts]
// MiniSearch and Orama are looked for in bench/peers.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { contestants, type Searcher, topK } from './collection/contestants.ts'
import { overlap, PlainBm25 } from './collection/plain-bm25.ts'
import { keepResult, percentile, short } from './measure.ts'
import { peerVersion } from './peers.ts'

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', default: 'data' },
    titles: { type: 'string', default: '590000' },
    queries: { type: 'string', default: '300' },
    only: { type: 'string' },
    child: { type: 'string' },
  },
})
const rounds = 3

interface Titles {
  readonly stored: string[]
  /** The first five words of titles that are not stored. */
  readonly queries: string[]
}

function readTitles(): Titles {
  const text = gunzipSync(readFileSync(join(options.data, 'text', 'yso-finna-en.tsv.gz'))).toString('utf8')
  const all = text.split('\n').flatMap(line => line.split('\t')[0] || [])
  const isHeldOut = (_: string, i: number) => i % 10 === 0
  const stored = all.filter((title, i) => !isHeldOut(title, i)).slice(0, Number(options.titles))
  const heldOut = all.filter(isHeldOut)
  const random = new Random(1)
  const queries = Array.from({ length: Number(options.queries) }, () => {
    return (heldOut[random.below(heldOut.length)] ?? '').split(/\s+/).slice(0, 5).join(' ')
  })
  return { stored, queries }
}

type Ask = 'build' | 'answer'

/** A contestant's process: builds when it is told to, answers all queries when it is told to. */
async function serve(name: string): Promise<void> {
  const { stored, queries } = readTitles()
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
  const { stored, queries } = readTitles()
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
  const millis = names.map(() => [] as number[])
  const found: number[][][] = []
  for (let round = 0; round < rounds; round++) {
    for (const [i, child] of children.entries()) {
      const answer = await ask<{ millis: number[]; found: number[][] }>(child, 'answer')
      // The first round warms up.
      if (round > 0) millis[i]?.push(...answer.millis)
      found[i] = answer.found
    }
  }
  for (const child of children) child.kill()
  const plain = new PlainBm25(stored)
  const truths = queries.map(query => plain.scores(query))
  const results = names.map((name, i) => {
    const own = found[i] ?? []
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

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

if (options.child !== undefined) await serve(options.child)
else {
  if (options.only !== 'upserts') await compareTitles()
  if (options.only !== 'titles') await timeUpserts()
}
