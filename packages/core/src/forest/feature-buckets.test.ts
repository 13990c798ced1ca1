import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import type { Directions } from '../trees/grower.ts'
import { fillBuckets } from './feature-buckets.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** Directions of these lengths over 1,000 features, with weights that tell where they are. */
function directionsOf(lengths: readonly number[]): Directions {
  const random = new Random(4)
  const offsets = Uint32Array.of(0, ...lengths.map((_, i) => lengths.slice(0, i + 1).reduce((sum, one) => sum + one)))
  const indices = Uint32Array.from(lengths.flatMap(length => [...random.sample(1000, length).sort()]))
  return { offsets, indices, values: Float32Array.from(indices, (feature, e) => 2 * e + feature / 1024) }
}

/** What a table says of a feature, by the textbook. */
function ask({ starts, offsets, entries }: ReturnType<typeof fillBuckets>, direction: number, feature: number): number {
  const start = starts.array[direction]
  const bucket = start + 1 + (feature & offsets.array[start])
  const weights = new Float32Array(entries.array.buffer, entries.array.byteOffset, entries.array.length)
  for (let e = offsets.array[bucket]; e < offsets.array[bucket + 1]; e++) {
    if (entries.array[2 * e] === feature) return weights[2 * e + 1]
  }
  return 0
}

describe('buckets of features', () => {
  it('know the weight of every feature of a long direction, and of no other', () => {
    const directions = directionsOf([64, 3, 700, 129])
    const scope = engine.arena.scope()
    const buckets = fillBuckets(scope, directions, 0)
    for (const direction of [0, 2, 3]) {
      const [from, to] = [directions.offsets[direction], directions.offsets[direction + 1]]
      const own = new Map<number, number>()
      for (let e = from; e < to; e++) own.set(directions.indices[e], directions.values[e])
      for (let feature = 0; feature < 1000; feature++) {
        expect(ask(buckets, direction, feature)).toBe(own.get(feature) ?? 0)
      }
    }
    scope.free()
  })

  it('are not made for short directions, nor for those before the first', () => {
    const scope = engine.arena.scope()
    const { starts } = fillBuckets(scope, directionsOf([100, 63, 100]), 1)
    expect([...starts.array].map(start => start > 0)).toEqual([false, false, true])
    scope.free()
  })
})
