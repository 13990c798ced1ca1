// Random projection trees (Dasgupta and Freund; sparse and shared by a level, as in Hyvönen and others): a level's nodes are halved along
// one sparse random direction.

import { directionsKernel } from '../kernels/generated/blocks/growth.ts'
import type { Random } from '../random.ts'
import type { Directions, Grower, View } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'

export const randomProjectionGrower: Grower = {
  name: 'random-projection',
  kernel: directionsKernel,
  usesLabels: false,
  takesSparse: true,
  spareLevels: 0,
  splits: () => 'level',
  axes: () => 1,
  directions: randomDirections,
}

function randomDirections({ density }: GrowerOptions, { dims }: View, levels: number, random: Random): Directions {
  const share = density || 1 / Math.sqrt(dims)
  const entries = Math.min(dims, Math.max(1, Math.round(share * dims)))
  const indices = new Uint32Array(levels * entries)
  for (let level = 0; level < levels; level++) indices.set(random.sample(dims, entries), level * entries)
  return {
    offsets: Uint32Array.from({ length: levels + 1 }, (_, level) => level * entries),
    indices,
    values: Float32Array.from(indices, () => random.normal()),
  }
}
