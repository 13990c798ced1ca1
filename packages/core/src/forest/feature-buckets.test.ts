import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../kernels/engine.ts'
import { Random } from '../random.ts'
import { featureOf, type PackedDirections, packDirections, termsOf, weightBits } from '../trees/packed-directions.ts'
import { findBuckets } from './feature-buckets.ts'

const engine = new Engine()
afterAll(() => engine.close())

const dims = 5000

/** Directions of these lengths, with weights that tell where they are. */
function directionsOf(lengths: readonly number[]): PackedDirections {
  const random = new Random(4)
  let end = 0
  const offsets = Uint32Array.of(0, ...lengths.map(length => (end += length)))
  const indices = Uint32Array.from(lengths.flatMap(length => [...random.sample(dims, length).sort()]))
  return packDirections({ offsets, indices, values: Float32Array.from(indices, (_, e) => e + 1) }, dims)
}

/** The words that a feature may be in, by the textbook. */
function bucketOf({ starts, bounds }: ReturnType<typeof findBuckets>, direction: number, feature: number) {
  const start = starts.array[direction]
  const bucket = start + 1 + (feature & bounds.array[start])
  return [bounds.array[bucket], bounds.array[bucket + 1]] as const
}

describe('buckets of features', () => {
  it('hold every feature of a long direction, and few others', () => {
    const directions = directionsOf([512, 3, 2900, 1024])
    const scope = engine.arena.scope()
    const buckets = findBuckets(scope, () => directions, 0, dims)
    for (const direction of [0, 2, 3]) {
      for (const { feature } of termsOf(directions, dims, direction)) {
        const words = directions.words.subarray(...bucketOf(buckets, direction, feature))
        expect(Array.from(words, word => featureOf(word, weightBits(dims)))).toContain(feature)
        expect(words.length).toBeLessThan(24)
      }
    }
    scope.free()
  })

  it('are not made for short directions, nor for those before the first', () => {
    const scope = engine.arena.scope()
    const { starts } = findBuckets(scope, () => directionsOf([600, 511, 600]), 1, dims)
    expect([...starts.array].map(start => start > 0)).toEqual([false, false, true])
    scope.free()
  })
})
