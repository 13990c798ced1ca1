// Random sequences of everything that takes or gives back memory, over several objects in one engine. Each object is compared with
// its oracle: the answers that the same data gave in its own engine.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { Engine } from './kernels/engine.ts'
import type { Owned } from './kernels/owned.ts'
import { type Kind, kinds } from './lifetimes.cases.ts'
import type { ModelContents } from './store/header.ts'

interface Oracle {
  readonly answer: unknown
  readonly batch: unknown
  readonly contents: ModelContents
}

interface Holder {
  readonly kind: Kind
  readonly oracle: Oracle
  readonly object: Owned
}

const operations = ['fit', 'load', 'load', 'search', 'search', 'batch', 'free', 'forget', 'collect', 'fail'] as const
type Step = readonly [operation: (typeof operations)[number], slot: number, kind: number, seed: number]
const [slots, seeds] = [4, 2]

let collect: () => Promise<void>
const oracles: Oracle[][] = []

beforeAll(async () => {
  setFlagsFromString('--expose-gc')
  const gc = runInNewContext('gc') as () => void
  collect = async () => {
    gc()
    await new Promise(resume => setTimeout(resume, 0)) // finalizers have turns of their own
  }
  const apart = new Engine()
  for (const kind of kinds) {
    const own: Oracle[] = []
    for (let seed = 0; seed < seeds; seed++) {
      const object = await kind.fit(apart, seed)
      own.push({ answer: kind.answer(object), batch: await kind.batch(object), contents: kind.contents(object) })
      object.free()
    }
    oracles.push(own)
  }
}, 60_000)

class Sequence {
  readonly #engine = new Engine()
  readonly #held: (Holder | undefined)[] = Array.from({ length: slots })
  readonly #pending: Promise<void>[] = []

  async step([operation, slot, kindAt, seed]: Step): Promise<void> {
    const kind = kinds[kindAt % kinds.length] as Kind
    const oracle = oracles[kindAt % kinds.length]?.[seed] as Oracle
    const held = this.#held[slot]
    if (operation === 'fit') this.#held[slot] = { kind, oracle, object: await kind.fit(this.#engine, seed) }
    if (operation === 'load') this.#held[slot] = { kind, oracle, object: kind.load(oracle.contents, this.#engine) }
    if (operation === 'search' && held) expect(held.kind.answer(held.object)).toEqual(held.oracle.answer)
    if (operation === 'batch' && held) this.#pending.push(compareBatch(held))
    if (operation === 'free' && held) this.#free(held)
    if (operation === 'forget' || operation === 'free') this.#held[slot] = undefined
    if (operation === 'collect') await collect()
    if (operation === 'fail') expect(() => kind.load({ ...oracle.contents, tensors: {} }, this.#engine)).toThrow()
  }

  /** A function of its own: one that waits could keep the last object alive. */
  #letGo(): void {
    for (const held of this.#held) if (held) expect(held.kind.answer(held.object)).toEqual(held.oracle.answer)
    this.#held.fill(undefined)
    this.#pending.length = 0
  }

  /** Batches go on; whatever else is tried is refused. */
  #free({ kind, object }: Holder): void {
    object.free()
    object.free()
    expect(() => kind.answer(object)).toThrow(expect.objectContaining({ code: 'FREED' }))
  }

  /** All that is still held answers for itself; and when nothing is held, nothing is taken. */
  async end(): Promise<void> {
    await Promise.all(this.#pending)
    this.#letGo()
    for (let round = 0; round < 20 && this.#engine.arena.usedBytes > 0; round++) await collect()
    expect(this.#engine.arena.usedBytes).toBe(0)
    await this.#engine.close()
  }
}

async function compareBatch({ kind, object, oracle }: Holder): Promise<void> {
  expect(await kind.batch(object)).toEqual(oracle.batch)
}

describe('objects that come and go in one engine', () => {
  it('answer for themselves after any sequence of fits, loads, batches, frees and collections, and leave nothing', async () => {
    const step = fc.tuple(
      fc.constantFrom(...operations),
      fc.nat(slots - 1),
      fc.nat(kinds.length - 1),
      fc.nat(seeds - 1),
    )
    const run = async (steps: Step[]) => {
      const sequence = new Sequence()
      for (const one of steps) await sequence.step(one)
      await sequence.end()
    }
    const sequences = fc.array(step, { minLength: 10, maxLength: 40, size: 'max' })
    await fc.assert(fc.asyncProperty(sequences, run), { numRuns: 6 })
  }, 120_000)
})
