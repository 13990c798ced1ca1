// Keys with a text and a vector: both count, each as much as rewards say.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { bytesOf, clock } from './memory.cases.ts'
import type { HybridKey } from './memory-key.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

const dims = 9

function hybrid(random: Random): HybridKey {
  const text = Array.from(random.sample(25, 4), i => `word${i}`).join(' ')
  return { text, vector: Array.from({ length: dims }, (_, j) => (j === 3 ? 0 : random.normal())) }
}

/** Readable: the mean of the two cosines. */
function similarity(a: HybridKey, b: HybridKey): number {
  const words = new Set(a.text.split(' '))
  const shared = b.text.split(' ').filter(word => words.has(word)).length / 4
  const dot = (x: ArrayLike<number>, y: ArrayLike<number>) => Array.from(x).reduce((sum, one, j) => sum + one * y[j], 0)
  const cosine = dot(a.vector, b.vector) / Math.sqrt(dot(a.vector, a.vector) * dot(b.vector, b.vector))
  return (shared + cosine) / 2
}

describe('a memory of texts with vectors', () => {
  it.each(['index', 'both'] as const)('finds the nearest by the mean of both cosines (%s)', retrieval => {
    fc.assert(
      fc.property(fc.nat(1000), fc.array(fc.nat(80), { maxLength: 30 }), (seed, removed) => {
        const random = new Random(seed)
        const memory = MemoryTree.create({ engine, clock, retrieval, reroutes: 1 })
        const keys = Array.from({ length: 80 }, () => hybrid(random))
        for (const [id, key] of keys.entries())
          memory.insert(key, id, { id, namespace: id % 4 === 0 ? 'other' : 'own' })
        for (const id of removed) memory.remove(id)
        expect(memory.check()).toEqual([])
        const query = hybrid(random)
        const hits = memory.query(query, { k: 10, namespace: 'own' })
        const passing = keys.flatMap((key, id) => (memory.get(id) && id % 4 !== 0 ? [similarity(query, key)] : []))
        const best = passing.sort((a, b) => b - a).slice(0, 10)
        expect(hits.every(({ namespace }) => namespace === 'own')).toBe(true)
        expect(hits.map(({ id }) => similarity(query, keys[Number(id)]))).toEqual(
          best.map(one => expect.closeTo(one, 5)),
        )
        hits.forEach(({ distance }, i) => {
          expect(distance).toBeCloseTo(Math.sqrt(Math.max(0, 2 - 2 * best[i])), 3)
        })
        memory.free()
      }),
      { numRuns: 20 },
    )
  })

  it('finds by a new word at once, and by the vector where no word is shared', () => {
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 50; i++) memory.insert({ text: `note ${i}`, vector: [1, i / 50, 0] }, i)
    memory.insert({ text: 'zyzzyva', vector: [0, 0, 1] }, 'new')
    expect(memory.query({ text: 'zyzzyva', vector: [1, 1, 1] })[0].value).toBe('new')
    expect(memory.query({ text: 'something else', vector: [0, 0.1, 1] })[0].value).toBe('new')
    memory.free()
  })

  it.each([
    ['text', 0.3],
    ['vector', 0.3],
  ] as const)('learns from rewards that the %s is what counts', (telling, floor) => {
    const random = new Random(5)
    const center = (topic: number) => Array.from({ length: 4 }, (_, j) => Number(j === topic))
    /** One part tells the topic, the other one is of a random topic. */
    const draw = () => {
      const [topic, other] = [random.below(4), random.below(4)]
      const [inText, inVector] = telling === 'text' ? [topic, other] : [other, topic]
      return { topic, key: { text: `topic${inText}`, vector: center(inVector) } }
    }
    const memory = MemoryTree.create({ engine, clock, retrieval: 'index' })
    for (let i = 0; i < 40; i++) {
      const { topic, key } = draw()
      memory.insert(key, { topic, i })
    }
    const right = () => {
      const asked = Array.from({ length: 200 }, draw)
      const hits = asked.filter(
        ({ topic, key }) => (memory.query(key, { k: 1 })[0].value as { topic: number }).topic === topic,
      )
      return hits.length / asked.length
    }
    const before = right()
    for (let i = 0; i < 400; i++) {
      const { topic, key } = draw()
      memory.learn(key, value => Number((value as { topic: number }).topic === topic))
    }
    expect(right()).toBeGreaterThan(Math.min(0.97, before + floor * (1 - before)))
    memory.free()
  })

  it('is the same after it was saved and loaded, and lists keys that can be inserted again', () => {
    const random = new Random(2)
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 60; i++) memory.insert(hybrid(random), i)
    for (let i = 0; i < 20; i++) memory.update(memory.query(hybrid(random))[0], i % 2)
    const again = MemoryTree.fromContents(memory.contents(), { engine, clock })
    const query = hybrid(random)
    expect(again.query(query)).toEqual(memory.query(query))
    expect(bytesOf(again)).toBe(bytesOf(memory))
    const [copy, plain] = [MemoryTree.create({ engine, clock }), MemoryTree.create({ engine, clock })]
    for (const { key, value } of memory.list({ order: 'oldest', limit: 60 })) {
      copy.insert(key, value)
      plain.insert(
        JSON.parse(JSON.stringify(key, (_, one) => (one instanceof Float32Array ? Array.from(one) : one))),
        value,
      )
    }
    expect(bytesOf(copy)).toBe(bytesOf(plain))
    expect(copy.list({ order: 'oldest' })[7].key).toEqual(memory.list({ order: 'oldest' })[7].key)
    for (const one of [memory, again, copy, plain]) one.free()
  })

  it('explains by words and by numbers of the vector, in parts that add up', () => {
    const memory = MemoryTree.create({ engine, clock })
    memory.insert({ text: 'the red door', vector: [1, 0, 1] }, 1)
    const [hit] = memory.query({ text: 'a red door', vector: [1, 1, 0] })
    memory.update(hit, 1)
    const { base, shared, support, opinions, logOdds } = memory.explain(hit)
    expect(shared.map(({ feature }) => feature)).toEqual(expect.arrayContaining(['red', 'door']))
    const parts = [base, support, ...shared.map(({ part }) => part), ...opinions.map(({ part }) => part)]
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(logOdds, 5)
    memory.free()
  })

  it('explains that nothing was learned before the first reward, and names numbers of the vector as they were given', () => {
    const memory = MemoryTree.create({ engine, clock })
    memory.insert({ text: 'the red door', vector: [0, 3, 4] }, 1)
    const [hit] = memory.query({ text: 'a red door', vector: [0, 1, 0] })
    const { shared, learned } = memory.explain(hit)
    expect(learned).toBe(0)
    expect(shared.map(({ learned }) => learned)).toEqual(shared.map(() => 0))
    expect(shared.find(({ feature }) => feature === 1)?.part).toBeCloseTo(6 * 0.5 * 0.6, 5)
    expect(shared.every(({ feature }) => typeof feature === 'string' || feature < 3)).toBe(true)
    memory.update(hit, 1)
    expect(memory.explain(hit).learned).toBeGreaterThan(0)
    memory.free()
  })

  it('refuses other keys, and parts that say nothing', () => {
    const memory = MemoryTree.create({ engine, clock })
    memory.insert({ text: 'door', vector: [1, 2] }, 1)
    expect(() => memory.insert('door', 2)).toThrow("the key is a text, this memory's keys are texts with vectors")
    expect(() => memory.query([1, 2])).toThrow("the key is dense, this memory's keys are texts with vectors")
    expect(() => memory.query({ text: 'door', vector: [1] })).toThrow('the key has 1 numbers')
    for (const key of [
      { text: '', vector: [1, 2] },
      { text: 'door', vector: [0, 0] },
    ]) {
      expect(() => memory.insert(key, 2)).toThrow('no features')
      expect(memory.query(key)).toEqual([])
    }
    expect(() => memory.query({ text: '', vector: [1, Number.NaN] })).toThrow('number 1 of the key is NaN')
    expect(() => memory.query({ text: 'door', vector: [1, Number.NaN] })).toThrow('number 1 of the key is NaN')
    expect(() => memory.query({ text: 5, vector: [1, 2] } as never)).toThrow('expected a text or a vector')
    memory.free()
  })
})
