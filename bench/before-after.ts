// Two builds of core against each other, to see whether a change made anything slower:
//   node tools/run.mjs bench/before-after.ts --before <folder of the older packages/core/dist>
// Each build runs every job in a process of its own, in turns, on one thread. We keep the lowest processor time, which other work on the
// machine disturbs least.

import { execFileSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type * as Core from '@vicinal/core'
import type * as Memory from '@vicinal/core/memory'
import { short } from './measure.ts'

const after = resolve(import.meta.dirname, '../packages/core/dist')
const rounds = 3

type Job = () => Promise<number> | number

/** The lowest processor time of some runs, in milliseconds. */
async function lowest(runs: number, work: () => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs; run++) {
    const begin = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(begin)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}

/** Jobs on made data, the same for both builds. The older build does not know all options. */
async function jobsOf(dist: string, isOlder: boolean): Promise<Record<string, Job>> {
  const core: typeof Core = await import(join(dist, 'index.mjs'))
  const { MemoryTree }: typeof Memory = await import(join(dist, 'memory.mjs'))
  const { DenseMatrix, SparseMatrix, ExactIndex, ForestIndex, InvertedIndex, LcifClassifier, ForestClassifier } = core
  const random = new core.Random(3)
  const times = <T>(count: number, make: (i: number) => T) => Array.from({ length: count }, (_, i) => make(i))
  const centers = times(50, () => times(96, () => random.normal() * 1.5))
  const point = (i: number) => centers[i % 50]?.map(value => value + random.normal()) ?? []
  const dense = DenseMatrix.from(times(10_000, point))
  const queries = times(400, i => Float32Array.from(point(i)))
  const sparseRow = () => {
    const entries = new Map(times(40, () => [Math.floor(random.float() ** 3 * 8000), 0.1 + random.float()]))
    return [...entries].sort((a, b) => a[0] - b[0]) as [number, number][] // pairs, as made above
  }
  const sparse = SparseMatrix.from(times(15_000, sparseRow), 8000)
  const word = (label: string) =>
    random.float() < 0.4 ? `w${label}${random.below(12)}` : `x${Math.floor(random.float() ** 2 * 3000)}`
  const texts = times(2500, () => {
    const label = `l${Math.floor(random.float() ** 2 * 100)}`
    return { text: times(15, () => word(label)).join(' '), labels: [label] }
  })
  const some = texts.slice(0, 400)
  const noLinks = isOlder ? {} : { links: 0 }
  const remember = () => {
    const memory = MemoryTree.create(isOlder ? {} : { retrieval: 'tree' })
    for (const { text } of texts) memory.insert(text, 1)
    return memory
  }
  const forestFit = (grower: 'kd' | 'pca') => () =>
    lowest(3, async () => {
      const index = await ForestIndex.fit(dense, { threads: 1, trees: 16, searchTrees: 16, grower, ...noLinks })
      index.free()
    })

  return {
    'ExactIndex.search': async () => {
      const index = await ExactIndex.fit(dense)
      return lowest(9, () => queries.forEach(query => void index.search(query, { k: 10 })))
    },
    'ForestIndex.search': async () => {
      const index = await ForestIndex.fit(dense, { threads: 1, trees: 24, searchTrees: 24, rerank: 80, ...noLinks })
      return lowest(25, () => queries.forEach(query => void index.search(query, { k: 10 })))
    },
    'InvertedIndex.search': async () => {
      const index = await InvertedIndex.fit(sparse)
      return lowest(15, () => queries.forEach((_, i) => void index.search(sparse.row(7 * i), { k: 10 })))
    },
    'LcifClassifier.predict': async () => {
      const model = await LcifClassifier.fit(texts, { threads: 1 })
      return lowest(15, () => some.forEach(({ text }) => void model.predict(text)))
    },
    'ForestClassifier.predict': async () => {
      const model = await ForestClassifier.fit(texts, { threads: 1, trees: 4 })
      return lowest(25, () => some.forEach(({ text }) => void model.predict(text)))
    },
    'ForestClassifier.fit': () =>
      lowest(4, async () => (await ForestClassifier.fit(texts, { threads: 1, trees: 4 })).free()),
    'ForestIndex.fit, kd trees': forestFit('kd'),
    'ForestIndex.fit, pca trees': forestFit('pca'),
    'MemoryTree.insert': () => lowest(5, () => remember().free()),
    'MemoryTree.query, tree only': () => {
      const memory = remember()
      return lowest(9, () => texts.forEach(({ text }) => void memory.query(text, { k: 3 })))
    },
  }
}

async function runJobs(dist: string, isOlder: boolean): Promise<Record<string, number>> {
  const measured: Record<string, number> = {}
  for (const [name, job] of Object.entries(await jobsOf(dist, isOlder))) measured[name] = await job()
  return measured
}

/** The lowest times of a build so far, with those of one more process. */
function oneMore(lowest: Record<string, number>, dist: string, isOlder: boolean): Record<string, number> {
  const args = [...process.execArgv, ...process.argv.slice(1, 2), '--run', dist, ...(isOlder ? ['--older'] : [])]
  const times: Record<string, number> = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }))
  return Object.fromEntries(
    Object.entries(times).map(([name, time]) => [name, Math.min(time, lowest[name] ?? Number.POSITIVE_INFINITY)]),
  )
}

const { values } = parseArgs({
  options: { before: { type: 'string' }, run: { type: 'string' }, older: { type: 'boolean' } },
})
if (values.run) {
  console.log(JSON.stringify(await runJobs(values.run, values.older === true)))
  process.exit() // threads may still be idle
}
if (!values.before) throw new Error('give the folder of the older build with --before')
let older: Record<string, number> = {}
let newer: Record<string, number> = {}
for (let round = 0; round < rounds; round++) {
  older = oneMore(older, resolve(values.before), true)
  newer = oneMore(newer, after, false)
}
const measured = Object.entries(newer).map(([job, time]) => {
  const before = older[job] ?? Number.NaN
  return { job, beforeMillis: short(before), afterMillis: short(time), ratio: short(time / before) }
})
console.table(measured)
