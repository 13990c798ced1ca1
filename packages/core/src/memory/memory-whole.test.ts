// A memory stays whole: whatever its callers' functions do, and where room runs out in the midst of a change.

import { afterAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import type { Learner } from './learning/learner.ts'
import { bytesOf, clock } from './memory.cases.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

const refusal = 'callbacks must not modify the memory'

function filled(options: Parameters<typeof MemoryTree.create>[0] = {}, count = 40): MemoryTree {
  const memory = MemoryTree.create({ engine, clock, leafFactor: 1, ...options })
  const random = new Random(3)
  for (let i = 0; i < count; i++) memory.insert(words(random), i)
  return memory
}

function words(random: Random, count = 8): string {
  return Array.from({ length: count }, () => `w${random.below(5000)}`).join(' ')
}

describe('a memory is not changed', () => {
  it.each<[string, (memory: MemoryTree, change: () => void) => void]>([
    ['a filter', (memory, change) => memory.query('w1 w2', { filter: () => change() === undefined })],
    ['a reward', (memory, change) => memory.learn('w1 w2', () => Number(change()))],
  ])('within %s', (_, call) => {
    const memory = filled()
    const before = bytesOf(memory)
    const [hit] = memory.query('w1')
    for (const change of [
      () => memory.remove(0),
      () => memory.insert('w1', 1),
      () => memory.update(hit, 1),
      () => memory.learn('w1', () => 1),
      () => memory.reroute(),
    ]) {
      expect(() => call(memory, change)).toThrow(refusal)
    }
    expect([bytesOf(memory), memory.check()]).toEqual([before, []])
    memory.insert('w1', 'and goes on')
    memory.free()
  })

  it('nor asked within a learner, in the midst of a change', () => {
    const asking: Learner = {
      name: 'asking',
      gradient: (sum, target) => {
        memory.query('w1')
        return sum - target
      },
    }
    const memory = MemoryTree.create({ engine, clock, leafFactor: 1, learner: asking })
    memory.insert('w1', 1)
    expect(() => {
      for (let i = 0; i < 20; i++) memory.insert(`w${i}`, i)
    }).toThrow(refusal)
    expect(memory.check()).toEqual([])
    memory.free()
  })

  it('by a learner that gives no number', () => {
    const wrong: Learner = { name: 'wrong', gradient: sum => (sum > 0.5 ? Number.NaN : -1) }
    const memory = MemoryTree.create({ engine, clock, leafFactor: 1, learner: wrong })
    const random = new Random(5)
    let refused = 0
    for (let i = 0; i < 60; i++) {
      const before = memory.size
      try {
        memory.insert(words(random, 3), i)
      } catch (error) {
        expect(error).toMatchObject({
          code: 'INVALID_OPTION',
          message: "the learner 'wrong' returned the gradient NaN, expected a finite number",
        })
        expect(memory.size).toBe(before)
        refused++
      }
      expect(memory.check()).toEqual([])
    }
    expect(refused).toBeGreaterThan(5)
    const copy = MemoryTree.fromContents(memory.contents(), { engine, clock, learner: wrong })
    expect(copy.size).toBe(memory.size)
    copy.free()
    memory.free()
  })
})

describe('where room runs out', () => {
  it.each([1, 2, 3, 4, 5, 6])('what is stored stays findable, and can be saved: %d MiB more', more => {
    const small = new Engine({ maxBytes: (2 + more / 2) * 2 ** 20 })
    const memory = MemoryTree.create({
      engine: small,
      leafFactor: 1,
      trees: 1 + (more % 2),
      capacity: more === 6 ? 3000 : 0,
    })
    const random = new Random(more)
    const stored: [id: number, key: string][] = []
    let failure: unknown
    for (let i = 0; i < 20_000 && !failure; i++) {
      const key = words(random)
      try {
        memory.insert(key, i, { id: i })
        stored.push([i, key])
      } catch (error) {
        failure = error
        expect(memory.get(i)).toBeUndefined()
      }
    }
    expect(failure).toMatchObject({ code: 'OUT_OF_MEMORY' })
    expect(memory.check()).toEqual([])
    const kept = more === 6 ? stored.slice(-memory.size) : stored
    expect(memory.size).toBe(kept.length)
    for (const [id, key] of kept.slice(0, 50)) expect(memory.get(id)?.key).toBe(key)
    const copy = MemoryTree.fromContents(memory.contents(), { engine, clock })
    expect(copy.check()).toEqual([])
    copy.free()
    memory.free()
  })
})

describe('a learner of one’s own', () => {
  it.each(['logistic', '', undefined])('needs a name that is its own: %j', name => {
    const learner = { name, gradient: () => 0 } as unknown as Learner // to be refused
    expect(() => MemoryTree.create({ engine, clock, learner })).toThrow(EngineError)
  })
})

describe('a capacity', () => {
  it('lets go what is judged again and again, and never helps', () => {
    const memory = MemoryTree.create({ engine, clock, capacity: 50 })
    const random = new Random(2)
    memory.insert('the bad one', 'bad', { id: 'bad' })
    memory.insert('the good one', 'good', { id: 'good' })
    for (let i = 0; i < 200; i++) {
      memory.insert(words(random), i)
      for (const [id, reward] of [['bad', 0], ['good', 1]] as const) // biome-ignore format: pairs
        if (i % 20 === 0 && memory.get(id)) memory.update({ id, query: { key: words(random) } }, reward)
    }
    expect([memory.get('bad'), memory.get('good')?.value]).toEqual([undefined, 'good'])
    memory.free()
  })
})
