// What an application expects of a memory beside queries: typed values, metadata, times, listing, changing, explaining.

import { afterAll, describe, expect, expectTypeOf, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { bytesOf } from './memory.cases.ts'
import { retrievals } from './memory-options.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

interface Note {
  readonly title: string
  readonly stars?: number
}

let now = 1000
const clock = () => now
const create = (options = {}) => MemoryTree.create<Note>({ engine, clock, ...options })
const idsOf = (list: readonly { readonly id: unknown }[]) => list.map(({ id }) => id)

describe('a memory of notes', () => {
  it('is typed by its values, interfaces included', () => {
    const memory = create()
    memory.insert('the red door', { title: 'door' })
    const [hit] = memory.query('red', { filter: value => value.title === 'door' })
    expectTypeOf(hit.value).toEqualTypeOf<Note>()
    expectTypeOf(memory.get(0)).toEqualTypeOf<ReturnType<typeof memory.list>[number] | undefined>()
    expect(hit.value.title).toBe('door')
  })

  it('says of a hit what was stored, not what was asked', () => {
    now = 5000
    const memory = create()
    memory.insert('the red door', { title: 'door' }, { metadata: { from: 'chat' }, namespace: 'anna' })
    const [hit] = memory.query('which door?', { namespace: 'anna' })
    memory.update(hit, 1)
    memory.update(hit, 0.5)
    const [again] = memory.query('which door?', { namespace: 'anna' })
    expect(again).toMatchObject({
      ...{ text: 'the red door', metadata: { from: 'chat' }, namespace: 'anna', createdAt: 5000 },
      ...{ reward: 0.75, rewards: 2, query: { key: 'which door?' } },
    })
  })

  it('takes over what another memory knew of it, to the last bit', () => {
    const [memory, other] = [create(), create()]
    const random = new Random(3)
    for (let id = 0; id < 200; id++) {
      now = 1000 + id
      memory.insert(`note ${id}`, { title: `${id}` }, { id })
      const { key } = memory.get(id) ?? { key: '' }
      for (let i = 0; i < id % 9; i++) memory.update({ id, query: { key } }, random.float())
    }
    for (const { key, value, ...facts } of memory.memories()) other.insert(key as string, value, facts)
    expect([...other.memories()]).toEqual([...memory.memories()])
    expect(() => other.insert('a', { title: 'a' }, { reward: 0.5 })).toThrow('rewards is 0, but reward is 0.5')
    expect(() => other.insert('a', { title: 'a' }, { rewards: 2 })).toThrow('rewards is 2, but reward is null')
    expect(() => other.insert('a', { title: 'a' }, { rewards: 2, reward: 2 })).toThrow('2')
    expect(() => other.insert('a', { title: 'a' }, { rewards: 0.5, reward: 1 })).toThrow('rewards is 0.5')
    other.upsert('note 8', { title: 'again' }, { id: 8, rewards: 1, reward: 1, createdAt: 7 })
    expect(other.get(8)).toMatchObject({ rewards: 1, reward: 1, createdAt: 7 })
  })

  it('gives memories back in the order they came', () => {
    const memory = create()
    for (let id = 0; id < 50; id++) memory.insert(`note ${id}`, { title: `${id}` }, { id })
    for (const id of [3, 17, 0]) memory.remove(id)
    const ids = idsOf([...memory.memories()])
    expect(ids).toEqual(Array.from({ length: 50 }, (_, id) => id).filter(id => ![3, 17, 0].includes(id)))
  })

  it('shows a filter the metadata', () => {
    const memory = create()
    memory.insert('a red door', { title: 'a' }, { metadata: { from: 'mail' } })
    memory.insert('a red door', { title: 'b' }, { metadata: { from: 'chat' } })
    memory.insert('a red door', { title: 'c' })
    const hits = memory.query('door', { filter: (_, __, metadata) => metadata?.from === 'chat' })
    expect(hits.map(({ value }) => value.title)).toEqual(['b'])
  })

  it('lists and counts, in an order, page by page', () => {
    const memory = create()
    for (let i = 0; i < 10; i++) {
      now = 1000 + i
      memory.insert(`note ${i}`, { title: `${i}` }, { id: i, namespace: i % 2 === 0 ? 'even' : 'odd' })
    }
    const [hit] = memory.query('note 3', { namespace: 'odd', filter: [3] })
    memory.update(hit, 1)
    expect(idsOf(memory.list())).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
    expect(idsOf(memory.list({ order: 'oldest', limit: 3, offset: 2 }))).toEqual([2, 3, 4])
    expect(idsOf(memory.list({ order: 'reward', limit: 2 }))).toEqual([3, 9])
    expect(idsOf(memory.list({ namespace: 'even', filter: value => value.title > '4' }))).toEqual([8, 6])
    expect(memory.list({ namespace: null })).toEqual(memory.list().filter(one => one.namespace === undefined))
    expect(memory.count({ namespace: null })).toBe(memory.list({ namespace: null }).length)
    expect(memory.count({ namespace: null })).toBeLessThan(memory.count())
    expect(idsOf(memory.list({ filter: [1, 2, 77] }))).toEqual([2, 1])
    expect([memory.count(), memory.count({ namespace: 'odd' }), memory.count({ filter: new Set([1, 4]) })]).toEqual([
      10, 5, 2,
    ])
    expect(memory.list({ offset: 10 })).toEqual([])
    expect(() => memory.list({ limit: 0 })).toThrow('limit is 0')
    expect(() => memory.list({ order: 'best' as never })).toThrow('order')
    expect(() => memory.count({ limit: 1 } as never)).toThrow('unknown option "limit"')
  })

  it('changes value and metadata without losing what was learned', () => {
    const memory = create()
    memory.insert('the red door', { title: 'old' }, { id: 'd', metadata: { a: 1 } })
    const [hit] = memory.query('red door')
    memory.update(hit, 1)
    const { score } = memory.query('red door')[0]
    memory.update('d', { value: { title: 'new' } })
    expect(memory.get('d')).toMatchObject({ value: { title: 'new' }, metadata: { a: 1 }, reward: 1, rewards: 1 })
    memory.update('d', { metadata: null })
    expect(memory.get('d')?.metadata).toBe(undefined)
    expect(memory.query('red door')[0].score).toBe(score)
    expect(() => memory.update('e', { value: { title: 'x' } })).toThrow('there is no memory with the id')
    expect(() => memory.update('d', { name: 'x' } as never)).toThrow('unknown option "name"')
    expect(() => memory.update('d', 1 as never)).toThrow('update() needs a hit')
    expect(memory.check()).toEqual([])
  })

  it('upserts: inserts, replaces, and keeps rewards and the time it came', () => {
    now = 1000
    const memory = create({ duplicates: 'merge' })
    expect(memory.upsert('the red door', { title: 'a' }, { id: 'd' })).toBe('d')
    memory.update(memory.query('red')[0], 1)
    now = 2000
    memory.upsert('the red door', { title: 'b' }, { id: 'd' })
    expect(memory.get('d')).toMatchObject({ value: { title: 'b' }, createdAt: 1000, rewards: 1 })
    memory.upsert('the blue window', { title: 'c' }, { id: 'd' })
    expect(memory.get('d')).toMatchObject({
      key: 'the blue window',
      value: { title: 'c' },
      createdAt: 1000,
      rewards: 1,
    })
    expect([memory.size, memory.query('window')[0].value.title, memory.check()]).toEqual([1, 'c', []])
    expect(() => memory.upsert('x', { title: 'x' }, {} as never)).toThrow('id is undefined')
  })

  it('keeps a memory in its namespace when it is upserted, and gives it to no other', () => {
    const memory = create({})
    memory.insert('the pin', { title: 'secret' }, { id: 'p', namespace: 'anna' })
    memory.upsert('the pin', { title: 'secret 2' }, { id: 'p' })
    memory.upsert('the new pin', { title: 'secret 3' }, { id: 'p', namespace: 'anna' })
    expect(() => memory.upsert('the pin', { title: 'mine' }, { id: 'p', namespace: 'bob' })).toThrow(
      'the memory "p" is in the namespace "anna", not in "bob"',
    )
    const titles = (namespace?: string) =>
      memory.query('pin', namespace === undefined ? {} : { namespace }).map(({ value }) => value.title)
    expect([titles(), titles('bob'), titles('anna')]).toEqual([[], [], ['secret 3']])
    memory.insert('the door', { title: 'open' }, { id: 'd' })
    expect(() => memory.upsert('the door', { title: 'mine' }, { id: 'd', namespace: 'bob' })).toThrow('no namespace')
  })

  it.each(retrievals)('forgets what expires, at once, with retrieval %s', retrieval => {
    now = 1000
    const memory = create({ retrieval, leafFactor: 1 })
    for (let i = 0; i < 40; i++) {
      memory.insert(`note ${i}`, { title: `${i}` }, { id: i, ...(i % 4 === 0 && { expiresAt: 2000 + i }) })
    }
    expect(memory.count()).toBe(40)
    now = 2020
    // 0, 4, …, 20 have expired; nothing has changed the memory since.
    expect([memory.count(), memory.get(4), memory.query('note 4', { k: 40 }).length]).toEqual([34, undefined, 34])
    expect(memory.query('note 4', { filter: [4, 20, 24] }).map(({ id }) => id)).toEqual([24])
    expect(memory.size).toBe(40)
    memory.insert('note 4', { title: 'new' }, { id: 4 })
    expect([memory.size, memory.get(4)?.value.title, memory.check()]).toEqual([35, 'new', []])
    memory.update(24, { expiresAt: null })
    memory.update(1, { expiresAt: 2021 })
    now = 9999
    memory.insert('one more', { title: 'x' })
    expect([memory.get(24)?.id, memory.get(1), memory.size]).toEqual([24, undefined, 32])
    expect(() => memory.insert('late', { title: 'x' }, { expiresAt: 9999 })).toThrow('which has passed')
  })

  it('says why a memory was a hit', () => {
    now = 1000
    const memory = create()
    memory.insert('the red door', { title: 'door' })
    memory.insert('the red window', { title: 'window' })
    const [hit] = memory.query('a red door')
    const before = memory.explain(hit)
    expect(before.shared.map(({ feature }) => feature).sort()).toEqual(['door', 'red'])
    expect(before).toMatchObject({ learned: 0, rewards: 0, reward: null, ageMs: 0 })
    expect(before.similarity).toBeCloseTo(2 / 3, 5)
    expect(before.score).toBe(hit.score)
    memory.update(hit, 1)
    now = 1500
    const after = memory.explain(hit)
    expect(after).toMatchObject({ rewards: 1, reward: 1, ageMs: 500 })
    expect(after.learned).toBeGreaterThan(0)
    expect(after.score).toBeGreaterThan(before.score)
  })

  it('is the same after it was saved and loaded', () => {
    now = 1000
    const memory = create()
    memory.insert('a', { title: 'a' }, { metadata: { x: [1, null] }, expiresAt: 3000 })
    memory.insert('b', { title: 'b' }, { createdAt: 17 })
    const again = MemoryTree.fromContents<Note>(memory.contents(), { engine, clock })
    expect(again.list()).toEqual(memory.list())
    expect(bytesOf(again as unknown as MemoryTree)).toBe(bytesOf(memory as unknown as MemoryTree))
    now = 3000
    expect(idsOf(again.list())).toEqual([1])
  })

  it('refuses times, metadata and clocks that are none', () => {
    const memory = create()
    const insert = (options: object) => () => memory.insert('a', { title: 'a' }, options)
    expect(insert({ expiresAt: 'soon' })).toThrow("expiresAt is 'soon', expected milliseconds since 1970")
    expect(insert({ createdAt: Number.NaN })).toThrow('createdAt is NaN')
    expect(insert({ metadata: [1] })).toThrow('metadata is')
    expect(insert({ metadata: { a: 1n } })).toThrow('metadata')
    expect(memory.size).toBe(0)
    const broken = MemoryTree.create({ engine, clock: () => Number.NaN })
    expect(() => broken.insert('a', 1)).toThrow('clock returned NaN')
    expect(() => MemoryTree.create({ engine, clock: 5 as never })).toThrow('clock is 5')
  })
})
