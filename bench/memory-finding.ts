// Finding what a memory holds: node tools/run.mjs bench/memory-finding.ts [--data <folder with xmc sets>]
//   titles   data/titles-train.tsv.gz, texts as keys; a query is every second word of a stored title (of at least six words), and no
//            reward is given. The share of queries whose first hit is that title, by retrieval and by number of memories.
//   users    the same titles as memories of 100 users: how many hits a query with k = 5 gets, by namespace and by filters
//   growth   with --data: µs a query and an insert at 10⁴, 10⁵ and 5·10⁵ memories (yso-finna-en, sparse keys), by retrieval
// One thread. Times are of the CPU: other work on the machine counts less. Contestants take turns.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { Random, SparseMatrix, type SparseRow } from '@vicinal/core'
import { type MemoryKey, type MemoryOptions, MemoryTree } from '@vicinal/core/memory'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, part: { type: 'string', default: 'all' } } })
const retrievals = ['tree', 'index', 'both'] as const
const seed = 1
/** Queries at each size. */
const asked = 2000

const titles = gunzipSync(readFileSync(join(import.meta.dirname, '..', 'data', 'titles-train.tsv.gz')))
  .toString()
  .split('\n')
  .map(line => line.split('\t')[0] ?? '')
  .filter(title => /\w/.test(title))

const wordsOf = (title: string) => title.split(/\s+/)
const everySecond = (title: string) => wordsOf(title).filter((_, i) => i % 2 === 0).join(' ') // biome-ignore format: one line
const fewestWords = 6

/** Microseconds of CPU that each of `count` calls took. */
function microsEach(count: number, call: (i: number) => void): number {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) call(i)
  return process.cpuUsage(before).user / count
}

/** Every this many of the first `count` titles that are long enough, `asked` at most. */
function askedRows(count: number): number[] {
  const long = Array.from({ length: count }, (_, row) => row).filter(
    row => wordsOf(titles[row] ?? '').length >= fewestWords,
  )
  const step = Math.max(1, Math.floor(long.length / asked))
  return long.filter((_, i) => i % step === 0).slice(0, asked)
}

interface Found {
  readonly memories: number
  readonly retrieval: string
  readonly probes: number
  readonly first: number
  readonly queryMicros: number
  readonly insertMicros: number
}

function measureTitles(): Found[] {
  const ways: readonly (readonly [MemoryOptions, number])[] = [
    [{ retrieval: 'tree' }, 0],
    [{ retrieval: 'tree' }, 2],
    [{ retrieval: 'tree' }, 50],
    [{ retrieval: 'index' }, 2],
    [{ retrieval: 'both' }, 2],
  ]
  const measured: Found[] = []
  for (const count of [300, 1000, 10_000, titles.length]) {
    const rows = askedRows(count)
    for (const [options, probes] of ways) {
      const memory = MemoryTree.create({ ...options, seed })
      const insertMicros = microsEach(count, i => memory.insert(titles[i] as string, i, { id: i }))
      let first = 0
      const queryMicros = microsEach(rows.length, i => {
        const row = rows[i] as number
        if (memory.query(everySecond(titles[row] as string), { probes })[0]?.id === row) first++
      })
      memory.free()
      measured.push({
        ...{ memories: count, retrieval: options.retrieval ?? 'both', probes, first: short(first / rows.length) },
        ...{ queryMicros: short(queryMicros), insertMicros: short(insertMicros) },
      })
      process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
    }
  }
  return measured
}

/** 10,000 memories of 100 users: a query of each, for the 5 best of that user. */
function measureUsers() {
  const [memories, users, k] = [10_000, 100, 5]
  const spaces = MemoryTree.create({ seed })
  const plain = MemoryTree.create({ seed })
  const owner = (i: number) => i % users
  for (let i = 0; i < memories; i++) {
    spaces.insert(titles[i] as string, { user: owner(i) }, { id: i, namespace: `user ${owner(i)}` })
    plain.insert(titles[i] as string, { user: owner(i) }, { id: i })
  }
  const question = (user: number) => everySecond(titles[memories + user] as string)
  const ownIds = (user: number) => Array.from({ length: memories / users }, (_, i) => i * users + user)
  const ways = {
    namespace: (user: number) => spaces.query(question(user), { k, namespace: `user ${user}` }),
    function: (user: number) =>
      plain.query(question(user), { k, filter: value => (value as { user: number }).user === user }),
    'set of ids': (user: number) => plain.query(question(user), { k, filter: new Set(ownIds(user)) }),
  }
  const measured = Object.entries(ways).map(([way, ask]) => {
    const counts: number[] = []
    const foreign: number[] = []
    const micros = microsEach(users, user => {
      const hits = ask(user)
      counts.push(hits.length)
      foreign.push(hits.filter(({ value }) => (value as { user: number }).user !== user).length)
    })
    const full = counts.filter(count => count === k).length
    return { way, full, leaks: foreign.reduce((sum, count) => sum + count, 0), queryMicros: short(micros) }
  })
  spaces.free()
  plain.free()
  return { memories, users, k, measured }
}

async function measureGrowth(data: string) {
  const { train, test } = await loadSet(join(data, 'xmc'), { name: 'yso-finna-en' })
  if (!(train.features instanceof SparseMatrix) || !(test.features instanceof SparseMatrix)) throw new Error('no rows')
  const order = new Random(seed).shuffle(Uint32Array.from({ length: train.rows }, (_, row) => row))
  const [rows, queries] = [train.features, test.features]
  const keyOf = (i: number): MemoryKey => rows.row(order[i] as number) as SparseRow
  const sizes = [10_000, 100_000, 500_000]
  const memories = retrievals.map(retrieval => ({ retrieval, memory: MemoryTree.create({ retrieval, seed }) }))
  const measured: Record<string, unknown>[] = []
  let from = 0
  for (const size of sizes) {
    for (const { retrieval, memory } of memories) {
      const last = size - 5000
      for (let i = from; i < last; i++) memory.insert(keyOf(i), i)
      const insertMicros = microsEach(5000, i => memory.insert(keyOf(last + i), last + i))
      const rounds = [1, 2, 3].map(() => microsEach(1000, i => memory.query(queries.row(i))))
      const { routerBytes, indexBytes } = memory.stats()
      measured.push({
        ...{ memories: size, retrieval, queryMicros: short(Math.min(...rounds)), insertMicros: short(insertMicros) },
        ...{ routerBytesEach: short(routerBytes / size), indexBytesEach: short(indexBytes / size) },
      })
      process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
    }
    from = size
  }
  for (const { memory } of memories) memory.free()
  return measured
}

if (values.part !== 'growth') {
  const found = measureTitles()
  keepResult('memory-finding', { titles: found, users: measureUsers() })
}
if (values.data && values.part !== 'titles') {
  keepResult('memory-retrieval-growth', { set: 'yso-finna-en', measured: await measureGrowth(values.data) })
}
