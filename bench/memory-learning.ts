// The gain from rewards: node tools/run.mjs bench/memory-learning.ts --data <folder with xmc sets> [--part small|classes|shots|curve|words]
//   small    600 memories whose heaviest feature says nothing; bandit rewards for 3,000 queries; accuracy on 2,000 more, over 10 seeds
//   classes  clinc150 online, then its test set, over 5 seeds: full feedback (one pass), bandit feedback (three passes), nothing but
//            the reroutes that three passes of rewards bring, and rewards that are coin flips
//   shots    clinc150 with 1 to 100 memories a class, over 3 seeds: stored, and after one supervised step for each
//   curve    clinc150 online, over 5 seeds: every row is answered before it is stored, and the error since the mark before
//   words    words mislead: 1,000 library titles find others with one of the 100 commonest subjects, before and after rewards; the same
//            with the names of the subjects as keys. Over 5 seeds.
// Bandit: only the best hit is rewarded, by whether its label is the row's. Everything runs on one thread.
// The scorer's rates were chosen on training rows of clinc150 that were held out; no test row was looked at for that.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Dataset, Random, SparseMatrix, type SparseRow } from '@vicinal/core'
import { type Hit, MemoryTree } from '@vicinal/core/memory'
import { linesOf } from './bundled-titles.ts'
import { loadSet } from './label-sets.ts'
import { keepResult, short } from './measure.ts'

const { values } = parseArgs({ options: { data: { type: 'string' }, part: { type: 'string' } } })
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

/** A key of two features: one of 50 that tells the label, and one of 200, twice as heavy, that does not. */
function misleading(random: Random): Example {
  const telling = random.below(50)
  const key = { indices: Uint32Array.of(telling, 60 + random.below(200)), values: Float32Array.of(0.5, 1) }
  return { key, label: telling % 2 }
}

const smallWays: Readonly<Record<string, (memory: MemoryTree, rows: readonly Example[]) => void>> = {
  stored: () => {},
  'reroutes alone': (memory, rows) => {
    for (const _ of rows) memory.reroute()
  },
  bandit: (memory, rows) => {
    for (const { key, label } of rows) {
      const [hit] = memory.query(key, { k: 1, probes: 0 })
      if (hit) memory.update(hit, Number(hit.value === label))
    }
  },
}

function measureSmall(retrieval: 'tree' | 'both') {
  return Object.entries(smallWays).map(([way, run]) => {
    const accuracies = Array.from({ length: 10 }, (_, i) => {
      const random = new Random(8 + i)
      const draw = (count: number) => Array.from({ length: count }, () => misleading(random))
      const memory = MemoryTree.create({ retrieval, seed: i + 1, reroutes: 1, balance: 0.5, leafFactor: 2 })
      for (const { key, label } of draw(600)) memory.insert(key, label)
      run(memory, draw(way === 'stored' ? 0 : 3000))
      const right = draw(2000).filter(({ key, label }) => memory.query(key, { k: 1, probes: 0 })[0]?.value === label)
      memory.free()
      return right.length / 2000
    })
    return told({ retrieval, way, accuracy: spread(accuracies) })
  })
}

function told<Result>(result: Result): Result {
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
  'coin flips': (memory, train) => {
    const random = new Random(1)
    train.forEach(({ key, label }, id) => {
      const [hit] = memory.query(key, { k: 1 })
      if (hit) memory.update(hit, random.below(2))
      memory.insert(key, label, { id })
    })
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
    return told({ retrieval, way, error: spread(errors) })
  })
}

/** The first so many rows of every label. */
function shotsOf(rows: readonly Example[], shots: number): Example[] {
  const counts = new Map<number, number>()
  return rows.filter(({ label }) => {
    counts.set(label, (counts.get(label) ?? 0) + 1)
    return (counts.get(label) ?? 0) <= shots
  })
}

function measureShots() {
  return [1, 2, 3, 5, 10, 30, 100].map(shots => {
    const errors = [1, 2, 3].map(seed => {
      const train = shotsOf(examplesOf(sets.train, seed), shots)
      const memory = MemoryTree.create({ seed })
      store(memory, train)
      const stored = errorOf(memory, examplesOf(sets.test, 1))
      for (const [id, { key, label }] of train.entries()) {
        memory.learn(key, value => Number(value === label), { except: id })
      }
      const learned = errorOf(memory, examplesOf(sets.test, 1))
      memory.free()
      return { stored, learned }
    })
    const [stored, learned] = [errors.map(({ stored }) => stored), errors.map(({ learned }) => learned)]
    return told({ shots, stored: spread(stored), learned: spread(learned) })
  })
}

interface Title {
  readonly text: string
  readonly subjects: readonly string[]
}

/** Titles with one of the 100 commonest subjects, those subjects only. */
function commonTitles(): { titles: Title[]; common: string[] } {
  const all = linesOf('titles-train.tsv.gz').map(([text = '', subjects = '']) => ({
    text,
    subjects: subjects.split(' '),
  }))
  const counts = new Map<string, number>()
  for (const { subjects } of all) for (const one of subjects) counts.set(one, (counts.get(one) ?? 0) + 1)
  const common = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 100).map(([subject]) => subject) // biome-ignore format: one line
  const isCommon = new Set(common)
  const kept = all.map(({ text, subjects }) => ({ text, subjects: subjects.filter(one => isCommon.has(one)) }))
  return { titles: kept.filter(({ text, subjects }) => subjects.length > 0 && /\w/.test(text)), common }
}

function measureWords() {
  const { titles, common } = commonTitles()
  const names = new Map(linesOf('subjects.tsv') as [string, string][])
  const stores: Readonly<Record<string, (memory: MemoryTree<string>, rows: readonly Title[]) => void>> = {
    titles: (memory, rows) => {
      for (const { text, subjects } of rows) memory.insert(text, subjects[0] ?? '')
    },
    'names of subjects': memory => {
      for (const subject of common) memory.insert(names.get(subject) ?? subject, subject)
    },
  }
  const hasRight = (memory: MemoryTree<string>, { text, subjects }: Title) =>
    subjects.includes(memory.query(text, { k: 1 })[0]?.value ?? '')
  const feedback: Readonly<Record<string, (memory: MemoryTree<string>, title: Title) => void>> = {
    bandit: (memory, { text, subjects }) => {
      const [hit] = memory.query(text, { k: 1 })
      if (hit) memory.update(hit, Number(subjects.includes(hit.value)))
    },
    'full feedback': (memory, { text, subjects }) => memory.learn(text, value => Number(subjects.includes(value))),
  }
  return Object.entries(stores).flatMap(([keys, fill]) =>
    Object.entries(feedback).map(([way, give]) => {
      const curves = [1, 2, 3, 4, 5].map(seed => {
        const order = new Random(seed).shuffle(Uint32Array.from(titles.keys()))
        const rows = Array.from(order, row => titles[row] as Title)
        const [stored, asked, test] = [rows.slice(0, 1000), rows.slice(1000, 4000), rows.slice(4000)]
        const memory = MemoryTree.create<string>({ seed })
        fill(memory, stored)
        const accuracy = () => test.filter(title => hasRight(memory, title)).length / test.length
        const curve = [accuracy()]
        for (const part of [asked.slice(0, 300), asked.slice(300, 1000), asked.slice(1000)]) {
          for (const title of part) give(memory, title)
          curve.push(accuracy())
        }
        memory.free()
        return curve
      })
      return told({
        keys,
        way,
        accuracy: [0, 300, 1000, 3000].map((_, i) => spread(curves.map(curve => curve[i] ?? 0))),
      })
    }),
  )
}

const marks = [150, 500, 1500, 5000, 15_000]
type Online = (memory: MemoryTree, row: Example, hit: Hit | undefined) => void
/** What follows an answer, before the row is stored. */
const onlineWays: Readonly<Record<string, Online>> = {
  'stored only': () => {},
  bandit: (memory, { label }, hit) => {
    if (hit) memory.update(hit, Number(hit.value === label))
  },
  'full feedback': (memory, { key, label }) => memory.learn(key, value => Number(value === label)),
}

/** The error between each two marks. */
function onlineErrors(run: Online, seed: number): number[] {
  const memory = MemoryTree.create({ seed })
  const wrong = examplesOf(sets.train, seed).map((row, id) => {
    const [hit] = memory.query(row.key, { k: 1 })
    run(memory, row, hit)
    memory.insert(row.key, row.label, { id })
    return Number(hit?.value !== row.label)
  })
  memory.free()
  return marks.map((mark, i) => {
    const part = wrong.slice(marks[i - 1] ?? 0, mark)
    return part.reduce((sum, one) => sum + one, 0) / part.length
  })
}

function measureCurve() {
  return Object.entries(onlineWays).map(([way, run]) => {
    const curves = [1, 2, 3, 4, 5].map(seed => onlineErrors(run, seed))
    return told({ way, error: marks.map((_, i) => spread(curves.map(curve => curve[i] ?? 0))) })
  })
}

const { part } = values
const isAsked = (name: string) => part === undefined || part === name
if (isAsked('small')) keepResult('memory-small', { measured: (['tree', 'both'] as const).flatMap(measureSmall) })
if (isAsked('classes')) {
  keepResult('memory-learning', { set: 'clinc150', classes: [...measureClasses('both'), ...measureClasses('tree')] })
}
if (isAsked('shots')) keepResult('memory-shots', { set: 'clinc150', measured: measureShots() })
if (isAsked('curve')) keepResult('memory-curve', { set: 'clinc150', marks, measured: measureCurve() })
if (isAsked('words')) keepResult('memory-words', { rewards: [0, 300, 1000, 3000], measured: measureWords() })
