import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import { clock } from '../memory.cases.ts'
import { MemoryTree } from '../memory-tree.ts'

const engine = new Engine()
const none = new Uint8Array(0)
// The fewest for which a forest is grown.
const [count, dims, users] = [10_500, 400, 20]
const random = new Random(1)
const centers = Array.from({ length: 300 }, () => Float32Array.from({ length: dims }, () => random.normal()))
/** With a few zeros. */
const drawn = () =>
  (centers[random.below(centers.length)] as Float32Array).map(x => (random.below(100) ? x + 0.5 * random.normal() : 0))
const vectors = Array.from({ length: count }, drawn)
const questions = Array.from({ length: 100 }, drawn)

function filled(): MemoryTree<{ user: number }> {
  const memory = MemoryTree.create<{ user: number }>({ engine, clock, retrieval: 'index' })
  for (const [id, vector] of vectors.entries()) memory.insert(vector, { user: id % users }, { id })
  return memory
}

describe('dense keys, once there are many', () => {
  /** Alike; a forest was grown of the second. */
  let [exact, grown]: MemoryTree<{ user: number }>[] = []
  beforeAll(async () => {
    ;[exact, grown] = [filled(), filled()]
    await grown?.settled()
    exact?.free()
    exact = filled() // its forest is not grown before the tests await something
  }, 180_000)
  afterAll(() => engine.close())

  it('are found by a forest, nearly all of them', () => {
    expect([exact?.stats().forests, grown?.stats().forests]).toEqual([0, 1])
    let same = 0
    for (const question of questions) {
      const truth = new Set(exact?.query(question, { k: 10 }).map(({ id }) => id))
      same += grown?.query(question, { k: 10 }).filter(({ id }) => truth.has(id)).length ?? 0
    }
    expect(same / (10 * questions.length)).toBeGreaterThan(0.95) // measured: see the bench
  })

  it('fill k though a filter lets few pass, and leak none', () => {
    const own = (user: number) => (value: { user: number }) => value.user === user
    for (const [i, question] of questions.slice(0, users).entries()) {
      const hits = grown?.query(question, { k: 5, filter: own(i) }) ?? []
      expect(hits.map(({ value }) => value.user)).toEqual(Array(5).fill(i))
    }
    const rare = grown?.query(questions[0] as Float32Array, { k: 5, filter: (_, id) => Number(id) > count - 4 })
    expect(rare).toHaveLength(3)
    expect(grown?.query(questions[0] as Float32Array, { k: 'all' })).toHaveLength(count)
    expect(grown?.query(questions[0] as Float32Array, { namespace: 'other' })).toEqual([])
  })

  it('teach the same, whether a forest was grown or not: a log can be replayed', () => {
    const asked = vi.spyOn(ForestIndex.prototype, 'search')
    const rewardOf = ({ user }: { user: number }) => user / users
    for (const memory of [exact, grown]) {
      for (const question of questions) memory?.learn(question, rewardOf)
      for (const id of [5, 50]) memory?.update({ id, query: { key: questions[0] as Float32Array } }, 1)
    }
    expect(Buffer.compare(grown?.toBytes() ?? none, exact?.toBytes() ?? none)).toBe(0)
    expect(asked).not.toHaveBeenCalled()
    grown?.query(questions[0] as Float32Array)
    expect(asked).toHaveBeenCalledOnce()
    asked.mockRestore()
  })

  it('are forgotten and found at once, also by the forest', () => {
    const [question] = questions as [Float32Array]
    for (let i = 0; i < 50; i++) {
      const [best] = grown?.query(question, { k: 1 }) ?? []
      grown?.remove(best?.id ?? -1)
      expect(grown?.query(question, { k: 20 }).map(({ id }) => id)).not.toContain(best?.id)
    }
    grown?.insert(question, { user: 0 }, { id: 'new' })
    expect(grown?.query(question)[0]).toMatchObject({ id: 'new' })
    expect(grown?.check()).toEqual([])
  })

  it('give their memory back, also while a forest grows', async () => {
    const own = new Engine()
    const memory = MemoryTree.create({ engine: own, clock, retrieval: 'index' })
    for (const [id, vector] of vectors.entries()) memory.insert(vector, id, { id })
    const settled = memory.settled()
    memory.free()
    await settled
    await new Promise(resume => setTimeout(resume, 50))
    expect(own.arena.usedBytes).toBe(0)
    own.close()
  })
})
