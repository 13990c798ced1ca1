// The memory, measured part by part: node tools/run.mjs bench/memory.ts --data <folder with xmc sets> --part <part>
//   classes      test and progressive error on clinc150: the paper's single path, then probes and more trees, beside exact 1-NN
//   labels       multi-label sets by one against some (--set bibtex): P@1, 3, 5 and Hamming loss
//   consistency  stored keys that are not found again, against reroutes (--set clinc150, --rows 100000)
//   ablation     test error against passes and against the size of leaves, on clinc150
//   growth       time per query and insert, and bytes, from 1,000 to 500,000 memories (yso-finna-en)
// Everything runs on one thread, on training rows in one random order. Times are of the CPU: other work on the machine counts less.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  type Dataset,
  defaultEngine,
  evaluateClassifier,
  InvertedIndex,
  Random,
  SparseMatrix,
  type SparseRow,
} from '@vicinal/core'
import { MemoryClassifier, type MemoryOptions, MemoryTree } from '@vicinal/core/memory'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    part: { type: 'string', default: 'classes' },
    set: { type: 'string', default: 'clinc150' },
    rows: { type: 'string', default: '100000' },
  },
})
if (!values.data) throw new Error('give the folder of the sets with --data')
const folder = join(values.data, 'xmc')
const seed = 1

interface Example {
  readonly key: SparseRow
  readonly label: number
}

/** Rows with their first label, in random order. */
function examplesOf({ features, labels, rows }: Dataset, most = rows): Example[] {
  if (!(features instanceof SparseMatrix) || !labels) throw new Error('the set has no sparse rows with labels')
  const order = new Random(seed).shuffle(Uint32Array.from({ length: rows }, (_, row) => row))
  return Array.from(order.subarray(0, most), row => ({ key: features.row(row), label: labels.row(row)[0] ?? -1 }))
}

/** Microseconds of CPU that each of `count` calls took. */
function microsEach(count: number, call: (i: number) => void): number {
  const before = process.cpuUsage()
  for (let i = 0; i < count; i++) call(i)
  return process.cpuUsage(before).user / count
}

const sameLabel = (label: number) => (value: unknown) => Number(value === label)

function errorOf(memory: MemoryTree, test: readonly Example[], probes: number): { error: number; micros: number } {
  let wrong = 0
  const micros = microsEach(test.length, i => {
    const { key, label } = test[i] as Example
    if (memory.query(key, { probes })[0]?.value !== label) wrong++
  })
  return { error: short(wrong / test.length), micros: short(micros) }
}

function store(memory: MemoryTree, train: readonly Example[]): number {
  return short(
    microsEach(train.length, i => memory.insert(train[i]?.key as SparseRow, train[i]?.label as number, { id: i })),
  )
}

function learn(memory: MemoryTree, train: readonly Example[]): number {
  return short(
    microsEach(train.length, i => {
      const { key, label } = train[i] as Example
      memory.learn(key, sameLabel(label), { except: i })
    }),
  )
}

/** Every row is asked about before it is learned and stored. */
function progressiveError(train: readonly Example[], options: MemoryOptions, probes: number): number {
  const memory = MemoryTree.create(options)
  let wrong = 0
  train.forEach(({ key, label }, id) => {
    if (memory.query(key, { probes })[0]?.value !== label) wrong++
    memory.learn(key, sameLabel(label))
    memory.insert(key, label, { id })
  })
  memory.free()
  return short(wrong / train.length)
}

async function measureClasses(): Promise<void> {
  const sets = await loadSet(folder, { name: 'clinc150' })
  const [train, test] = [examplesOf(sets.train), examplesOf(sets.test)]
  const measured: Record<string, unknown>[] = []
  const kinds = [[1, 0], [1, 2], [1, 4], [3, 0], [3, 2]] as const // biome-ignore format: one list
  for (const trees of [1, 3]) {
    const memory = MemoryTree.create({ retrieval: 'tree', trees, seed })
    const insertMicros = store(memory, train)
    const probed = kinds.filter(([count]) => count === trees).map(([, probes]) => probes)
    const stored = probed.map(probes => errorOf(memory, test, probes).error)
    const learnMicros = Math.max(learn(memory, train), learn(memory, train))
    probed.forEach((probes, i) => {
      const { error, micros } = errorOf(memory, test, probes)
      const progressive = progressiveError(train, { retrieval: 'tree', trees, seed }, probes)
      measured.push({
        trees,
        probes,
        unsupervised: stored[i],
        supervised: error,
        progressive,
        queryMicros: micros,
        insertMicros,
        learnMicros,
      })
      process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
    })
    memory.free()
  }
  keepResult('memory-classes', {
    set: 'clinc150',
    train: train.length,
    test: test.length,
    exact: await exactError(sets),
    measured,
  })
}

/** The nearest neighbor by cosine among all rows. */
async function exactError({ train, test }: { train: Dataset; test: Dataset }): Promise<number> {
  const index = await InvertedIndex.fit(train.features as SparseMatrix)
  const { rows, counts } = await index.searchBatch(test.features as SparseMatrix, { k: 1 })
  let wrong = 0
  for (let i = 0; i < test.rows; i++) {
    const found = counts[i] ? train.labels?.row(rows[i] as number)[0] : undefined
    if (found !== test.labels?.row(i)[0]) wrong++
  }
  index.free()
  return short(wrong / test.rows)
}

async function measureLabels(set: string): Promise<void> {
  const { train, test } = await loadSet(folder, { name: set })
  const measured = []
  for (const trees of [1, 3]) {
    const before = process.cpuUsage()
    // Sets are what scores above one half, as the paper has it.
    const model = await MemoryClassifier.fit(train, { trees, passes: 4, threshold: 0.5, allowEmpty: true, seed })
    const fitSeconds = process.cpuUsage(before).user / 1e6
    const { metrics, millisPerItem } = await evaluateClassifier(model, test)
    measured.push({
      trees,
      ...metrics,
      fitSeconds: short(fitSeconds),
      millisPerItem: short(millisPerItem),
      ...sizeOf(model),
    })
    process.stderr.write(`${set} ${JSON.stringify(measured.at(-1))}\n`)
    model.free()
  }
  keepResult(`memory-labels-${set}`, { set, passes: 4, train: train.rows, test: test.rows, measured })
}

function sizeOf(model: MemoryClassifier): { modelBytes: number } {
  const { tensors } = model.contents()
  return { modelBytes: Object.values(tensors).reduce((sum, { array }) => sum + array.byteLength, 0) }
}

/** Stored keys that are not found again. Keys may be equal: then any of them counts. */
function inconsistency(memory: MemoryTree, train: readonly Example[], probes: number): number {
  const lost = train.filter(({ key }, id) => {
    const [hit] = memory.query(key, { probes })
    return hit?.id !== id && (hit?.distance ?? 2) > 1e-3
  })
  return short(lost.length / train.length)
}

async function measureConsistency(set: string): Promise<void> {
  const { train: data } = await loadSet(folder, { name: set, testRows: 1 })
  const train = examplesOf(data, Number(values.rows))
  const measured = []
  const passes = 4
  for (const reroutes of set === 'clinc150' ? [0, 1, 2, 5, 10] : [1, 5]) {
    const memory = MemoryTree.create({ retrieval: 'tree', reroutes, seed })
    store(memory, train)
    const first = [0, 2].map(probes => inconsistency(memory, train, probes))
    for (let pass = 1; pass < passes; pass++) for (let i = 0; i < train.length; i++) memory.reroute()
    const last = [0, 2].map(probes => inconsistency(memory, train, probes))
    measured.push({ reroutes, first, last })
    process.stderr.write(`${set} ${JSON.stringify(measured.at(-1))}\n`)
    memory.free()
  }
  keepResult(`memory-consistency-${set}`, { set, rows: train.length, passes, probes: [0, 2], measured })
}

async function measureAblation(): Promise<void> {
  const sets = await loadSet(folder, { name: 'clinc150' })
  const [train, test] = [examplesOf(sets.train), examplesOf(sets.test)]
  const byPasses = []
  const memory = MemoryTree.create({ retrieval: 'tree', seed })
  store(memory, train)
  for (let passes = 1; passes <= 6; passes++) {
    if (passes > 1) learn(memory, train)
    byPasses.push({
      passes,
      ...errorOf(memory, test, 0),
      probed: errorOf(memory, test, 2).error,
      training: errorOf(memory, train, 0).error,
    })
  }
  memory.free()
  const byLeaf = [1, 2, 4, 8, 16].map(leafFactor => {
    const other = MemoryTree.create({ retrieval: 'tree', leafFactor, seed })
    store(other, train)
    learn(other, train)
    learn(other, train)
    const result = { leafFactor, ...errorOf(other, test, 0) }
    other.free()
    return result
  })
  const byBalance = [0.5, 0.7, 0.9, 0.99].map(balance => {
    const other = MemoryTree.create({ retrieval: 'tree', balance, seed })
    const insertMicros = store(other, train)
    learn(other, train)
    learn(other, train)
    const { depth, meanDepth } = other.stats().trees[0] ?? { depth: 0, meanDepth: 0 }
    const result = { balance, ...errorOf(other, test, 0), insertMicros, depth, meanDepth: short(meanDepth) }
    other.free()
    return result
  })
  keepResult('memory-ablation', { set: 'clinc150', byPasses, byLeaf, byBalance })
}

/** Inserts that are timed at each size, and rounds of queries, of which the best counts. */
const latest = 5000
const rounds = [1, 2, 3]

/** So that the first sizes are not those at which the code was compiled. */
function warmUp(train: readonly Example[], test: readonly Example[]): void {
  const memory = MemoryTree.create({ retrieval: 'tree', seed })
  for (const { key } of train.slice(0, 5000)) memory.insert(key, 0)
  for (const { key } of test) memory.query(key)
  memory.free()
}

async function measureGrowth(): Promise<void> {
  const sets = await loadSet(folder, { name: 'yso-finna-en' })
  const [train, test] = [examplesOf(sets.train, 500_000), examplesOf(sets.test, 2000)]
  globalThis.gc?.()
  const idle = process.memoryUsage().rss
  warmUp(train, test)
  const memory = MemoryTree.create({ retrieval: 'tree', seed })
  const marks = [1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000, 200_000, 500_000]
  const measured = []
  for (const [at, memories] of marks.entries()) {
    const from = marks[at - 1] ?? 0
    const late = Math.max(from, memories - latest)
    for (let i = from; i < late; i++) memory.insert(train[i]?.key as SparseRow, i)
    // The last few, so that the time is that of a memory of this size.
    const insertMicros = microsEach(memories - late, i => memory.insert(train[late + i]?.key as SparseRow, late + i))
    const queryMicros = [0, 2].map(probes =>
      short(
        Math.min(
          ...rounds.map(() => microsEach(test.length, i => memory.query(test[i]?.key as SparseRow, { probes }))),
        ),
      ),
    )
    const { routerBytes, features, trees } = memory.stats()
    globalThis.gc?.()
    const bytes = process.memoryUsage().rss - idle
    const extra = {
      bytesEach: short((bytes - 8 * features) / memories),
      routerBytesEach: short(routerBytes / memories),
    }
    measured.push({
      memories,
      insertMicros: short(insertMicros),
      queryMicros,
      depth: trees[0]?.depth,
      ...extra,
      arenaBytes: defaultEngine().arena.bytes,
    })
    process.stderr.write(`${JSON.stringify(measured.at(-1))}\n`)
  }
  keepResult('memory-growth', {
    set: 'yso-finna-en',
    probes: [0, 2],
    featuresEach: short(memory.stats().features / memory.size),
    measured,
  })
}

const parts: Record<string, () => Promise<void>> = {
  classes: measureClasses,
  labels: () => measureLabels(values.set),
  consistency: () => measureConsistency(values.set),
  ablation: measureAblation,
  growth: measureGrowth,
}
const part = parts[values.part]
if (!part) throw new Error(`--part is ${values.part}, expected one of ${Object.keys(parts).join(', ')}`)
await part()
