// What a snapshot of a large store costs those who use it meanwhile: node tools/run.mjs bench/store-snapshots.ts [--memories 500000]
//   [--folder where the store goes] [--kind memory|collection]
// Clients insert, each waiting until its insert is on disk, and queries come every few milliseconds. Both are timed from the moment they are
// due, without a snapshot and during one.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Random } from '@vicinal/core'
import { CollectionStore, MemoryStore } from '@vicinal/server'
import { bundledTitles } from './bundled-titles.ts'
import { keepResult, percentile, short } from './measure.ts'

const { values } = parseArgs({
  options: {
    folder: { type: 'string', default: tmpdir() },
    memories: { type: 'string', default: '500000' },
    kind: { type: 'string', default: 'memory' },
  },
})
const count = Number(values.memories)
const clients = 16
const queryMs = 5
const folder = mkdtempSync(join(values.folder, 'vicinal-bench-'))
const words = bundledTitles()
  .flatMap(title => title.split(' '))
  .filter(word => /\w/.test(word))
const random = new Random(3)
/** Ten words of titles: as often as they occur there. */
const text = () => Array.from({ length: 10 }, () => words[random.below(words.length)]).join(' ')

/** What both stores do here. */
interface Tried {
  insert(i: number): Promise<unknown>
  query(): unknown
  snapshot(): Promise<void>
  close(): Promise<void>
}

const kinds: Record<string, { create(path: string): Promise<Tried>; open(path: string): Promise<Tried> }> = {
  memory: {
    create: async path =>
      triedMemory(await MemoryStore.create(path, { snapshotOperations: 1e9, snapshotBytes: 2 ** 40 })),
    open: async path => triedMemory(await MemoryStore.open(path, { snapshotOperations: 1e9, snapshotBytes: 2 ** 40 })),
  },
  collection: {
    create: async path =>
      triedCollection(await CollectionStore.create(path, { snapshotOperations: 1e9, snapshotBytes: 2 ** 40 })),
    open: async path =>
      triedCollection(await CollectionStore.open(path, { snapshotOperations: 1e9, snapshotBytes: 2 ** 40 })),
  },
}

function triedMemory(store: MemoryStore): Tried {
  return {
    insert: i => store.insert(text(), { row: i }),
    query: () => store.query(text()),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
  }
}

function triedCollection(store: CollectionStore): Tried {
  return {
    insert: i => store.upsert({ id: i, text: text() }),
    query: () => store.search({ text: text() }),
    snapshot: () => store.snapshot(),
    close: () => store.close(),
  }
}

interface Waits {
  readonly inserts: number
  /** Milliseconds: the longest, and what 99 in 100 do not exceed. */
  readonly insertMax: number
  readonly insertP99: number
  readonly queryMax: number
  readonly queryP99: number
  readonly seconds: number
}

let next = 0

/** Uses the store until `work` is done. */
async function waitsDuring(store: Tried, work: Promise<unknown>): Promise<Waits> {
  let isDone = false
  const begun = performance.now()
  const [inserts, queries]: [number[], number[]] = [[], []]
  const insert = async () => {
    while (!isDone) {
      const begin = performance.now()
      await store.insert(next++)
      inserts.push(performance.now() - begin)
    }
  }
  const query = async () => {
    while (!isDone) {
      const due = performance.now() + queryMs
      await pause(queryMs)
      await store.query()
      queries.push(performance.now() - due)
    }
  }
  const users = [...Array.from({ length: clients }, insert), query()]
  await work
  isDone = true
  await Promise.all(users)
  return {
    inserts: inserts.length,
    ...{ insertMax: short(Math.max(...inserts)), insertP99: short(percentile(inserts, 0.99)) },
    ...{ queryMax: short(Math.max(...queries)), queryP99: short(percentile(queries, 0.99)) },
    seconds: short((performance.now() - begun) / 1000),
  }
}

const megabytes = () => Math.round(process.memoryUsage().rss / 2 ** 20)

/** The most memory that is used until it is asked. */
function watchMemory(): () => number {
  let most = megabytes()
  const timer = setInterval(() => {
    most = Math.max(most, megabytes())
  }, 20)
  return () => {
    clearInterval(timer)
    return most
  }
}

const timed = async <T>(work: () => Promise<T>) => {
  const begin = performance.now()
  const result = await work()
  return { result, seconds: short((performance.now() - begin) / 1000) }
}

const kind = kinds[values.kind]
if (!kind) throw new Error(`--kind is ${values.kind}, expected memory or collection`)
try {
  const path = join(folder, 'store')
  const store = await kind.create(path)
  const filled = await timed(async () => {
    while (next < count) await Promise.all(Array.from({ length: 1000 }, () => store.insert(next++)))
  })
  process.stderr.write(`inserted ${count} in ${filled.seconds} s\n`)
  const calm = await waitsDuring(store, pause(5000))
  process.stderr.write(`${JSON.stringify({ calm })}\n`)
  const rssBefore = megabytes()
  const peak = watchMemory()
  const during = await waitsDuring(store, store.snapshot())
  const rssPeak = peak()
  process.stderr.write(`${JSON.stringify({ during, rssBefore, rssPeak })}\n`)
  await store.snapshot()
  await store.close()
  const opened = await timed(() => kind.open(path))
  await opened.result.close()
  const result = {
    ...{ memories: count, fillSeconds: filled.seconds, clients, calm, during },
    ...{ rssMegabytes: { before: rssBefore, peak: rssPeak }, openSeconds: opened.seconds },
  }
  keepResult(`store-snapshots-${values.kind}`, result)
  console.log(JSON.stringify(result, null, 1))
} finally {
  rmSync(folder, { recursive: true })
}
