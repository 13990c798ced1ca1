// A memory that is packed in steps, with any changes between them: what comes out is the memory as it was before the first.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import type { Steps } from '../long-work.ts'
import { Random } from '../random.ts'
import type { ModelContents } from '../store/header.ts'
import { contentsInTurns } from '../store/saveable.ts'
import { clock } from './memory.cases.ts'
import { MemoryTree } from './memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** Only this test takes the steps one by one. */
function stepsOf(memory: MemoryTree): Steps<ModelContents> {
  return (memory as unknown as { contentSteps(): Steps<ModelContents> }).contentSteps()
}

/** Few words, or so many that routers are too large to be copied when they change. */
const vocabularies = [60, 4000] as const
const words = (random: Random, known = 60) => Array.from({ length: 5 }, () => `word${random.below(known)}`).join(' ')

/** Inserts, rewards, changes and removals, drawn. */
function change(memory: MemoryTree, random: Random, known = 60): void {
  const kind = random.float()
  const [hit] = memory.query(words(random, known), { k: 1 })
  if (kind < 0.4 || !hit)
    memory.insert(words(random, known), random.below(9), { namespace: ['a', 'b'][random.below(2)] ?? 'a' })
  else if (kind < 0.6) memory.remove(hit.id)
  else if (kind < 0.8) memory.update(hit, random.float())
  else if (kind < 0.9) memory.update(hit.id, { value: 'changed', metadata: { by: 'test' } })
  else memory.upsert(words(random, known), 'replaced', { id: hit.id })
}

describe('a memory packed in steps', () => {
  it.each(vocabularies)(
    'is the memory as it was at the first step, whatever changed between the others: %i words',
    known => {
      fc.assert(
        fc.property(fc.nat(1000), fc.integer({ min: 0, max: 400 }), fc.nat(8), (seed, before, between) => {
          const random = new Random(seed)
          const memory = MemoryTree.create({ engine, clock, trees: 2, leafFactor: 1, retrieval: 'both' })
          if (known > 60) for (let i = 0; i < before; i++) memory.insert(words(random, known), i)
          for (let i = 0; i < before; i++) change(memory, random, known)
          const expected = memory.contents()
          const steps = stepsOf(memory)
          let step = steps.next()
          while (!step.done) {
            for (let i = 0; i < between; i++) change(memory, random, known)
            step = steps.next()
          }
          expect(step.value).toEqual(expected)
          expect(memory.check()).toEqual([])
          memory.free()
        }),
        { numRuns: 12 },
      )
    },
  )

  it.each(vocabularies)('does not disturb another packing that began earlier or later: %i words', known => {
    const random = new Random(5)
    const memory = MemoryTree.create({ engine, clock, leafFactor: 1 })
    if (known > 60) for (let i = 0; i < 300; i++) memory.insert(words(random, known), i)
    for (let i = 0; i < 300; i++) change(memory, random, known)
    const wanted: ModelContents[] = []
    const packings: Steps<ModelContents>[] = []
    for (let i = 0; i < 3; i++) {
      wanted.push(memory.contents())
      packings.push(stepsOf(memory))
      packings[i]?.next()
      for (let j = 0; j < 20; j++) change(memory, random, known)
    }
    const found: unknown[] = packings.map(() => undefined)
    while (found.includes(undefined)) {
      packings.forEach((steps, i) => {
        const step = steps.next()
        if (step.done && step.value) found[i] = step.value
        change(memory, random, known)
      })
    }
    expect(found).toEqual(wanted)
    memory.free()
  })

  it('costs nothing more once it is given up', () => {
    const random = new Random(7)
    const memory = MemoryTree.create({ engine, clock, leafFactor: 1 })
    for (let i = 0; i < 300; i++) change(memory, random)
    const steps = stepsOf(memory)
    steps.next()
    steps.return(undefined as never)
    for (let i = 0; i < 300; i++) change(memory, random)
    expect(memory.check()).toEqual([])
    expect(memory.contents()).toEqual(memory.contents())
    memory.free()
  })

  it('ends well though the memory is freed meanwhile', async () => {
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 2000; i++) memory.insert(`note ${i} of many`, i)
    const expected = memory.contents()
    const contents = contentsInTurns(memory)
    memory.free()
    const other = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 2000; i++) other.insert(`something else ${i}`, -i)
    expect(await contents).toEqual(expected)
    other.free()
  })
})
