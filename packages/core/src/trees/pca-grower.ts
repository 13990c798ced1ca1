// Principal component trees (Sproull; McCartin-Lim and others): a node is halved along the leading direction of its own rows. With
// one direction per level, shared by the tree, they are the components of a random sample of the rows, the widest first.

import { directionsKernel, pcaKernel } from '../kernels/generated/blocks/growth.ts'
import type { Random } from '../random.ts'
import type { Directions, Grower, View } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'
import { principalDirections } from './principal-directions.ts'

const perNode = { kernel: pcaKernel, splits: 'node' } as const
const perLevel = { kernel: directionsKernel, splits: 'level' } as const

const nodeGrower: Grower = pcaWith(perNode)
const levelGrower: Grower = { ...pcaWith(perLevel), directions: sampleDirections }

/** The grower for the options' scope: the two share a name, not a loop. */
export function pcaGrowerFor({ pcaScope = 'node' }: GrowerOptions): Grower {
  return pcaScope === 'node' ? nodeGrower : levelGrower
}

function pcaWith({ kernel, splits }: typeof perNode | typeof perLevel): Grower {
  return {
    name: 'pca',
    kernel,
    usesLabels: false,
    takesSparse: true,
    spareLevels: 0,
    splits: () => splits,
    axes: () => 1,
  }
}

function sampleDirections({ sampleRows = 100 }: GrowerOptions, view: View, levels: number, random: Random): Directions {
  const { rows, dims } = view
  const picked = random.sample(rows, Math.min(rows, sampleRows))
  const count = Math.min(levels, dims)
  const found = principalDirections(view, picked, count, random)
  // If there are more levels than dimensions, the components repeat.
  const values = new Float32Array(levels * dims)
  for (let level = 0; level < levels; level++) {
    values.set(found.subarray((level % count) * dims, ((level % count) + 1) * dims), level * dims)
  }
  return {
    offsets: Uint32Array.from({ length: levels + 1 }, (_, level) => level * dims),
    indices: Uint32Array.from(values, (_, e) => e % dims),
    values,
  }
}
