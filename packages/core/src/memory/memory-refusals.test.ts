// What a memory refuses, with the error's code and text; and that it is the same memory afterwards, to the byte.

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { EngineError, shown } from '../errors.ts'
import { Engine } from '../kernels/engine.ts'
import type { Json } from '../store/json.ts'
import { bytesOf, clock, drawnRows } from './memory.cases.ts'
import type { MemoryKey } from './memory-key.ts'
import type { MemoryOptions } from './memory-options.ts'
import type { MemoryQueryOptions, Rewarded } from './memory-query.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

let memory: MemoryTree
const keys = drawnRows(1, 30).map(({ values }) => [...values])
beforeEach(() => {
  memory = MemoryTree.create({ engine, clock, leafFactor: 1, capacity: 30, duplicates: 'merge' })
  for (const [i, key] of keys.entries()) memory.insert(key, i, { id: `m${i}` })
  return () => memory.free()
})

/** What `call` is refused with, once it is sure that it changed nothing. */
function refusal(call: () => unknown): [string, string] {
  const before = bytesOf(memory)
  const used = engine.arena.usedBytes
  try {
    call()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    expect(bytesOf(memory)).toBe(before)
    expect(engine.arena.usedBytes).toBe(used)
    expect(memory.check()).toEqual([])
    return [error.code, error.message]
  }
  throw new Error('it was not refused')
}

// Callers without types may give anything.
const anyKey = (key: unknown) => key as MemoryKey
const anyHit = (hit: unknown) => hit as Rewarded

describe('creating refuses', () => {
  it.each([
    [{ balance: 1.1 }, 'INVALID_OPTION', 'balance is 1.1, expected a number from 0 to 1'],
    [{ balance: Number.NaN }, 'INVALID_OPTION', 'balance is NaN, expected a number from 0 to 1'],
    [{ leafFactor: 0 }, 'INVALID_OPTION', 'leafFactor is 0, expected a number above 0'],
    [{ rate: 0 }, 'INVALID_OPTION', 'rate is 0, expected a number above 0 and at most 100'],
    [{ rate: '1' }, 'INVALID_OPTION', "rate is '1', expected a number above 0 and at most 100"],
    [{ reroutes: -1 }, 'INVALID_OPTION', 'reroutes is -1, expected a whole number from 0 to 1000'],
    [{ reroutes: 1.5 }, 'INVALID_OPTION', 'reroutes is 1.5, expected a whole number from 0 to 1000'],
    [{ trees: 0 }, 'INVALID_OPTION', 'trees is 0, expected a whole number from 1 to 64'],
    [{ trees: 65 }, 'INVALID_OPTION', 'trees is 65, expected a whole number from 1 to 64'],
    [{ capacity: -1 }, 'INVALID_OPTION', 'capacity is -1, expected a whole number from 0 to 4294967295'],
    [{ seed: 0.5 }, 'INVALID_OPTION', 'seed is 0.5, expected a whole number from 0 to 9007199254740991'],
    [{ text: { stemer: 'english' } }, 'UNKNOWN_NAME', 'unknown option "stemer"'],
    [{ duplicates: 'drop' }, 'UNKNOWN_NAME', "duplicates is 'drop', expected one of keep, merge"],
    [{ learner: 'hinge' }, 'UNKNOWN_NAME', "learner is 'hinge', expected 'logistic', 'squared' or your own learner"],
    [{ text: 'words' }, 'INVALID_OPTION', "text is 'words', expected an object of text options"],
    [{ text: { hashBits: 99 } }, 'INVALID_OPTION', 'hashBits is 99, expected a whole number from 0 to 24'],
    [{ leaves: 3 }, 'UNKNOWN_NAME', 'unknown option "leaves"'],
  ])('%j', (options, code, message) => {
    expect(refusal(() => MemoryTree.create({ ...(options as MemoryOptions), engine }))).toEqual([code, message])
  })
})

describe('insert refuses', () => {
  const cyclic: { self?: unknown } = {}
  cyclic.self = cyclic

  it.each([
    ['undefined', undefined, 'the value is undefined, which JSON cannot hold'],
    ['a function', () => 1, 'the value: "value" is Function, which JSON cannot hold'],
    ['NaN', Number.NaN, 'the value: "value" is NaN, which JSON cannot hold'],
    ['a BigInt', { a: 1n }, 'the value: "a" is BigInt, which JSON cannot hold'],
  ])('a value that is %s', (_, value, message) => {
    expect(refusal(() => memory.insert(keys[0], value as Json))).toEqual(['INVALID_OPTION', message])
  })

  it('a value that is a part of itself', () => {
    const [code, message] = refusal(() => memory.insert(keys[0], cyclic as Json))
    expect([code, message.split('\n')[0]]).toEqual(['INVALID_OPTION', expect.stringContaining('cannot be written as JSON: TypeError')]) // biome-ignore format: one line
  })

  it('an id that is taken, also that of the memory which would go', () => {
    for (const id of ['m0', 'm7']) {
      const message = `the id "${id}" already exists`
      expect(refusal(() => memory.insert([1, 2, 3, 4], 1, { id }))).toEqual(['BAD_DATA', message])
    }
  })

  it('another id for what is there already', () => {
    const message = 'the memory "m3" has this key and value already'
    expect(refusal(() => memory.insert(keys[3], 3, { id: 'new' }))).toEqual(['BAD_DATA', message])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, null, true, {}])('the id %s', id => {
    const message = `id is ${shown(id)}, expected a string or a finite number`
    expect(refusal(() => memory.insert([1, 2, 3, 4], 1, { id: id as number }))).toEqual(['INVALID_OPTION', message])
  })
})

const badKeys: [string, unknown, string, string][] = [
  ['a text among vectors', 'red', 'BAD_DATA', "the key is a text, this memory's keys are dense"],
  ['of other dimensions', [1, 2], 'DIMENSION_MISMATCH', 'the key has 2 numbers, the keys of this memory have 4'],
  ['NaN', [1, 2, 3, Number.NaN], 'BAD_DATA', 'number 3 of the key is NaN, expected a finite number'],
  ['nothing', null, 'BAD_DATA', 'the key is null, expected a text or a vector'],
]

describe.each(badKeys)('a key that is %s', (_, key, code, message) => {
  it('is refused by insert, query, update and learn', () => {
    expect(refusal(() => memory.insert(anyKey(key), 1))).toEqual([code, message])
    expect(refusal(() => memory.query(anyKey(key), { explore: 1 }))).toEqual([code, message])
    expect(refusal(() => memory.update(anyHit({ id: 'm0', query: { key } }), 1))).toEqual([code, message])
    expect(refusal(() => memory.learn(anyKey(key), () => 1))).toEqual([code, message])
  })
})

describe('a key without features', () => {
  it('is refused by insert, update and learn, and no memory is like it', () => {
    const refused = ['BAD_DATA', 'the key has no features, so it cannot be compared']
    const key = [0, 0, 0, 0]
    expect(refusal(() => memory.insert(key, 1))).toEqual(refused)
    expect(refusal(() => memory.update(anyHit({ id: 'm0', query: { key } }), 1))).toEqual(refused)
    expect(refusal(() => memory.learn(key, () => 1))).toEqual(refused)
    expect(memory.query(key)).toEqual([])
    expect(memory.query(key, { explore: 1, k: 'all' })).toEqual([])
    expect(refusal(() => memory.query(key, { k: 0 }))[0]).toBe('INVALID_OPTION')
  })

  it.each(['', '???', ' … !', '🙂'])('finds nothing: %j', key => {
    const texts = MemoryTree.create({ engine, clock })
    expect(texts.query(key)).toEqual([])
    texts.insert('the red door', 1)
    expect(texts.query(key, { k: 'all' })).toEqual([])
    expect(() => texts.insert(key, 2)).toThrow('the key has no features')
    texts.free()
  })
})

describe('query refuses', () => {
  it.each([
    [{ k: 0 }, 'INVALID_OPTION', "k is 0, expected a whole number from 1 to 4294967296, or 'all'"],
    [{ k: 1.5 }, 'INVALID_OPTION', "k is 1.5, expected a whole number from 1 to 4294967296, or 'all'"],
    [{ k: 'some' }, 'INVALID_OPTION', "k is 'some', expected a whole number from 1 to 4294967296, or 'all'"],
    [{ probes: -1 }, 'INVALID_OPTION', 'probes is -1, expected a whole number from 0 to 1000'],
    [{ explore: 1.5 }, 'INVALID_OPTION', 'explore is 1.5, expected a number from 0 to 1'],
    [{ explore: Number.NaN }, 'INVALID_OPTION', 'explore is NaN, expected a number from 0 to 1'],
    [{ minScore: -0.1 }, 'INVALID_OPTION', 'minScore is -0.1, expected a number from 0 to 1'],
    [
      { filter: 'all' },
      'INVALID_OPTION',
      "filter is 'all', expected a Set or list of ids, or a function of value, id and metadata",
    ],
    [{ filter: [1, null] }, 'INVALID_OPTION', 'an id of filter is null, expected a string or a finite number'],
    [{ namespace: '' }, 'INVALID_OPTION', "namespace is '', expected a string that is not empty"],
    [{ depth: 1 }, 'UNKNOWN_NAME', 'unknown option "depth"'],
  ])('%j', (options, code, message) => {
    expect(refusal(() => memory.query(keys[0], options as MemoryQueryOptions))).toEqual([code, message])
  })
})

const badRewards = [-0.1, 1.1, Number.NaN, Number.POSITIVE_INFINITY, '1', undefined, null]

it('an async filter or reward is refused, not taken for a yes or a number', () => {
  const message = (what: string) => `${what} returned a promise, expected a plain value`
  const filter = (async () => false) as unknown as () => boolean
  const rewardOf = (async () => 1) as unknown as () => number
  expect(refusal(() => memory.query(keys[0], { filter }))).toEqual(['INVALID_OPTION', message('filter')])
  expect(refusal(() => memory.learn(keys[0], rewardOf))).toEqual(['INVALID_OPTION', message('reward')])
})

describe('update refuses', () => {
  it.each(badRewards)('a reward of %s', reward => {
    const [hit] = memory.query(keys[0], { explore: 1 })
    const message = `reward is ${shown(reward)}, expected a number from 0 to 1`
    expect(refusal(() => memory.update(hit, reward as number))).toEqual(['INVALID_OPTION', message])
  })

  it('an id that is not there', () => {
    const message = 'there is no memory with the id "gone"'
    expect(refusal(() => memory.update({ id: 'gone', query: { key: keys[0] } }, 1))).toEqual(['UNKNOWN_NAME', message])
  })

  it('a hit that was removed in the meantime', () => {
    const [hit] = memory.query(keys[0])
    memory.remove(hit.id)
    const message = `there is no memory with the id "${hit.id}"`
    expect(refusal(() => memory.update(hit, 1))).toEqual(['UNKNOWN_NAME', message])
  })

  it.each([[undefined], [null], [{ id: 'm0' }], [{ id: 'm0', query: {} }], ['m0']])(
    '%j, which is no hit of a query',
    hit => {
      expect(refusal(() => memory.update(anyHit(hit), 1))).toEqual([
        'INVALID_OPTION',
        'update() needs a hit from query()',
      ])
    },
  )

  it('a side that no node has', () => {
    const explored = { tree: 0, node: 0, side: 'up' }
    const message = "the explored side is 'up', expected one of left, right, leaf"
    expect(refusal(() => memory.update(anyHit({ id: 'm0', query: { key: keys[0], explored } }), 1))).toEqual(['UNKNOWN_NAME', message]) // biome-ignore format: one line
  })
})

describe('learn refuses', () => {
  it.each(badRewards)('a reward of %s, wherever it comes', reward => {
    const message = `reward is ${shown(reward)}, expected a number from 0 to 1`
    for (const good of [0, 1, 2]) {
      let asked = 0
      const rewardOf = () => (asked++ < good ? 1 : (reward as number)) // callers without types may give anything
      expect(refusal(() => memory.learn(keys[0], rewardOf))).toEqual(['INVALID_OPTION', message])
    }
  })
})

it('reroute refuses a number of times that is none', () => {
  const message = 'times is -1, expected a whole number from 0 to 4294967296'
  expect(refusal(() => memory.reroute(-1))).toEqual(['INVALID_OPTION', message])
})
