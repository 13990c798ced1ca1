// Making a forest: trees are grown, and the labels of their leaves counted.

import type { Allocator, Slice } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import { growTrees } from '../trees/grow-trees.ts'
import type { Growing, GrownTrees } from '../trees/growing.ts'
import { countLeaves } from './count-leaves.ts'
import { Forest } from './forest.ts'
import { upperFirst } from './top-directions.ts'
import { packNodes, type TreeNodes } from './tree-nodes.ts'

export interface ForestFit extends Growing {
  readonly plainVotes: boolean
}

/** Grows the trees and counts the labels of their leaves. `discard` frees what batches may still be reading. */
export async function growForest(engine: Engine, fit: ForestFit, discard?: (slice: Slice) => void): Promise<Forest> {
  const work = engine.arena.scope()
  try {
    return await countForest(engine, await growTrees(engine, work, fit), fit, discard)
  } finally {
    work.free()
  }
}

/** The same for trees that are already grown. */
export async function countForest(
  engine: Engine,
  grown: GrownTrees,
  fit: ForestFit,
  discard?: (slice: Slice) => void,
): Promise<Forest> {
  const keeper = engine.arena.scope()
  try {
    const nodes = packNodes(keeper, grown, fit.dims)
    const leaves = await countLeaves(engine, keeper, { ...fit, trees: grown.trees })
    const parts = {
      ...nodes,
      ...leaves,
      ...{ splits: grown.splits, dims: fit.dims, trees: fit.trees, depth: fit.depth },
      ...placeDirections(keeper, nodes, grown),
      ...{ labels: fit.labels.count, plainVotes: fit.plainVotes },
    }
    return new Forest(engine, parts, discard)
  } catch (error) {
    keeper.free()
    throw error
  }
}

/** The nodes are changed: see upperFirst. */
function placeDirections(keeper: Allocator, nodes: TreeNodes, { splits, directions, packed }: GrownTrees) {
  const [directionIndices, directionValues] = [keeper.place(directions.indices), keeper.place(directions.values)]
  if (splits !== 'sparse') {
    const [directionOffsets, directionWords] = [keeper.place(directions.offsets), keeper.allocate(Uint32Array, 0)]
    return { directionOffsets, directionIndices, directionValues, directionWords, listed: 0 }
  }
  const { offsets, words, listed } = upperFirst(keeper, nodes, packed)
  return { directionOffsets: offsets, directionIndices, directionValues, directionWords: words, listed }
}
