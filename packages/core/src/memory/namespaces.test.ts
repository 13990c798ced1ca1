// No query ever sees a memory of another namespace or one that its filter skips, and every query gets as many as pass. Compared with a look at
// every memory, over random calls.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Id } from '../ids/id.ts'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { bytesOf, clock, drawnRows } from './memory.cases.ts'
import type { MemoryKey } from './memory-key.ts'
import { retrievals } from './memory-options.ts'
import type { MemoryFilter } from './memory-query.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

const names = [undefined, 'anna', 'bela', '__proto__'] as const
const drawn = new Random(3)
const vectors = Array.from({ length: 40 }, () => Float32Array.from({ length: 6 }, () => drawn.normal()))
const texts = Array.from({ length: 40 }, () => Array.from({ length: 3 }, () => `word${drawn.below(12)}`).join(' '))
/** Forty keys of every kind. */
const keysOf: Readonly<Record<string, readonly MemoryKey[]>> = {
  sparse: drawnRows(7, 40, 12, 3),
  text: texts,
  dense: vectors,
  hybrid: texts.map((text, i) => ({ text, vector: vectors[i] })),
}

const call = fc.record({
  do: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'reward', 'learn', 'reroute', 'store', 'wait'),
  name: fc.constantFrom(...names),
  n: fc.nat(1000),
})
const question = fc.record({
  name: fc.constantFrom(...names),
  n: fc.nat(39),
  k: fc.integer({ min: 1, max: 9 }),
  filter: fc.constantFrom('none', 'function', 'set', 'list'),
  explore: fc.constantFrom(0, 1),
  probes: fc.constantFrom(0, 2),
  minScore: fc.constantFrom(0.2, 0.5, 0.8),
})

interface Call {
  readonly do: string
  readonly name: string | undefined
  readonly n: number
}

interface Known {
  readonly id: Id
  readonly name: string | undefined
  readonly even: boolean
  readonly expiresAt: number
}

const within = (name: string | undefined) => (name === undefined ? {} : { namespace: name })

/** What time it is for the memory. */
let time = 0
const passing = { clock: () => time }

function run(memory: MemoryTree, keys: readonly MemoryKey[], known: Known[], { do: what, name, n }: Call): MemoryTree {
  const key = keys[n % 40]
  if (what === 'insert') {
    const expiresAt = n % 3 === 0 ? time + 1 + (n % 20) : undefined
    const expiry = expiresAt === undefined ? {} : { expiresAt }
    const id = memory.insert(key, { even: n % 2 === 0 }, { ...within(name), ...expiry })
    known.push({ id, name, even: n % 2 === 0, expiresAt: expiresAt ?? Number.POSITIVE_INFINITY })
  } else if (what === 'remove' && known.length > 0) {
    const [{ id, expiresAt }] = known.splice(n % known.length, 1)
    if (expiresAt > time) expect(memory.remove(id)).toBe(true)
  } else if (what === 'reward') {
    const [hit] = memory.query(key, { ...within(name), explore: 0.5 })
    if (hit) memory.update(hit, n % 2)
  } else if (what === 'learn') memory.learn(key, (_, id) => Number(id) % 2, within(name))
  else if (what === 'reroute') memory.reroute(3)
  else if (what === 'wait') time += n % 10
  else if (what === 'store') {
    const again = MemoryTree.fromContents(memory.contents(), { engine, ...passing })
    memory.free()
    return again
  }
  return memory
}

function filterOf(kind: string, known: readonly Known[]): { filter?: MemoryFilter } {
  const ids = known.filter(({ even }) => even).map(({ id }) => id)
  if (kind === 'function') return { filter: value => (value as { even: boolean }).even }
  if (kind === 'set') return { filter: new Set(ids) }
  return kind === 'list' ? { filter: [...ids, 'unknown', -5] } : {}
}

describe.each(Object.keys(keysOf))('keys of kind %s', kind => {
  const keys = keysOf[kind]

  it.each(retrievals)('are seen only if they pass, and as many as pass, with retrieval %s', retrieval => {
    const calls = fc.array(call, { minLength: 5, maxLength: 60, size: 'max' })
    const questions = fc.array(question, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(calls, questions, (calls, questions) => {
        time = 0
        let memory = MemoryTree.create({ engine, ...passing, retrieval, leafFactor: 1 })
        const known: Known[] = []
        for (const each of calls) memory = run(memory, keys, known, each)
        expect(memory.check()).toEqual([])
        for (const { name, n, k, filter, explore, probes, minScore } of questions) {
          const scope = { ...within(name), ...filterOf(filter, known) }
          const own = known.filter(
            each => each.name === name && each.expiresAt > time && (filter === 'none' || each.even),
          )
          const isOwn = ({ id }: { id: Id }) => own.some(each => each.id === id)
          const hits = memory.query(keys[n], { ...scope, k, explore, probes })
          expect(new Set(hits.map(({ id }) => id)).size).toBe(Math.min(k, own.length))
          expect(hits.filter(hit => !isOwn(hit))).toEqual([])
          const best = memory.query(keys[n], { ...scope, k, minScore })
          expect(best.filter(hit => !isOwn(hit) || hit.score < minScore)).toEqual([])
          if (retrieval === 'tree') continue // of a tree, 'all' are those that were looked at
          const all = memory.query(keys[n], { ...scope, k: 'all' }).filter(({ score }) => score >= minScore)
          expect(best).toHaveLength(Math.min(k, all.length))
        }
        memory.free()
      }),
      { numRuns: 40 },
    )
  })
})

describe('namespaces', () => {
  const create = (options = {}) => MemoryTree.create({ engine, clock, ...options })

  it('keep apart what is the same, and say whose it is', () => {
    const memory = create({ duplicates: 'merge' })
    const [anna, bela] = ['anna', 'bela'].map(namespace => memory.insert('a red door', 1, { namespace }))
    expect([memory.size, memory.insert('a red door', 1, { namespace: 'anna' })]).toEqual([2, anna])
    expect(memory.query('a red door', { k: 5, namespace: 'bela' }).map(({ id }) => id)).toEqual([bela])
    expect(memory.query('a red door', { k: 5 })).toEqual([])
    expect(memory.query('a red door', { k: 5, namespace: 'cleo' })).toEqual([])
    expect([memory.get(anna)?.namespace, memory.get(bela)?.namespace]).toEqual(['anna', 'bela'])
    memory.free()
  })

  it('are the same after saving and loading', () => {
    const memory = create()
    memory.insert('a red door', 1, { namespace: 'anna' })
    memory.insert('a red door', 2)
    const again = MemoryTree.fromContents(memory.contents(), { engine, clock })
    expect(bytesOf(again)).toBe(bytesOf(memory))
    expect(again.query('door', { namespace: 'anna' })).toEqual(memory.query('door', { namespace: 'anna' }))
    expect(again.query('door').map(({ value }) => value)).toEqual([2])
  })

  it('cost what their own memories cost: memories of others are not counted in', () => {
    const memory = create({ retrieval: 'index' })
    for (let i = 0; i < 300; i++) memory.insert(`word${i} door`, i, { namespace: i % 100 === 0 ? 'anna' : 'bela' })
    const asked: Id[] = []
    const hits = memory.query('door', {
      k: 5,
      namespace: 'anna',
      filter: (_, id) => asked.push(id) > 0,
    })
    expect([hits.length, asked.toSorted()]).toEqual([3, [0, 100, 200]])
  })
})

describe('a filter', () => {
  it('is asked about a memory once, and its hits are the best of those that pass', () => {
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 2000; i++) memory.insert(`common word${i % 50} rare${i}`, i)
    const asked: Id[] = []
    const hits = memory.query('common word7 rare1807', {
      k: 3,
      filter: (value, id) => asked.push(id) > 0 && Number(value) < 10,
    })
    expect(hits.map(({ value }) => value)).toEqual([7, 0, 1])
    expect(new Set(asked).size).toBe(asked.length)
    memory.free()
  })

  it('fills k beside minScore, with all that reach it', () => {
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 500; i++) memory.insert(i % 5 === 0 ? `red door ${i}` : `blue window ${i}`, i)
    const hits = memory.query('red door', { k: 200, minScore: 0.5 })
    expect(hits.length).toBe(100)
    expect(hits.every(({ score, value }) => score >= 0.5 && Number(value) % 5 === 0)).toBe(true)
    memory.free()
  })
})

describe('namespaces()', () => {
  it('counts the memories of each namespace that have not expired, the most first', () => {
    let now = 0
    const memory = MemoryTree.create({ engine, clock: () => now })
    expect(memory.namespaces()).toEqual([])
    for (let i = 0; i < 3; i++) memory.insert(`door ${i}`, i, { namespace: 'bela' })
    for (let i = 0; i < 3; i++) memory.insert(`window ${i}`, i, { namespace: 'anna' })
    memory.insert('roof', 1)
    memory.insert('cellar', 1, { namespace: '__proto__', expiresAt: 10 })
    const three = [
      { namespace: 'anna', count: 3 },
      { namespace: 'bela', count: 3 },
    ]
    expect(memory.namespaces()).toEqual([...three, { count: 1 }, { namespace: '__proto__', count: 1 }])
    now = 10
    expect(memory.namespaces()).toEqual([...three, { count: 1 }])
    expect(memory.list({ namespace: null }).map(({ namespace }) => namespace)).toEqual([undefined])
    memory.free()
  })
})
