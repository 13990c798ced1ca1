import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { bytesOf, clock, drawnRows, sparse } from './memory.cases.ts'
import { type MemoryOptions, memoryDefaults } from './memory-options.ts'
import type { Hit } from './memory-query.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
const made: MemoryTree[] = []
afterEach(() => {
  for (const memory of made.splice(0)) memory.free()
  expect(engine.arena.usedBytes).toBe(0)
})
afterAll(() => engine.close())

function create(options: MemoryOptions = {}): MemoryTree {
  const memory = MemoryTree.create({ ...options, engine, clock })
  made.push(memory)
  return memory
}

/** East, north, and between the two. */
function compass(options: MemoryOptions = {}): MemoryTree {
  const memory = create(options)
  memory.insert([1, 0], 'east')
  memory.insert([0, 1], 'north')
  memory.insert([3, 4], { towards: 'north-east' })
  return memory
}

const valuesOf = (hits: readonly Hit[]): unknown[] => hits.map(({ value }) => value)

describe('a memory', () => {
  it('has every option, defaults filled in', () => {
    const { learner, ...options } = create({ seed: 7 }).options
    const { learner: name, ...defaults } = memoryDefaults
    expect({ ...options, learner: learner.name }).toEqual({ ...defaults, learner: name, seed: 7 })
  })

  it('with nothing in it answers with nothing', () => {
    const memory = create()
    expect(memory.query('anything', { explore: 1 })).toEqual([])
    memory.learn('anything', () => 1)
    memory.reroute(10)
    expect([memory.size, [...memory.memories()], memory.get(0), memory.remove(0)]).toEqual([0, [], undefined, false])
    expect(memory.check()).toEqual([])
    expect(memory.stats().trees).toEqual([{ leaves: 1, depth: 0, meanDepth: 0, balance: 0.5 }])
  })

  it('gives the best memory for a key, with its score and its distance', () => {
    const memory = compass()
    const [hit, ...others] = memory.query([2, 0], { k: 1 })
    expect(others).toEqual([])
    expect(hit).toMatchObject({ id: 0, value: 'east', distance: 0, query: { key: [2, 0] } })
    expect(hit.query.explored).toBe(undefined)
    expect(hit.score).toBeCloseTo(1 / (1 + Math.exp(-3)), 9)
  })

  it('spreads equal keys over leaves, so that one path sees some of them and probes see all', () => {
    const [memory, unbalanced] = [create({ retrieval: 'tree' }), create({ retrieval: 'tree', balance: 0 })]
    for (const each of [memory, unbalanced]) for (let i = 0; i < 50; i++) each.insert([1, 0], i)
    const seen = (each: MemoryTree, probes: number) => each.query([1, 0], { k: 'all', probes }).length
    // docs/memory.md tells these figures.
    expect([memory.stats().trees[0].leaves, seen(memory, 0), seen(memory, 5)]).toEqual([6, 13, 50])
    expect([unbalanced.stats().trees[0].leaves, seen(unbalanced, 0)]).toEqual([1, 50])
  })

  it('takes a reward for a hit that has been JSON meanwhile, as for the hit itself', () => {
    const [one, other] = [create({ leafFactor: 1 }), create({ leafFactor: 1 })]
    const rows = drawnRows(3, 30)
    for (const memory of [one, other]) for (const row of rows) memory.insert(row, 1)
    for (const row of rows) {
      const [hit] = one.query(row, { explore: 1 })
      const [same] = other.query(row, { explore: 1 })
      one.update(hit, 0.5)
      other.update(JSON.parse(JSON.stringify(same)), 0.5)
    }
    expect(bytesOf(other)).toBe(bytesOf(one))
  })

  it('is not led astray by functions of the caller that ask it meanwhile', () => {
    const [quiet, busy] = [compass(), compass()]
    const asking = () => busy.query([0, 1]).length > 0
    expect(busy.query([1, 0], { k: 3, filter: asking })).toEqual(quiet.query([1, 0], { k: 3, filter: () => true }))
    quiet.learn([1, 0], () => 0.25)
    busy.learn([1, 0], () => (asking() ? 0.25 : 0))
    expect(bytesOf(busy)).toBe(bytesOf(quiet))
  })

  it('gives k memories, best first: cosines of 1, 0.6 and 0', () => {
    const memory = compass()
    const hits = memory.query([1, 0], { k: 3 })
    expect(hits.map(({ id }) => id)).toEqual([0, 2, 1])
    expect(hits.map(({ distance }) => distance ** 2)).toEqual([0, expect.closeTo(0.8, 6), expect.closeTo(2, 6)])
    expect(hits.map(({ score }) => score)).toEqual([3, 0.6, -3].map(sum => expect.closeTo(1 / (1 + Math.exp(-sum)), 6)))
    expect(memory.query([1, 0], { k: 2 })).toEqual(hits.slice(0, 2))
    expect(memory.query([1, 0], { k: 'all' })).toEqual(hits)
    expect(memory.query([1, 0], { k: 99 })).toEqual(hits)
  })

  it('gives what passes the least score and the filter', () => {
    const memory = compass()
    expect(valuesOf(memory.query([1, 0], { k: 3, minScore: 0.6 }))).toEqual(['east', { towards: 'north-east' }])
    expect(valuesOf(memory.query([1, 0], { k: 1, filter: value => value !== 'east' }))).toEqual([
      { towards: 'north-east' },
    ])
    expect(valuesOf(memory.query([1, 0], { filter: (_, id) => id === 1 }))).toEqual(['north'])
  })

  it('orders ties by age', () => {
    const memory = create()
    for (const id of ['b', 'c', 'a']) memory.insert('the same words', id, { id })
    expect(valuesOf(memory.query('the same words', { k: 3 }))).toEqual(['b', 'c', 'a'])
    memory.remove('b')
    memory.insert('the same words', 'd', { id: 'd' })
    expect(valuesOf(memory.query('the same words', { k: 3 }))).toEqual(['c', 'a', 'd'])
  })

  it('keeps keys and values as they were given, whatever happens to them outside', () => {
    const memory = create()
    const value = { list: [1] }
    const key = sparse({ 3: 3, 4: 4 })
    memory.insert(key, value)
    value.list.push(2)
    key.values.fill(9)
    expect(memory.get(0)).toEqual({
      id: 0,
      key: sparse({ 3: 0.6, 4: 0.8 }),
      value: { list: [1] },
      createdAt: expect.any(Number),
      reward: null,
      rewards: 0,
    })
    const [hit] = memory.query(sparse({ 3: 1 }))
    ;(hit.value as { list: number[] }).list.push(3) // what was inserted
    expect(memory.get(0)?.value).toEqual({ list: [1] })
  })

  it('gives numbers as ids, never one twice, and takes others', () => {
    const memory = create()
    expect(memory.insert('a', 0)).toBe(0)
    expect(memory.insert('b', 0, { id: 'own' })).toBe('own')
    expect(memory.insert('c', 0, { id: 7 })).toBe(7)
    expect(memory.insert('d', 0)).toBe(8)
    memory.remove(8)
    expect(memory.insert('e', 0)).toBe(9)
    expect(memory.get('own')).toEqual({
      ...{ id: 'own', key: 'b', value: 0, createdAt: expect.any(Number), reward: null, rewards: 0 },
    })
    expect([...memory.memories()].map(({ id }) => id).sort()).toEqual([0, 7, 9, 'own'])
  })

  it('does not give an id twice after one too large to count on from', () => {
    for (const id of [2 ** 53, 1e300, Number.MAX_SAFE_INTEGER]) {
      const memory = create()
      memory.insert('a', 0, { id })
      const ids = ['b', 'c', 'd'].map(key => memory.insert(key, 0))
      expect(new Set([id, ...ids]).size).toBe(4)
      expect([memory.size, memory.check()]).toEqual([4, []])
    }
  })

  it('refuses to guess an id when numbers have run out', () => {
    const memory = create()
    memory.insert('a', 0, { id: Number.MAX_SAFE_INTEGER - 1 })
    expect(memory.insert('b', 0)).toBe(Number.MAX_SAFE_INTEGER)
    expect(() => memory.insert('c', 0)).toThrow('the id 9007199254740991 already exists')
    expect([memory.size, memory.check()]).toEqual([2, []])
  })

  it('forgets at once', () => {
    const memory = compass()
    expect(memory.remove(0)).toBe(true)
    expect(memory.remove(0)).toBe(false)
    expect([memory.size, memory.get(0)]).toEqual([2, undefined])
    expect(memory.query([1, 0], { k: 'all', probes: 1000 }).map(({ id }) => id)).toEqual([2, 1])
    memory.remove(1)
    memory.remove(2)
    expect([memory.size, memory.query([1, 0])]).toEqual([0, []])
    expect(memory.insert([0, 1], 'again')).toBe(3)
  })

  it('learns from rewards which features matter', () => {
    const memory = create({ reroutes: 0 })
    memory.insert(sparse({ 1: 1, 2: 1 }), 'shares the noise')
    memory.insert(sparse({ 1: 1, 3: 1 }), 'shares the point')
    const query = sparse({ 2: 1.1, 3: 1 })
    expect(memory.query(query)[0].value).toBe('shares the noise')
    for (let i = 0; i < 20; i++) {
      for (const hit of memory.query(query, { k: 2 })) memory.update(hit, hit.id === 1 ? 1 : 0)
    }
    const [first, second] = memory.query(query, { k: 2 })
    expect([first.value, second.value]).toEqual(['shares the point', 'shares the noise'])
    expect(first.score).toBeGreaterThan(0.5)
    expect(second.score).toBeLessThan(first.score)
    expect([memory.get(0), memory.get(1)]).toMatchObject([{ reward: 0, rewards: 20 }, { reward: 1, rewards: 20 }]) // biome-ignore format: one line
    expect(memory.stats().rewards).toBe(40)
  })

  it('keeps the mean of rewards', () => {
    const memory = compass()
    const [hit] = memory.query([1, 0])
    memory.update(hit, 1)
    memory.update({ id: 0, query: { key: [1, 0] } }, 0.5)
    expect(memory.get(0)).toMatchObject({ reward: 0.75, rewards: 2 })
  })

  it('takes hits that have travelled as JSON', () => {
    const [here, there] = [compass(), compass()]
    const hits = here.query([1, 1], { k: 2, explore: 1 })
    there.query([1, 1], { k: 2, explore: 1 })
    here.update(hits[0], 0.5)
    there.update(JSON.parse(JSON.stringify(hits[0])), 0.5)
    expect(bytesOf(there)).toBe(bytesOf(here))
  })

  it('takes supervised steps, and leaves out the memory the key belongs to', () => {
    const memory = create({ reroutes: 0 })
    for (const [i, key] of drawnRows(2, 30).entries()) memory.insert(key, i % 2)
    const asked: unknown[] = []
    memory.learn(drawnRows(2, 30)[4], (value, id) => (asked.push(id) && value === 0 ? 1 : 0), { except: 4 })
    expect(asked.length).toBeGreaterThan(0)
    expect(asked).not.toContain(4)
    expect(memory.stats().rewards).toBeGreaterThan(0)
    expect(memory.stats().rewards).toBeLessThanOrEqual(5)
  })

  it('with a capacity lets the least claim go for the new memory', () => {
    const memory = create({ capacity: 3 })
    for (const id of ['a', 'b', 'c']) memory.insert(`word ${id}x`, id, { id })
    memory.update({ id: 'a', query: { key: 'word ax' } }, 1)
    expect(memory.insert('word dx', 'd', { id: 'd' })).toBe('d')
    expect([...memory.memories()].map(({ id }) => id).sort()).toEqual(['a', 'c', 'd'])
    memory.insert('word ex', 'e', { id: 'e' })
    expect([...memory.memories()].map(({ id }) => id).sort()).toEqual(['a', 'd', 'e'])
  })

  it('with a capacity of 1 holds the newest', () => {
    const memory = create({ capacity: 1 })
    for (let i = 0; i < 5; i++) memory.insert(`word ${i}x`, i)
    expect([...memory.memories()].map(({ value }) => value)).toEqual([4])
  })

  it('that merges duplicates renews the older one', () => {
    const memory = create({ duplicates: 'merge', capacity: 3 })
    memory.insert('one thing', { a: 1 }, { id: 'x' })
    memory.insert('other thing', 2)
    memory.insert('third thing', 3)
    expect(memory.insert('One thing!', { a: 1 })).toBe('x')
    expect(memory.insert('one thing', { a: 1 }, { id: 'x' })).toBe('x')
    expect(memory.size).toBe(3)
    // It was renewed: another one goes.
    memory.insert('fourth thing', 4)
    expect([memory.get('x')?.value, memory.get(0)]).toEqual([{ a: 1 }, undefined])
    expect(memory.insert('one thing', { a: 2 })).not.toBe('x')
  })

  it('that merges duplicates takes over the metadata and the end that came with the newer one', () => {
    let now = 0
    const memory = MemoryTree.create({ engine, duplicates: 'merge', clock: () => now })
    memory.insert('one thing', 1, { id: 'x', metadata: { from: 'chat' }, expiresAt: 10 })
    expect(memory.insert('one thing', 1)).toBe('x')
    expect(memory.get('x')).toMatchObject({ metadata: { from: 'chat' }, expiresAt: 10 })
    memory.insert('one thing', 1, { metadata: { from: 'mail' }, expiresAt: 20, createdAt: 5, rewards: 2, reward: 1 })
    expect(memory.get('x')).toMatchObject({ metadata: { from: 'mail' }, createdAt: 5, rewards: 2, reward: 1 })
    now = 15
    expect(memory.query('one thing')).toHaveLength(1)
    now = 20
    expect(memory.query('one thing')).toEqual([])
    memory.free()
  })

  it('that merges duplicates does not renew what has got the id of a removed one', () => {
    const memory = create({ duplicates: 'merge' })
    memory.insert('one thing', 1, { id: 'x' })
    memory.remove('x')
    memory.insert('other thing', 2, { id: 'x' })
    expect(memory.insert('one thing', 1)).toBe(0)
    expect(memory.size).toBe(2)
  })

  it('that keeps duplicates has both', () => {
    const memory = create()
    expect([memory.insert('one thing', 1), memory.insert('one thing', 1)]).toEqual([0, 1])
    expect(memory.query('one thing', { k: 5 }).length).toBe(2)
  })

  it('asks all trees, and no memory twice', () => {
    const memory = create({ trees: 4, leafFactor: 1 })
    for (const [i, key] of drawnRows(5, 60).entries()) memory.insert(key, i)
    expect(memory.stats().trees.length).toBe(4)
    for (const key of drawnRows(6, 20)) {
      const ids = memory.query(key, { k: 'all' }).map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
    expect(memory.query(drawnRows(6, 1)[0], { k: 'all', probes: 1000 }).length).toBe(60)
  })

  it('looks at more memories with more probes', () => {
    const memory = create({ retrieval: 'tree', leafFactor: 1 })
    for (const [i, key] of drawnRows(5, 200).entries()) memory.insert(key, i)
    const seen = [0, 1, 4, 1000].map(probes => memory.query(drawnRows(6, 1)[0], { k: 'all', probes }).length)
    expect(seen).toEqual([...new Set(seen)].sort((a, b) => a - b))
    expect(seen[3]).toBe(200)
  })

  it('is not changed by queries that do not explore', () => {
    const memory = compass()
    const before = bytesOf(memory)
    for (const probes of [0, 5]) memory.query([1, 1], { k: 'all', probes })
    expect(bytesOf(memory)).toBe(before)
  })

  it('stays finite with keys of which some numbers are tiny', () => {
    const memory = create({ leafFactor: 1, rate: 100 })
    for (let i = 0; i < 40; i++) memory.insert([Math.sin(i), Math.cos(i), 1e-13, 1e-30, 1e-22], i)
    const key = [1, 2, 1e-13, 1e-30, 1e-22]
    for (let i = 0; i < 20; i++) for (const hit of memory.query(key, { k: 3, explore: 0.5 })) memory.update(hit, i % 2)
    const hits = memory.query([1, 2, 3, 4, 5], { k: 'all', probes: 1000 })
    expect(hits.length).toBe(40)
    for (const { score } of hits) expect(score).toBeGreaterThanOrEqual(0)
  })

  it('tells what its trees look like', () => {
    const memory = create({ leafFactor: 1 })
    for (const key of drawnRows(5, 50)) memory.insert(key, 1)
    const { memories, features, rewards, routerBytes, trees } = memory.stats()
    expect([memories, features, rewards]).toEqual([50, 200, 0])
    expect(routerBytes).toBeGreaterThan(0)
    const [{ leaves, depth, meanDepth, balance }] = trees
    expect(leaves).toBeGreaterThan(50 / Math.log(50))
    expect(depth).toBeGreaterThanOrEqual(Math.ceil(Math.log2(leaves)))
    expect(meanDepth).toBeLessThanOrEqual(depth)
    expect(balance > 0 && balance <= 0.5).toBe(true)
  })
})
