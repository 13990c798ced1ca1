// Exact sparse neighbors, one thread: our algorithms against each other, and against a plain C++ term-at-a-time search compiled
// and run in the same run: node tools/run.mjs bench/sparse-search.ts --data <folder of xmc sets> [--reference <taat.cpp>]
// With --partitions-only, only the sizes of the first part of 'partitioned' are tried. Rounds alternate between the contestants;
// the best round of each counts. Queries are random test rows, the same for all.

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

/** The reference program, compiled; undefined where there is none, or no compiler. */
function compile(source: string | undefined, folder: string): string | undefined {
  if (!source) return undefined
  const program = join(folder, 'taat')
  const { status } = spawnSync('g++', ['-O3', '-march=native', '-o', program, source])
  if (status === 0) return program
  console.error('no C++ compiler, or the reference does not compile: ratios are left out')
  return undefined
}

function runReference(program: string, folder: string): { millis: number; postings: number } {
  const { stdout } = spawnSync(program, [join(folder, 'train.txt'), join(folder, 'test.txt'), String(k)], {
    encoding: 'utf8',
  })
  const { millisPerQuery, postingsPerQuery } = JSON.parse(stdout)
  return { millis: millisPerQuery, postings: postingsPerQuery }
}

async function measureSet(
  data: string,
  { set, algorithms }: (typeof plans)[number],
  program: string | undefined,
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
  for (let round = 0; round < rounds; round++) {
    if (program) keep('C++', runReference(program, folder).millis)
    for (const algorithm of algorithms) {
      // Three times, as the reference does.
      for (let turn = 0; turn < 3; turn++) {
        const begin = performance.now()
        for (const query of queries) index.nearest(query, k, algorithm)
        keep(algorithm, (performance.now() - begin) / queries.length)
      }
    }
  }
  const lines: Line[] = []
  for (const algorithm of algorithms) {
    const { candidates } = await index.nearestBatch(test.features, { k, algorithm, threads: 1 })
    lines.push(lineOf(set, algorithm, best, Math.round(candidates / test.rows)))
  }
  if (program) lines.push(lineOf(set, 'C++', best, ''))
  index.free()
  return lines
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
    reference: { type: 'string' },
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
  const program = compile(values.reference, folder)
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
  keepResult('sparse-search', { k, queries: queryCount, lines })
} finally {
  rmSync(folder, { recursive: true, force: true })
}
