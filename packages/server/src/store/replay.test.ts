import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { encodeModel } from '@vicinal/core/internals'
import { type Hit, type MemoryKey, MemoryTree } from '@vicinal/core/memory'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { MemoryStore } from './memory-store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vicinal-'))
})
afterEach(() => rm(folder, { recursive: true }))

type Step =
  | { readonly do: 'insert'; readonly word: number; readonly value: number }
  | { readonly do: 'query'; readonly word: number; readonly explore: number }
  | { readonly do: 'update'; readonly reward: number }
  | { readonly do: 'learn'; readonly word: number }
  | { readonly do: 'remove'; readonly id: number }
  | { readonly do: 'upsert'; readonly id: number; readonly word: number; readonly value: number }
  | { readonly do: 'change'; readonly id: number; readonly value: number }
  | { readonly do: 'expiring'; readonly word: number; readonly after: number }
  | { readonly do: 'snapshot' | 'reopen' }

/** Goes on by one with every step. */
let time = 1000
const clock = () => time

const word = fc.nat(30)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constant('insert' as const), word, value: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('query' as const), word, explore: fc.constantFrom(0, 0.5, 1) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('update' as const), reward: fc.double({ min: 0, max: 1, noNaN: true }) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('learn' as const), word }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('remove' as const), id: fc.nat(40) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('upsert' as const), id: fc.nat(20), word, value: fc.nat(3) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('change' as const), id: fc.nat(20), value: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('expiring' as const), word, after: fc.integer({ min: 1, max: 40 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('snapshot' as const, 'reopen' as const) }) },
)

const options = fc.record({
  seed: fc.nat(1000),
  trees: fc.constantFrom(1, 3),
  capacity: fc.constantFrom(0, 6),
  duplicates: fc.constantFrom('keep' as const, 'merge' as const),
  leafFactor: fc.constantFrom(0.5, 4),
})

const keyMakers: Readonly<Record<string, (word: number) => MemoryKey>> = {
  text: word => `word${word} word${word % 5} all`,
  sparse: word => ({ indices: Uint32Array.of(word % 5, 5 + word), values: Float32Array.of(0.1, word / 7 + 0.3) }),
  dense: word => [0.1, word / 3, (word % 5) / 7],
}

/** The same calls on a memory that is never stored: the oracle. */
class Pair {
  readonly tree: MemoryTree
  store: MemoryStore
  hit: Hit | undefined

  constructor(tree: MemoryTree, store: MemoryStore) {
    this.tree = tree
    this.store = store
  }

  async take(step: Step, keyOf: (word: number) => MemoryKey): Promise<void> {
    const { tree, store } = this
    time++
    if (step.do === 'insert') {
      const id = tree.insert(keyOf(step.word), step.value)
      expect(await store.insert(keyOf(step.word), step.value)).toBe(id)
    } else if (step.do === 'query') this.ask(keyOf(step.word), step.explore)
    else if (step.do === 'update') await this.reward(step.reward)
    else if (step.do === 'learn') {
      tree.learn(keyOf(step.word), value => (Number(value) % 2 ? 1 : 0.25))
      await store.learn(keyOf(step.word), value => (Number(value) % 2 ? 1 : 0.25))
    } else if (step.do === 'remove') expect(await store.remove(step.id)).toBe(tree.remove(step.id))
    else if (step.do === 'upsert') {
      const given = { id: step.id, metadata: { step: step.value } }
      const stored = store.upsert(keyOf(step.word), step.value, given)
      try {
        tree.upsert(keyOf(step.word), step.value, given)
      } catch (error) {
        await expect(stored).rejects.toThrow((error as Error).message) // another memory has this key and value
      }
      await stored.catch(() => {})
    } else if (step.do === 'change') {
      if (!tree.get(step.id)) return
      tree.update(step.id, { value: step.value, metadata: null })
      await store.update(step.id, { value: step.value, metadata: null })
    } else if (step.do === 'expiring') {
      const given = { expiresAt: time + step.after, namespace: 'short' }
      const id = tree.insert(keyOf(step.word), 9, given)
      expect(await store.insert(keyOf(step.word), 9, given)).toBe(id)
    } else if (step.do === 'snapshot') await store.snapshot()
    else await this.reopen()
  }

  ask(key: MemoryKey, explore: number): void {
    const hits = this.tree.query(key, { k: 3, explore })
    expect(this.store.query(key, { k: 3, explore })).toEqual(hits)
    this.hit = hits[0] ?? this.hit
  }

  async reward(reward: number): Promise<void> {
    if (!this.hit || !this.tree.get(this.hit.id)) return
    this.tree.update(this.hit, reward)
    await this.store.update(this.hit, reward)
  }

  async reopen(): Promise<void> {
    await this.store.close()
    this.store = await MemoryStore.open(this.store.path, { clock })
  }

  async bytes(): Promise<Uint8Array[]> {
    await this.store.snapshot()
    const { operations } = await this.store.stats()
    const stored = await MemoryTree.load(join(this.store.path, `snapshot-${operations}.memory`))
    stored.explorations = this.tree.explorations // a snapshot of the same operations may be older than the last queries
    const bytes = encodeModel(stored.contents())
    stored.free()
    return bytes
  }
}

// Thousands of flushes: how long they take is up to the disk.
it('any calls, closed and opened at any time, give the bytes and the answers of a memory that was never stored', {
  timeout: 120_000,
}, async () => {
  let runs = 0
  await fc.assert(
    fc.asyncProperty(
      options,
      fc.constantFrom('text', 'sparse', 'dense'),
      fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }),
      async (options, kind, steps) => {
        const keyOf = keyMakers[kind] as (word: number) => MemoryKey
        const store = await MemoryStore.create(join(folder, `${runs++}`), { ...options, clock, snapshotOperations: 29 })
        const pair = new Pair(MemoryTree.create({ ...options, clock }), store)
        for (const step of steps) await pair.take(step, keyOf)
        await pair.reopen()
        for (const explore of [0, 1, 0.5, 1]) pair.ask(keyOf(7), explore)
        expect(await pair.store.check()).toEqual([])
        expect(await pair.bytes()).toEqual(encodeModel(pair.tree.contents()))
        await pair.store.close()
        pair.tree.free()
      },
    ),
    { numRuns: 20 },
  )
})
