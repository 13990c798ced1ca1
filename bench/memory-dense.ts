// Dense keys: node tools/run.mjs bench/memory-dense.ts --data <folder with titles-use512>
// Sentence vectors of 512 numbers, then copies of them with noise, as keys of a memory: µs a query and an insert at 10⁴, 5·10⁴ and 10⁵ memories, before
// and after the forest took over, and the share of the ten nearest that it finds. Inserts are timed while a forest may be growing.
// One thread asks; forests are grown by all, so that an insert may wait for the processor. Times are of the clock; inserts are measured by the
// processor time of their thread as well (Linux only).

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { DenseMatrix, Random } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { MemoryTree } from '@vicinal/core/memory'
import { keepResult, percentile, short, threadMillis } from './measure.ts'

const { values } = parseArgs({
  options: { data: { type: 'string', default: '' }, retrieval: { type: 'string', default: 'index' } },
})
const sizes = [10_000, 50_000, 100_000]
const asked = 500
/** So many of them are compared with all keys. */
const judged = 100
const random = new Random(1)

const { features } = await readDataset(join(values.data, 'titles-use512', 'train.npy'))
if (!(features instanceof DenseMatrix)) throw new Error('no vectors')
const rows = features
/** The last rows are the queries; beyond the others come copies with noise. */
const stored = rows.rows - asked
const keyOf = (i: number): Float32Array => {
  const row = Float32Array.from(rows.row(i % stored))
  if (i < stored) return row
  return row.map(x => x + (0.3 / Math.sqrt(rows.columns)) * random.normal())
}
const queries = Array.from({ length: asked }, (_, i) => Float32Array.from(rows.row(stored + i)))

/** Microseconds: the mean and the longest. */
function timed<T>(count: number, call: (i: number) => T): { mean: number; p99: number; most: number } {
  const times = Array.from({ length: count }, (_, i) => {
    const begin = performance.now()
    call(i)
    return 1000 * (performance.now() - begin)
  })
  const mean = times.reduce((sum, time) => sum + time, 0) / count
  return { mean: short(mean), p99: short(percentile(times, 0.99)), most: short(Math.max(...times)) }
}

interface Measured {
  readonly memories: number
  readonly retrieval: string
  readonly insert: ReturnType<typeof timed>
  /** Of the processor, milliseconds. */
  readonly insertWork: { readonly mean: number; readonly most: number }
  /** All keys are compared. */
  readonly exact: ReturnType<typeof timed>
  readonly forest: ReturnType<typeof timed>
  /** Of the ten nearest. */
  readonly recall: number
  readonly settledSeconds: number
}

const idsOf = (memory: MemoryTree, query: Float32Array) => memory.query(query, { k: 10 }).map(({ id }) => id)

/** The ten nearest, by comparing all. */
function truthOf(count: number, keys: readonly Float32Array[]): Set<number>[] {
  return queries.slice(0, judged).map(query => {
    const sums = Array.from({ length: count }, (_, i) => [i, dot(query, keys[i] as Float32Array)] as const)
    return new Set(sums.sort((a, b) => b[1] - a[1]).slice(0, 10).map(([i]) => i)) // biome-ignore format: one line
  })
}

function dot(a: Float32Array, b: Float32Array): number {
  let [sum, length] = [0, 0]
  for (let j = 0; j < a.length; j++) {
    sum += (a[j] as number) * (b[j] as number)
    length += (b[j] as number) ** 2
  }
  return sum / Math.sqrt(length)
}

const memory = MemoryTree.create({ retrieval: values.retrieval as 'index' | 'both', seed: 1 })
const keys: Float32Array[] = []
const measured: Measured[] = []
/** Inserts as a program does that has other things to do, too. */
async function insertTo(size: number): Promise<Pick<Measured, 'insert' | 'insertWork'>> {
  const times: number[] = []
  let [work, most] = [0, 0]
  while (keys.length < size) {
    const key = keyOf(keys.length)
    const [worked, begin] = [threadMillis(), performance.now()]
    memory.insert(key, keys.length, { id: keys.length })
    times.push(1000 * (performance.now() - begin))
    const own = threadMillis() - worked
    work += own
    most = Math.max(most, own)
    keys.push(key)
    if (keys.length % 20 === 0) await new Promise(setImmediate)
  }
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  const insert = {
    mean: short(mean),
    p99: short(percentile(times, 0.99)),
    most: short(times.reduce((a, b) => Math.max(a, b))),
  }
  return { insert, insertWork: { mean: short(work / times.length), most: short(most) } }
}

for (const memories of sizes) {
  const inserts = await insertTo(memories)
  const begin = performance.now()
  await memory.settled()
  const settledSeconds = short((performance.now() - begin) / 1000)
  const forest = timed(asked, i => idsOf(memory, queries[i] as Float32Array))
  const fresh = MemoryTree.fromContents(memory.contents()) // its forest does not grow before something is awaited
  const exact = timed(20, i => idsOf(fresh, queries[i] as Float32Array))
  fresh.free()
  const truth = truthOf(memories, keys)
  const found = queries
    .slice(0, judged)
    .map((query, i) => idsOf(memory, query).filter(id => truth[i]?.has(Number(id))).length)
  const recall = short(found.reduce((sum, count) => sum + count, 0) / (10 * judged))
  measured.push({ memories, retrieval: values.retrieval, ...inserts, exact, forest, recall, settledSeconds })
  process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
}
keepResult(`memory-dense-${values.retrieval}`, { set: 'titles-use512', dims: rows.columns, measured })
memory.free()
