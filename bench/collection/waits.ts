// What callers wait for while a collection works in the background. One of them stores documents: first all, as fast as it can, then new versions
// of them, some hundred a second. Another one searches every few milliseconds. Both are timed from the moment they are due. Meanwhile vectors
// outgrow their memory, a forest is grown and takes over, holes are closed, and the forest is regrown.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { keepResult, percentile, short } from '../measure.ts'

const dims = 384
const clusters = 200
const searchMillis = 5
const upsertMillis = 2

interface Phase {
  readonly name: string
  /** When it was over. */
  readonly index: string
  readonly builds: number
  readonly upserts: Waits
  readonly searches: Waits
  /** Of the event loop: whatever else would run on this thread waits as long. */
  readonly loop: { readonly max: number; readonly p99: number }
}

interface Waits {
  readonly count: number
  readonly max: number
  readonly p99: number
  readonly mean: number
}

export async function timeWaits(documents: number): Promise<void> {
  const collection = Collection.create<{ place: number }>()
  const random = new Random(5)
  const centers = Array.from({ length: clusters }, () => normals(random, 1))
  const vector = () => {
    const center = centers[random.below(clusters)] ?? []
    return normals(random, 0.5).map((x, j) => x + (center[j] ?? 0))
  }
  const pool = Array.from({ length: 5000 }, vector)
  // Others are made of two, because making one takes longer than storing it.
  const next = () => {
    const [a, b] = [pool[random.below(pool.length)] ?? [], pool[random.below(pool.length)] ?? []]
    return Float32Array.from(a, (x, j) => 0.9 * x + 0.1 * (b[j] ?? 0))
  }
  const upsert = (id: number) =>
    collection.upsert({ id, text: `note ${id} of ${id % 100}`, vector: next(), metadata: { place: id % 10 } })
  const search = () => collection.search({ vector: next(), k: 10 })
  const phases: Phase[] = []
  const during = async (name: string, millis: number, ids: () => Generator<number>) => {
    const waits = await waitsDuring(upsert, ids(), millis, search)
    const { index, builds, isBuilding } = collection.stats()
    phases.push({ name, ...waits, index, builds })
    console.log(JSON.stringify({ ...phases.at(-1), isBuilding }))
  }
  await during('storing all', 0, function* () {
    for (let id = 0; id < documents; id++) yield id
  })
  await during('replacing some, until the forest has taken over', upsertMillis, function* () {
    while (collection.stats().builds === 0) yield random.below(documents)
  })
  await during('replacing some, until another forest has taken over', upsertMillis, function* () {
    while (collection.stats().builds === 1) yield random.below(documents)
  })
  keepResult('collection-waits', { documents, dims, searchMillis, upsertMillis, phases })
}

async function waitsDuring(
  upsert: (id: number) => Promise<void>,
  ids: Iterable<number>,
  millis: number,
  search: () => Promise<unknown>,
): Promise<Pick<Phase, 'upserts' | 'searches' | 'loop'>> {
  const [upserts, searches]: [number[], number[]] = [[], []]
  let isDone = false
  const searching = (async () => {
    while (!isDone) {
      const due = performance.now() + searchMillis
      await pause(searchMillis)
      await search()
      searches.push(performance.now() - due)
    }
  })()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  for (const id of ids) {
    const due = performance.now() + millis
    if (millis > 0) await pause(millis)
    else await new Promise(resume => setImmediate(resume))
    const begin = millis > 0 ? due : performance.now()
    await upsert(id)
    upserts.push(performance.now() - begin)
  }
  delay.disable()
  isDone = true
  await searching
  const loop = { max: short(delay.max / 1e6), p99: short(delay.percentile(99) / 1e6) }
  return { upserts: summary(upserts), searches: summary(searches), loop }
}

function summary(waits: readonly number[]): Waits {
  const sum = waits.reduce((total, wait) => total + wait, 0)
  return {
    count: waits.length,
    max: short(waits.reduce((most, wait) => Math.max(most, wait), 0)),
    p99: short(percentile(waits, 0.99)),
    mean: short(sum / waits.length),
  }
}

function normals(random: Random, scale: number): Float32Array {
  return Float32Array.from({ length: dims }, () => scale * random.normal())
}
