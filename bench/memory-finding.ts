// Finding what a memory holds: node tools/run.mjs bench/memory-finding.ts [--data <folder with xmc sets>]
//   titles   data/titles-train.tsv.gz, texts as keys; a query is every second word of a stored title, and no reward is given. The share of
//            queries whose first hit is that title, by retrieval and by number of memories; for titles of at least six words, and for all
//            titles. Beside it exact cosine, and how many queries have another title that is no longer and has all of their words. The
//            scorer's exponent of the key's length was chosen on data/titles-test.tsv.gz.
//   users    the same titles as memories of 100 users: how many hits a query with k = 5 gets, by namespace and by filters
//   growth   with --data: µs a query and an insert at 10⁴, 10⁵ and 5·10⁵ memories (yso-finna-en, sparse keys), by retrieval
// One thread. Times are of the CPU: other work on the machine counts less. Contestants take turns.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Random, SparseMatrix, type SparseRow } from '@vicinal/core'
import { type MemoryKey, type MemoryOptions, MemoryTree } from '@vicinal/core/memory'
import { bundledTitles } from './bundled-titles.ts'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, part: { type: 'string', default: 'all' } } })
const retrievals = ['tree', 'index', 'both'] as const
const seed = 1
/** Queries at each size. */
const asked = 2000

const titles = bundledTitles()

const wordsOf = (title: string) => title.split(/\s+/)
const everySecond = (title: string) => wordsOf(title).filter((_, i) => i % 2 === 0).join(' ') // biome-ignore format: one line
/** The two readings: titles of at least so many words. */
const readings = [6, 1]

/** Microseconds of CPU that each of `count` calls took. */
function microsEach(count: number, call: (i: number) => void): number {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) call(i)
  return process.cpuUsage(before).user / count
}

/** Every this many of the first `count` titles that are long enough, `asked` at most. */
function askedRows(count: number, fewestWords: number): number[] {
  const long = Array.from({ length: count }, (_, row) => row).filter(
    row => wordsOf(titles[row] ?? '').length >= fewestWords,
  )
  const step = Math.max(1, Math.floor(long.length / asked))
  return long.filter((_, i) => i % step === 0).slice(0, asked)
}

interface Found {
  readonly fewestWords: number
  readonly memories: number
  readonly retrieval: string
  readonly probes: number
  readonly first: number
  readonly queryMicros: number
  readonly insertMicros: number
}

interface Limits {
  readonly fewestWords: number
  readonly memories: number
  /** How often exact cosine has the title first; of ties, the older. */
  readonly exactCosine: number
  /** Queries with another title that is no longer and has all of their words. */
  readonly ambiguous: number
}

const plainWords = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** The 100 best hits are enough to find the nearest by cosine. */
function limitsOf(memory: MemoryTree, rows: readonly number[], memories: number, fewestWords: number): Limits {
  let [exact, ambiguous] = [0, 0]
  for (const row of rows) {
    const title = titles[row] as string
    const hits = memory.query(everySecond(title), { k: 100 })
    const nearest = hits.reduce((best, hit) => (hit.distance < best.distance - 1e-6 ? hit : best))
    if (nearest.id === row) exact++
    const asked = plainWords(everySecond(title))
    const rivals = hits.filter(({ id, text = '' }) => {
      const words = new Set(plainWords(text))
      return id !== row && words.size <= new Set(plainWords(title)).size && asked.every(word => words.has(word))
    })
    if (rivals.length > 0) ambiguous++
  }
  return { fewestWords, memories, exactCosine: short(exact / rows.length), ambiguous: short(ambiguous / rows.length) }
}

function measureTitles(): { titles: Found[]; limits: Limits[] } {
  const ways: readonly (readonly [MemoryOptions, number])[] = [
    [{ retrieval: 'tree' }, 0],
    [{ retrieval: 'tree' }, 2],
    [{ retrieval: 'tree' }, 50],
    [{ retrieval: 'index' }, 2],
    [{ retrieval: 'both' }, 2],
  ]
  const measured: Found[] = []
  const limits: Limits[] = []
  for (const count of [300, 1000, 10_000, titles.length]) {
    for (const [options, probes] of ways) {
      const memory = MemoryTree.create({ ...options, seed })
      const insertMicros = microsEach(count, i => memory.insert(titles[i] as string, i, { id: i }))
      for (const fewestWords of readings) {
        const rows = askedRows(count, fewestWords)
        let first = 0
        const queryMicros = microsEach(rows.length, i => {
          const row = rows[i] as number
          if (memory.query(everySecond(titles[row] as string), { probes })[0]?.id === row) first++
        })
        measured.push({
          ...{ fewestWords, memories: count, retrieval: options.retrieval ?? 'both', probes },
          ...{ first: short(first / rows.length), queryMicros: short(queryMicros), insertMicros: short(insertMicros) },
        })
        process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
        if (options.retrieval === 'index') limits.push(limitsOf(memory, rows, count, fewestWords))
      }
      memory.free()
    }
  }
  process.stderr.write(`${JSON.stringify(limits)}\n`)
  return { titles: measured, limits }
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
  keepResult('memory-finding', { ...measureTitles(), users: measureUsers() })
}
if (values.data && values.part !== 'titles') {
  keepResult('memory-retrieval-growth', { set: 'yso-finna-en', measured: await measureGrowth(values.data) })
}
