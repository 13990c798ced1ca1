// The durable store, measured: node tools/run.mjs bench/memory-store.ts [--folder where the stores go] [--rows 20000]
//   inserts   durable inserts a second: one client that waits for each, 16 and 256 clients, batches of 1,000, and insertMany
//   opening   from operations, and from a snapshot
//   snapshot  how long it takes, and how long nothing else can run meanwhile
// Ways of inserting take turns, a fresh store each, and the best of the rounds counts: a shared machine only ever takes time away.

import { mkdtempSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { MemoryStore } from '@vicinal/server'
import { bundledTitles } from './bundled-titles.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({
  options: { folder: { type: 'string', default: tmpdir() }, rows: { type: 'string', default: '20000' } },
})
const rows = Number(values.rows)
const rounds = 9
/** Inserts of a round: few enough that some rounds meet a quiet moment of a shared machine. */
const inserts = 5000
const folder = mkdtempSync(join(values.folder, 'vicinal-bench-'))
const titles = bundledTitles()
const title = (i: number) => titles[i % titles.length] as string
let stores = 0
const freshPath = () => join(folder, `${stores++}`)
const secondsSince = (begin: number) => (performance.now() - begin) / 1000

/** Milliseconds that one small write and its flush take on this disk, the middle of many. */
async function flushMs(): Promise<number> {
  const file = await open(join(folder, 'flush'), 'w')
  const times: number[] = []
  for (let i = 0; i < 50; i++) {
    const begin = performance.now()
    await file.write(Buffer.alloc(200), 0, 200, 200 * i)
    await file.datasync()
    times.push(performance.now() - begin)
  }
  await file.close()
  return short(times.sort((a, b) => a - b)[25] as number)
}

type Insert = (i: number) => Promise<unknown>
type Way = (insert: Insert, count: number, store: MemoryStore) => Promise<unknown>

/** Each waits for its last insert before the next. */
const clients =
  (number: number): Way =>
  async (insert, count) => {
    let next = 0
    const work = async () => {
      while (next < count) await insert(next++)
    }
    await Promise.all(Array.from({ length: number }, work))
  }

const batches =
  (size: number): Way =>
  async (insert, count) => {
    for (let from = 0; from < count; from += size) {
      await Promise.all(Array.from({ length: Math.min(size, count - from) }, (_, i) => insert(from + i)))
    }
  }

const many: Way = (_insert, count, store) =>
  store.insertMany(Array.from({ length: count }, (_, i) => ({ key: title(i), value: { row: i } })))

const ways: Record<string, readonly [Way, number]> = {
  'one client, waiting for each': [clients(1), inserts / 10],
  '16 clients': [clients(16), inserts],
  '256 clients': [clients(256), inserts],
  '1,000 at a time, with `Promise.all`': [batches(1000), inserts],
  '`insertMany` of all': [many, inserts],
}

interface Rates {
  /** The best round's, and all of them. */
  readonly perSecond: number
  readonly all: readonly number[]
  /** Of this process, all its threads, the least of the rounds: what a machine of its own would have to give. */
  readonly cpuMicros: number
}

async function measureInserts(): Promise<Record<string, Rates>> {
  const found: Record<string, { rates: number[]; micros: number[] }> = {}
  for (let round = 0; round < rounds; round++) {
    for (const [name, [way, count]] of Object.entries(ways)) {
      const store = await MemoryStore.create(freshPath(), { snapshotOperations: 1e9 })
      const [begin, cpu] = [performance.now(), process.cpuUsage()]
      await way(i => store.insert(title(i), { row: i }), count, store)
      const rate = Math.round(count / secondsSince(begin))
      const { user, system } = process.cpuUsage(cpu)
      await store.close()
      found[name] ??= { rates: [], micros: [] }
      found[name].rates.push(rate)
      found[name].micros.push((user + system) / count)
      process.stderr.write(`${name}: ${rate} per second\n`)
    }
  }
  const entries = Object.entries(found).map(([name, { rates, micros }]): [string, Rates] => {
    return [name, { perSecond: Math.max(...rates), all: rates, cpuMicros: short(Math.min(...micros)) }]
  })
  return Object.fromEntries(entries)
}

/** The longest time in which nothing else ran. */
function watchPauses(): () => number {
  let [last, longest] = [performance.now(), 0]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last - 1)
    last = performance.now()
  }, 1)
  return () => {
    clearInterval(timer)
    return longest
  }
}

async function measureLife(): Promise<Record<string, number>> {
  const path = freshPath()
  const store = await MemoryStore.create(path, { snapshotOperations: 1e9 })
  await many(async () => {}, rows, store)
  await store.close()
  const opened = performance.now()
  const again = await MemoryStore.open(path, { snapshotOperations: 1e9 })
  const replaySeconds = secondsSince(opened)
  const stop = watchPauses()
  const begun = performance.now()
  await again.snapshot()
  const snapshotSeconds = secondsSince(begun)
  const pauseMs = stop()
  const { snapshotBytes } = await again.stats()
  await again.close()
  const loaded = performance.now()
  await (await MemoryStore.open(path)).close()
  return {
    ...{ memories: rows, replaySeconds: short(replaySeconds), loadSeconds: short(secondsSince(loaded)) },
    ...{ snapshotSeconds: short(snapshotSeconds), pauseMs: short(pauseMs), snapshotBytes },
  }
}

try {
  const flush = await flushMs()
  const inserting = await measureInserts()
  const life = await measureLife()
  keepResult('memory-store', { rows, flushMs: flush, inserting, life })
  console.log(JSON.stringify({ flushMs: flush, inserting, life }, null, 1))
} finally {
  rmSync(folder, { recursive: true })
}
