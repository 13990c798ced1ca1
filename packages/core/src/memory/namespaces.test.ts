// No query ever sees a memory of another namespace or one that its filter skips, and every query gets as many as pass. Compared with a look at
// every memory, over random calls.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import type { Id } from '../ids/id.ts'
import { Engine } from '../kernels/engine.ts'
import { bytesOf, clock, drawnRows } from './memory.cases.ts'
import { retrievals } from './memory-options.ts'
import type { MemoryFilter } from './memory-query.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

const names = [undefined, 'anna', 'bela', '__proto__'] as const
const keys = drawnRows(7, 40, 12, 3)

const call = fc.record({
  do: fc.constantFrom('insert', 'insert', 'insert', 'remove', 'reward', 'learn', 'reroute', 'store'),
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
}

const within = (name: string | undefined) => (name === undefined ? {} : { namespace: name })

function run(memory: MemoryTree, known: Known[], { do: what, name, n }: Call): MemoryTree {
  if (what === 'insert') {
    const id = memory.insert(keys[n % 40], { even: n % 2 === 0 }, within(name))
    known.push({ id, name, even: n % 2 === 0 })
  } else if (what === 'remove' && known.length > 0) {
    const [{ id }] = known.splice(n % known.length, 1)
    expect(memory.remove(id)).toBe(true)
  } else if (what === 'reward') {
    const [hit] = memory.query(keys[n % 40], { ...within(name), explore: 0.5 })
    if (hit) memory.update(hit, n % 2)
  } else if (what === 'learn') memory.learn(keys[n % 40], (_, id) => Number(id) % 2, within(name))
  else if (what === 'reroute') memory.reroute(3)
  else if (what === 'store') {
    const again = MemoryTree.fromContents(memory.contents(), { engine, clock })
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

describe.each(retrievals)('with retrieval %s', retrieval => {
  it('queries see only what passes, and as many as pass', () => {
    const calls = fc.array(call, { minLength: 5, maxLength: 60, size: 'max' })
    const questions = fc.array(question, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(calls, questions, (calls, questions) => {
        let memory = MemoryTree.create({ engine, clock, retrieval, leafFactor: 1 })
        const known: Known[] = []
        for (const each of calls) memory = run(memory, known, each)
        expect(memory.check()).toEqual([])
        for (const { name, n, k, filter, explore, probes } of questions) {
          const options = { ...within(name), ...filterOf(filter, known), k, explore, probes }
          const passing = known.filter(each => each.name === name && (filter === 'none' || each.even))
          const hits = memory.query(keys[n], options)
          const ids = new Set(hits.map(({ id }) => id))
          expect(ids.size).toBe(Math.min(k, passing.length))
          expect([...ids].filter(id => !passing.some(each => each.id === id))).toEqual([])
        }
        memory.free()
      }),
      { numRuns: 60 },
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
