// Vectors that change for ever: documents are replaced, removed and added at random, while recall of the 10 nearest, memory and the longest
// wait are noted; at the end, what a collection finds that was built from the same documents at once. Sentence vectors (titles-use512) are
// drawn again and again from the same pool; clusters also drift, so that later vectors are unlike earlier ones.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Engine, Random } from '@vicinal/core'
import { Collection } from '@vicinal/core/collection'
import { keepResult, short } from '../measure.ts'
import { readVectorTitles } from './vector-titles.ts'

const k = 10
const queryCount = 200
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

export async function churn(data: string, kind: string, operations: number): Promise<void> {
  const source = kind === 'titles' ? await titles(data) : clusters()
  const engine = new Engine()
  const collection = Collection.create({ engine, forestFrom: source.forestFrom })
  const random = new Random(11)
  let writes = 0
  const write = (id: number) => collection.upsert({ id, vector: source.vector(writes++) })
  for (let id = 0; id < source.live; id++) await write(id)
  await collection.settled()
  const curve = [await look(collection, engine, source, 0, 0, writes)]
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  let changed = 0
  for (let done = 1; done <= operations; done++) {
    // Half are new versions, a quarter removals, a quarter documents that come back.
    const id = random.below(source.live)
    if (collection.has(id) && random.below(3) === 0) changed += collection.remove(id) ? 1 : 0
    else {
      await write(id)
      changed++
    }
    if (done % together === 0) await new Promise(resume => setImmediate(resume))
    if (done % (operations / 10) !== 0) continue
    delay.disable()
    const longest = delay.max / 1e6
    curve.push(await look(collection, engine, source, changed / source.live, longest, writes))
    console.table(curve.slice(-1))
    delay.reset()
    delay.enable()
  }
  delay.disable()
  await collection.settled()
  const settled = await look(collection, engine, source, changed / source.live, 0, writes)
  const fresh = await look(await copyOf(collection, source.forestFrom), undefined, source, 0, 0, writes)
  console.table([...curve, settled, fresh])
  keepResult(`collection-churn-${source.name}`, {
    ...{ vectors: source.live, operations, k, queries: queryCount, builds: collection.stats().builds },
    ...{ curve, settled, fresh },
  })
}

/** Recall and memory as they are now, whatever goes on in the background. */
async function look(
  collection: Collection,
  engine: Engine | undefined,
  source: Source,
  turnover: number,
  longestMillis: number,
  writes: number,
) {
  const exact = await copyOf(collection, false)
  const { index, builds, changesSinceBuild } = collection.stats()
  let found = 0
  let millis = 0
  for (const vector of source.queries(writes)) {
    const truth = new Set((await exact.search({ vector, k })).map(({ id }) => id))
    const begin = performance.now()
    const hits = await collection.search({ vector, k })
    millis += performance.now() - begin
    found += hits.filter(({ id }) => truth.has(id)).length
  }
  exact.free()
  return {
    ...{ turnover: short(turnover), documents: collection.count(), index, builds, changesSinceBuild },
    ...{ recall: short(found / (k * queryCount)), millisPerQuery: short(millis / queryCount) },
    ...{ megabytes: engine && Math.round(engine.arena.usedBytes / 2 ** 20), longestMillis: Math.round(longestMillis) },
  }
}

async function copyOf(collection: Collection, forestFrom: number | false): Promise<Collection> {
  const copy = Collection.create({ engine: new Engine(), forestFrom })
  for (const { id } of collection.list()) await copy.upsert({ id, vector: collection.get(id)?.vector ?? [] })
  await copy.optimize()
  return copy
}

async function titles(data: string): Promise<Source> {
  const [pool, asked] = [await readVectorTitles(data, 'train'), await readVectorTitles(data, 'test')]
  const random = new Random(12)
  return {
    ...{ name: 'titles', live: 20_000, forestFrom: 10_000 },
    vector: () => pool[random.below(pool.length)]?.vector ?? new Float32Array(0),
    queries: () => asked.slice(0, queryCount).map(({ vector }) => vector),
  }
}

function clusters(): Source {
  const [count, dims, live] = [100, 64, 20_000]
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
