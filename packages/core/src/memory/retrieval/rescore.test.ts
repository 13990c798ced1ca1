// What near memories with the same value do for each other, and that queries give the scorer's best whatever k is.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { clock } from '../memory.cases.ts'
import { MemoryTree } from '../memory-tree.ts'
import { supportsOf } from './rescore.ts'

const engine = new Engine()
afterAll(() => engine.close())

describe('support', () => {
  it('is the share of other near memories with the same value, by the square of their similarity', () => {
    const near = [{ sum: 2 }, { sum: 1 }, { sum: 1 }]
    // 4 + 1 + 1 = 6
    expect(supportsOf(near, ['a', 'a', 'b'])).toEqual([1 / 6, 4 / 6, 0])
    expect(supportsOf(near, ['a', 'b', 'c'])).toEqual([0, 0, 0])
    expect(supportsOf([{ sum: 0 }, { sum: -1 }], ['a', 'a'])).toEqual([0, 0])
    expect(supportsOf([], [])).toEqual([])
  })
})

describe('memories without a value', () => {
  it('have nothing in common: a reward for one does not count for the others', () => {
    const memory = MemoryTree.create({ engine, clock })
    for (const key of ['bob likes green tea', 'anna likes red pens', 'the printer is broken']) memory.insert(key, null)
    const scores = () => new Map(memory.query('green tea', { k: 3 }).map(({ id, score }) => [id, score]))
    const [before, hit] = [scores(), memory.query('green tea', { k: 1 })[0]]
    expect(memory.query('green tea').map(({ support }) => support)).toEqual([0, 0, 0])
    for (let i = 0; i < 5; i++) memory.update(hit, 1)
    expect(scores().get(0)).toBeGreaterThan((before.get(0) ?? 0) + 0.1)
    for (const id of [1, 2]) expect(scores().get(id)).toBeLessThan((before.get(id) ?? 0) + 0.05)
    memory.update(0, { value: 'tea' }) // what was learned stays with the memory, and with it alone
    expect(scores().get(0)).toBeGreaterThan((before.get(0) ?? 0) + 0.1)
    for (const id of [1, 2]) expect(scores().get(id)).toBeLessThan((before.get(id) ?? 0) + 0.05)
  })
})

const words = Array.from({ length: 30 }, (_, i) => `word${i}`)
const textOf = (random: Random) => Array.from(random.sample(30, 4), i => words[i]).join(' ')

/** A memory of 3 values in which the first word of a query decides what is rewarded. */
function taught(seed: number, rewards: number): MemoryTree {
  const random = new Random(seed)
  const memory = MemoryTree.create({ engine, clock, retrieval: 'index' })
  for (let i = 0; i < 120; i++) memory.insert(textOf(random), random.below(3), { id: i })
  for (let i = 0; i < rewards; i++) {
    const text = textOf(random)
    const [hit] = memory.query(text, { k: 1 })
    memory.update(hit, Number(hit.value === Number(text.slice(4).split(' ')[0]) % 3))
  }
  return memory
}

describe('a memory that has learned', () => {
  it('gives the same best hits for every k, with and without a filter', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.constantFrom(0, 5, 200), (seed, rewards) => {
        const memory = taught(seed, rewards)
        const text = textOf(new Random(seed + 1))
        const odd = (_: unknown, id: unknown) => Number(id) % 2 === 1
        for (const options of [{}, { filter: odd }]) {
          const all = memory.query(text, { ...options, k: 'all' }).map(({ id, score }) => ({ id, score }))
          expect(all.map(({ score }) => score)).toEqual(all.map(({ score }) => score).sort((a, b) => b - a))
          for (const k of [1, 5, 16, 40]) {
            const some = memory.query(text, { ...options, k }).map(({ id, score }) => ({ id, score }))
            expect(some).toEqual(all.slice(0, k))
          }
        }
        memory.free()
      }),
      { numRuns: 30 },
    )
  })

  it('gives all k that reach minScore, also under a filter', () => {
    fc.assert(
      fc.property(fc.nat(500), fc.constantFrom(0, 200), fc.constantFrom(0.05, 0.2, 0.5), (seed, rewards, minScore) => {
        const memory = taught(seed, rewards)
        const text = textOf(new Random(seed + 1))
        const odd = (_: unknown, id: unknown) => Number(id) % 2 === 1
        for (const options of [{}, { filter: odd }]) {
          const all = memory.query(text, { ...options, k: 'all' }).filter(({ score }) => score >= minScore)
          for (const k of [3, 30]) {
            const some = memory.query(text, { ...options, k, minScore })
            expect(some.map(({ id }) => id)).toEqual(all.slice(0, k).map(({ id }) => id))
          }
        }
        memory.free()
      }),
      { numRuns: 30 },
    )
  })

  it('ranks by words that memories do not share with the query, if rewards say so', () => {
    const memory = MemoryTree.create({ engine, clock })
    memory.insert('the ferry leaves at noon', 'timetable')
    memory.insert('the ferry serves lunch', 'menu')
    const asked = 'ferry hungry'
    for (let i = 0; i < 20; i++) for (const hit of memory.query(asked)) memory.update(hit, Number(hit.value === 'menu'))
    expect(memory.query('hungry before the ferry leaves')[0].value).toBe('menu')
    expect(memory.query('when the ferry leaves at noon')[0].value).toBe('timetable')
    memory.free()
  })

  it('does not end below plain similarity when rewards are coin flips', () => {
    const random = new Random(4)
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 300; i++) memory.insert(`${textOf(random)} unique${i}`, i % 5, { id: i })
    for (let i = 0; i < 1500; i++) {
      const [hit] = memory.query(textOf(random), { k: 1 })
      memory.update(hit, random.below(2))
    }
    const found = Array.from(
      { length: 300 },
      (_, i) => memory.query(memory.get(i)?.key as string, { k: 1 })[0].id === i,
    )
    // Measured: 300.
    expect(found.filter(Boolean).length).toBeGreaterThan(290)
    memory.free()
  })

  it('explains a score by parts that add up to it', () => {
    const memory = taught(3, 300)
    for (const hit of memory.query('word1 word2 word7', { k: 20 })) {
      const { base, shared, support, opinions, logOdds, score } = memory.explain(hit)
      const parts = [base, support, ...shared.map(({ part }) => part), ...opinions.map(({ part }) => part)]
      expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(logOdds, 6)
      expect(1 / (1 + Math.exp(-logOdds))).toBeCloseTo(score, 6)
      expect(score).toBeCloseTo(hit.score, 5)
    }
    memory.free()
  })
})
