// Exact sparse neighbors, one thread: our algorithms against each other and, with --cpp, against a plain C++ program
// (term-at-a-time.cpp), which is compiled for it: node tools/run.mjs bench/sparse-search.ts --data <folder of xmc sets> --cpp
// With --partitions-only, only the sizes of the first part of 'partitioned' are tried. Rounds alternate between the contestants;
// the best round of each counts. Queries are random test rows, the same for all. A run without C++ or on some sets alone is a
// trial: it does not replace the result that the documentation shows.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { InvertedIndex, Random, SparseMatrix, selectRows } from '@vicinal/core'
import { readDataset, writeDataset } from '@vicinal/core/data'
import { keepResult, short } from './measure.ts'

const k = 100
const queryCount = 300
const rounds = 5
/** How large the first part of 'partitioned' is: tried on these sets. */
const partitionSizes = [10, 100, 1000]
const partitionSets = ['delicious', 'reuters-modapte90']
const plans = [
  { set: 'delicious', algorithms: ['auto', 'taat', 'partitioned', 'threshold', 'wand'] },
  { set: 'bibtex', algorithms: ['auto', 'taat', 'partitioned', 'threshold', 'wand'] },
  { set: 'reuters-modapte90', algorithms: ['auto', 'taat', 'partitioned', 'threshold', 'wand'] },
  { set: 'debtags', algorithms: ['auto', 'taat', 'partitioned', 'threshold', 'wand'] },
  { set: 'yso-finna-en', algorithms: ['auto', 'taat'] },
] as const

interface Line {
  readonly set: string
  readonly algorithm: string
  /** Per call for a single query. */
  readonly millis: number
  readonly candidates: number | string
  /** Time as a share of the C++ program's. */
  readonly ratio: number | string
}

interface CppProgram {
  readonly path: string
  /** Its compiler, with its flags. */
  readonly compiler: string
}

const compilerFlags = ['-std=c++17', '-O3', '-march=native']

function compile(folder: string): CppProgram {
  const path = join(folder, 'term-at-a-time')
  const source = join(import.meta.dirname, 'term-at-a-time.cpp')
  const { status, stderr, error } = spawnSync('g++', [...compilerFlags, '-o', path, source], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`--cpp needs g++: ${error?.message ?? stderr}`)
  const version = spawnSync('g++', ['-dumpfullversion'], { encoding: 'utf8' }).stdout.trim()
  return { path, compiler: `g++ ${version} ${compilerFlags.join(' ')}` }
}

function runCpp({ path }: CppProgram, folder: string): { millis: number; similarities: number } {
  const files = ['train.txt', 'test.txt'].map(name => join(folder, name))
  const { stdout, stderr, status } = spawnSync(path, [...files, String(k)], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  const { millisPerQuery, similarities } = JSON.parse(stdout)
  return { millis: millisPerQuery, similarities }
}

async function measureSet(
  data: string,
  { set, algorithms }: (typeof plans)[number],
  program: CppProgram | undefined,
  folder: string,
): Promise<Line[]> {
  const train = await readDataset(join(data, set, 'train.txt.gz'))
  const all = await readDataset(join(data, set, 'test.txt.gz'))
  const test = selectRows(all, new Random(1).sample(all.rows, queryCount))
  if (!(train.features instanceof SparseMatrix && test.features instanceof SparseMatrix))
    throw new Error(`${set} is not sparse`)
  await writeDataset(train, join(folder, 'train.txt'), { overwrite: true })
  await writeDataset(test, join(folder, 'test.txt'), { overwrite: true })
  const index = await InvertedIndex.fit(train.features)
  const queries = Array.from({ length: test.rows }, (_, row) => (test.features as SparseMatrix).row(row))
  const best = new Map<string, number>()
  const keep = (name: string, millis: number) =>
    best.set(name, Math.min(millis, best.get(name) ?? Number.POSITIVE_INFINITY))
  let similarities: number | undefined
  for (let round = 0; round < rounds; round++) {
    if (program) {
      const run = runCpp(program, folder)
      keep('C++', run.millis)
      similarities = run.similarities
    }
    for (const algorithm of algorithms) {
      // Three times, as the C++ program does.
      for (let turn = 0; turn < 3; turn++) {
        const begin = performance.now()
        for (const query of queries) index.nearest(query, k, algorithm)
        keep(algorithm, (performance.now() - begin) / queries.length)
      }
    }
  }
  const lines: Line[] = []
  for (const algorithm of algorithms) {
    const found = await index.nearestBatch(test.features, { k, algorithm, threads: 1 })
    if (similarities !== undefined) checkSame(set, sumOf(found), similarities)
    const { candidates } = found
    lines.push(lineOf(set, algorithm, best, Math.round(candidates / test.rows)))
  }
  if (program) lines.push(lineOf(set, 'C++', best, ''))
  index.free()
  return lines
}

function sumOf({ similarities, counts, k: stride }: Awaited<ReturnType<InvertedIndex['nearestBatch']>>): number {
  let sum = 0
  for (const [query, count] of counts.entries()) {
    for (const value of similarities.subarray(query * stride, query * stride + count)) sum += value
  }
  return sum
}

/** Both programs must have answered the same question. */
function checkSame(set: string, ours: number, theirs: number): void {
  if (Math.abs(ours - theirs) <= 1e-4 * theirs) return
  throw new Error(`${set}: our similarities add up to ${ours}, those of the C++ program to ${theirs}`)
}

interface PartitionLine {
  readonly set: string
  readonly partitionBest: number
  readonly millis: number
  readonly candidates: number
}

/** 'partitioned' with first parts of several sizes, which take turns. */
async function measurePartitions(data: string, set: string): Promise<PartitionLine[]> {
  const train = await readDataset(join(data, set, 'train.txt.gz'))
  const all = await readDataset(join(data, set, 'test.txt.gz'))
  const { features: queries } = selectRows(all, new Random(1).sample(all.rows, queryCount))
  const { features } = train
  if (!(features instanceof SparseMatrix && queries instanceof SparseMatrix)) throw new Error(`${set} is not sparse`)
  const entries = partitionSizes.map(async partitionBest => {
    return {
      partitionBest,
      index: await InvertedIndex.fit(features, { partitionBest }),
      millis: Number.POSITIVE_INFINITY,
    }
  })
  const contestants = await Promise.all(entries)
  for (let round = 0; round < 3 * rounds; round++) {
    for (const contestant of contestants) {
      const begin = performance.now()
      for (let row = 0; row < queries.rows; row++) contestant.index.nearest(queries.row(row), k, 'partitioned')
      contestant.millis = Math.min(contestant.millis, (performance.now() - begin) / queries.rows)
    }
  }
  const lines: PartitionLine[] = []
  for (const { partitionBest, index, millis } of contestants) {
    const { candidates } = await index.nearestBatch(queries, { k, algorithm: 'partitioned', threads: 1 })
    lines.push({ set, partitionBest, millis: short(millis), candidates: Math.round(candidates / queries.rows) })
    index.free()
  }
  return lines
}

function lineOf(set: string, algorithm: string, best: ReadonlyMap<string, number>, candidates: number | string): Line {
  const [millis = Number.NaN, reference] = [algorithm, 'C++'].map(name => best.get(name))
  return { set, algorithm, millis: short(millis), candidates, ratio: reference ? short(millis / reference) : '' }
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    cpp: { type: 'boolean', default: false },
    sets: { type: 'string' },
    'partitions-only': { type: 'boolean' },
  },
})
if (!values.data) throw new Error('give the folder of the sets with --data')
const partitions: PartitionLine[] = []
for (const set of partitionSets) partitions.push(...(await measurePartitions(values.data, set)))
console.table(partitions)
keepResult('sparse-partitions', { k, queries: queryCount, lines: partitions })
if (values['partitions-only']) process.exit()
const folder = mkdtempSync(join(tmpdir(), 'sparse-search-'))
try {
  const program = values.cpp ? compile(folder) : undefined
  const lines: Line[] = []
  for (const plan of plans.filter(({ set }) => !values.sets || values.sets.split(',').includes(set))) {
    const measured = await measureSet(values.data, plan, program, folder)
    for (const { set, algorithm, millis, candidates, ratio } of measured) {
      console.log(
        [
          set.padEnd(18),
          algorithm.padEnd(12),
          ...[millis, candidates, ratio].map(value => String(value).padStart(9)),
        ].join(''),
      )
    }
    lines.push(...measured)
  }
  const isWhole = program !== undefined && values.sets === undefined
  const cpp = program && { cpp: program.compiler }
  keepResult(isWhole ? 'sparse-search' : 'sparse-search-trial', { k, queries: queryCount, ...cpp, lines })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
