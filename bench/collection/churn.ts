// Vectors that change for ever: documents are replaced, removed and added at random, while recall of the 10 nearest and memory
// are noted; at the end, what a collection finds that was built from the same documents at once. All sources drift: clusters move, and titles
// come from a window that moves along the first axis of their sentence vectors, so that later vectors are unlike earlier ones. A million operations
// take a while: with --state FILE a run ends after --minutes, and the next one goes on.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { Engine, Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { keepResult, short } from '../measure.ts'
import { readVectorTitles } from './vector-titles.ts'

const k = 10
const queryCount = 500
const points = 20
/** Operations between two looks at the event loop, as a server has it between requests. */
const together = 20

interface Source {
  readonly name: string
  readonly live: number
  readonly forestFrom: number
  /** The vector of the i-th write. */
  vector(write: number): Float32Array
  /** Vectors like those of the last writes. */
  queries(write: number): Float32Array[]
}

export interface ChurnOptions {
  readonly data: string
  readonly kind: string
  readonly operations: number
  /** Where a run that is not over keeps what it has: this file, and the collection beside it. */
  readonly state: string | undefined
  readonly minutes: number
}

interface Progress {
  done: number
  writes: number
  changed: number
  readonly curve: object[]
}

export async function churn({ data, kind, operations, state, minutes }: ChurnOptions): Promise<void> {
  const source = kind === 'titles' ? await titles(data) : clusters()
  const engine = new Engine()
  const { collection, progress } = await begin(source, engine, state)
  const random = new Random(11, progress.done)
  const end = performance.now() + minutes * 60_000
  while (progress.done < operations) {
    if (state !== undefined && performance.now() > end) return keep(collection, progress, state)
    await change(collection, source, random, progress)
    if (progress.done % together === 0) await new Promise(resume => setImmediate(resume))
    if (progress.done % (operations / points) !== 0) continue
    progress.curve.push(await look(collection, engine, source, progress))
    console.log(JSON.stringify(progress.curve.at(-1)))
  }
  await collection.settled()
  const settled = await look(collection, engine, source, progress)
  const fresh = await look(await copyOf(collection, source.forestFrom), undefined, source, progress)
  console.table([...progress.curve, settled, fresh])
  keepResult(`collection-churn-${source.name}`, {
    ...{ vectors: source.live, operations, k, queries: queryCount, builds: collection.stats().builds },
    ...{ curve: progress.curve, settled, fresh },
  })
}

/** Half are new versions, a quarter removals, a quarter documents that come back. */
async function change(collection: Collection, source: Source, random: Random, progress: Progress): Promise<void> {
  const id = random.below(source.live)
  progress.done++
  if (collection.has(id) && random.below(3) === 0) collection.remove(id)
  else await collection.upsert({ id, vector: source.vector(progress.writes++) })
  progress.changed++
}

/** Anew, or where the last run ended. */
async function begin(source: Source, engine: Engine, state: string | undefined) {
  if (state !== undefined && existsSync(state)) {
    const collection = await Collection.load(`${state}.collection`, { engine })
    return { collection, progress: JSON.parse(readFileSync(state, 'utf8')) as Progress }
  }
  const collection = Collection.create({ engine, forestFrom: source.forestFrom })
  const progress: Progress = { done: 0, writes: 0, changed: 0, curve: [] }
  for (let id = 0; id < source.live; id++) await collection.upsert({ id, vector: source.vector(progress.writes++) })
  await collection.settled()
  progress.curve.push(await look(collection, engine, source, progress))
  return { collection, progress }
}

async function keep(collection: Collection, progress: Progress, state: string): Promise<void> {
  await collection.save(`${state}.collection`, { overwrite: true })
  writeFileSync(state, JSON.stringify(progress))
  console.log(`${progress.done} operations done`)
}

/** Recall and memory as they are now, whatever goes on in the background. */
async function look(collection: Collection, engine: Engine | undefined, source: Source, progress: Progress) {
  const megabytes = engine && Math.round(engine.arena.usedBytes / 2 ** 20)
  const { index, builds, changesSinceBuild } = collection.stats()
  const queries = source.queries(progress.writes)
  const found: (readonly (string | number)[])[] = []
  let millis = 0
  for (const vector of queries) {
    const begin = performance.now()
    const hits = await collection.search({ vector, k })
    millis += performance.now() - begin
    found.push(hits.map(({ id }) => id))
  }
  const exact = await copyOf(collection, false)
  let right = 0
  for (const [i, vector] of queries.entries()) {
    const truth = new Set((await exact.search({ vector, k })).map(({ id }) => id))
    right += found[i]?.filter(id => truth.has(id)).length ?? 0
  }
  exact.free()
  return {
    ...{ operations: progress.done, turnover: short(progress.changed / source.live), documents: collection.count() },
    ...{ index, builds, changesSinceBuild, recall: short(right / (k * queries.length)) },
    ...{ millisPerQuery: short(millis / queries.length), megabytes },
    residentMegabytes: Math.round(process.memoryUsage().rss / 2 ** 20),
  }
}

async function copyOf(collection: Collection, forestFrom: number | false): Promise<Collection> {
  const copy = Collection.create({ engine: new Engine(), forestFrom })
  for (const { id } of collection.list()) await copy.upsert({ id, vector: collection.get(id)?.vector ?? [] })
  await copy.optimize()
  return copy
}

/** The window goes around once in 25 turnovers. Every 20th title is a query only. */
async function titles(data: string): Promise<Source> {
  const sorted = alongFirstAxis((await readVectorTitles(data, 'train')).map(({ vector }) => vector))
  const [pool, asked] = [sorted.filter((_, i) => i % 20 !== 0), sorted.filter((_, i) => i % 20 === 0)]
  const live = 15_000
  const random = new Random(12)
  const draw = (from: readonly Float32Array[], write: number): Float32Array => {
    const start = ((write / live / 25) % 1) * from.length
    const at = Math.floor(start + (random.float() * from.length) / 2) % from.length
    return from[at] ?? new Float32Array(0)
  }
  return {
    ...{ name: 'titles', live, forestFrom: 10_000 },
    vector: write => draw(pool, write),
    queries: write => Array.from({ length: queryCount }, () => draw(asked, write)),
  }
}

/** Sorted by their place on the axis of largest variance, found by power iteration. */
function alongFirstAxis(vectors: readonly Float32Array[]): Float32Array[] {
  const dims = vectors[0]?.length ?? 0
  const mean = new Float64Array(dims)
  for (const vector of vectors) for (let j = 0; j < dims; j++) mean[j]! += (vector[j] ?? 0) / vectors.length
  const place = (vector: Float32Array, axis: Float64Array) =>
    axis.reduce((sum, x, j) => sum + x * ((vector[j] ?? 0) - (mean[j] ?? 0)), 0)
  let axis = new Float64Array(dims).map((_, j) => Math.sin(j + 1))
  for (let round = 0; round < 8; round++) {
    const next = new Float64Array(dims)
    for (const vector of vectors.filter((_, i) => i % 10 === 0)) {
      const at = place(vector, axis)
      for (let j = 0; j < dims; j++) next[j]! += at * ((vector[j] ?? 0) - (mean[j] ?? 0))
    }
    const length = Math.hypot(...next)
    axis = next.map(x => x / length)
  }
  const places = new Map(vectors.map(vector => [vector, place(vector, axis)]))
  return [...vectors].sort((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0))
}

function clusters(): Source {
  const [count, dims, live] = [100, 64, 15_000]
  const random = new Random(13)
  const normals = (scale: number) => Float32Array.from({ length: dims }, () => scale * random.normal())
  const [centers, ways] = [
    Array.from({ length: count }, () => normals(1)),
    Array.from({ length: count }, () => normals(1)),
  ]
  // A cluster has moved as far as it is wide after 20 turnovers.
  const at = (write: number): Float32Array => {
    const c = random.below(count)
    const [center, way] = [centers[c] ?? [], ways[c] ?? []]
    return normals(0.5).map((x, j) => x + (center[j] ?? 0) + (write / live) * 0.025 * (way[j] ?? 0))
  }
  return {
    ...{ name: 'clusters', live, forestFrom: 10_000 },
    vector: at,
    queries: write => Array.from({ length: queryCount }, () => at(write)),
  }
}
