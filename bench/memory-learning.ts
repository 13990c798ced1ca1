// What rewards add: node tools/run.mjs bench/memory-learning.ts --data <folder with xmc sets>
//   small    600 memories of clinc150, then bandit rewards for 2,000 other rows; accuracy on 2,500 more rows before and after, over 10 seeds
//   classes  clinc150 online, then its test set, over 5 seeds: full feedback (one pass), bandit feedback (three passes), and nothing but
//            the reroutes that three passes of rewards bring
// Bandit: only the best hit is rewarded, by whether its label is the row's. Everything runs on one thread.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Dataset, Random, SparseMatrix, type SparseRow } from '@vicinal/core'
import { type MemoryOptions, MemoryTree } from '@vicinal/core/memory'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({ options: { data: { type: 'string' } } })
if (!values.data) throw new Error('give the folder of the sets with --data')

interface Example {
  readonly key: SparseRow
  readonly label: number
}

function examplesOf({ features, labels, rows }: Dataset, seed: number): Example[] {
  if (!(features instanceof SparseMatrix) || !labels) throw new Error('the set has no sparse rows with labels')
  const order = new Random(seed).shuffle(Uint32Array.from({ length: rows }, (_, row) => row))
  return Array.from(order, row => ({ key: features.row(row), label: labels.row(row)[0] ?? -1 }))
}

function errorOf(memory: MemoryTree, test: readonly Example[]): number {
  return test.filter(({ key, label }) => memory.query(key, { k: 1 })[0]?.value !== label).length / test.length
}

function store(memory: MemoryTree, rows: readonly Example[]): void {
  for (const [id, { key, label }] of rows.entries()) memory.insert(key, label, { id })
}

/** Rewards the best hit, the row itself left out where it is stored. */
function bandit(memory: MemoryTree, { key, label }: Example, own?: number): void {
  const filter = own === undefined ? {} : { filter: (_: unknown, id: unknown) => id !== own }
  const [hit] = memory.query(key, { k: 1, ...filter })
  if (hit) memory.update(hit, Number(hit.value === label))
}

function spread(all: readonly number[]): { mean: number; deviation: number; all: readonly number[] } {
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length
  const squares = all.reduce((sum, one) => sum + (one - mean) ** 2, 0)
  return { mean: short(mean), deviation: short(Math.sqrt(squares / (all.length - 1))), all: all.map(short) }
}

const sets = await loadSet(join(values.data, 'xmc'), { name: 'clinc150' })

function measureSmall(options: MemoryOptions) {
  const [before, after]: number[][] = [[], []]
  for (let seed = 1; seed <= 10; seed++) {
    const rows = examplesOf(sets.train, seed)
    const [stored, asked, test] = [rows.slice(0, 600), rows.slice(600, 2600), rows.slice(2600, 5100)]
    const memory = MemoryTree.create({ ...options, seed })
    store(memory, stored)
    before?.push(1 - errorOf(memory, test))
    for (const row of asked) bandit(memory, row)
    after?.push(1 - errorOf(memory, test))
    memory.free()
  }
  const worse = (after ?? []).filter((one, i) => one < (before?.[i] ?? 0)).length
  const result = { ...options, before: spread(before ?? []), after: spread(after ?? []), worse }
  process.stderr.write(`${JSON.stringify(result)}\n`)
  return result
}

type Way = (memory: MemoryTree, train: readonly Example[]) => void
const ways: Readonly<Record<string, Way>> = {
  'stored only': store,
  'reroutes alone': (memory, train) => {
    store(memory, train)
    for (let i = 0; i < 3 * train.length; i++) memory.reroute()
  },
  'full feedback': (memory, train) => {
    train.forEach(({ key, label }, id) => {
      memory.learn(key, value => Number(value === label))
      memory.insert(key, label, { id })
    })
  },
  'bandit, 3 passes': (memory, train) => {
    train.forEach((row, id) => {
      bandit(memory, row)
      memory.insert(row.key, row.label, { id })
    })
    for (let pass = 1; pass < 3; pass++) for (const [id, row] of train.entries()) bandit(memory, row, id)
  },
}

function measureClasses(retrieval: 'tree' | 'both') {
  return Object.entries(ways).map(([way, run]) => {
    const errors = [1, 2, 3, 4, 5].map(seed => {
      const memory = MemoryTree.create({ retrieval, seed })
      run(memory, examplesOf(sets.train, seed))
      const error = errorOf(memory, examplesOf(sets.test, 1))
      memory.free()
      return error
    })
    const result = { retrieval, way, error: spread(errors) }
    process.stderr.write(`${JSON.stringify(result)}\n`)
    return result
  })
}

const small = (['tree', 'both'] as const).map(retrieval => measureSmall({ retrieval }))
const classes = [...measureClasses('both'), ...measureClasses('tree')]
keepResult('memory-learning', { set: 'clinc150', small, classes })
