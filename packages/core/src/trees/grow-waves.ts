// Grows a few trees at a time, one per job, so that their memory is bounded.

import type { Scope } from '../kernels/arena.ts'
import { placeBlock } from '../kernels/blocks.ts'
import type { Engine } from '../kernels/engine.ts'
import { treeNodeLength } from '../kernels/generated/blocks/forest.ts'
import { treeOutBlock } from '../kernels/generated/blocks/growth.ts'
import { roomBytes } from '../kernels/generated/blocks/rooms.ts'
import { treeKernels } from '../kernels/sets/trees.ts'
import { type Growing, isSparse, type SparseView } from './growing.ts'
import { type PackedDirections, packDirections } from './packed-directions.ts'

const what = 'growing trees'
/** Memory that the weights of trees grown at the same time may take. */
const weightBudget = 2 ** 28
/** Entries there is room for at least. */
const leastWeights = 4096

/** Room for a tree of at most this many nodes, and this many numbers of directions of the nodes' own. */
export function placeTree(scope: Scope, rows: number, most: number, ownDirections: number) {
  return {
    order: scope.allocate(Uint32Array, rows, 'a tree'),
    nodes: scope.allocate(Uint32Array, treeNodeLength * most, 'a tree'),
    leafStarts: scope.allocate(Uint32Array, most / 2 + 2, 'a tree'),
    ownDirections: scope.allocate(Float32Array, ownDirections, 'the directions of a tree'),
  }
}

/** Where a tree goes, and its random seed. */
export type Slot = ReturnType<typeof placeTree> & { readonly seed: number }

/**
 * Grows the trees into their slots. How many weights a tree of sparse rows will have is not known in advance: trees are grown a few at
 * a time with limited room, and those that need more are grown again with twice the room.
 */
export async function growWaves(engine: Engine, growing: Growing, block: number, slots: readonly Slot[]) {
  const counts = new Float64Array(slots.length)
  const weights: PackedDirections[] = []
  let room = isSparse(growing.view) ? Math.max(leastWeights, growing.view.indices.length) : 0
  let left = slots.map((_, tree) => tree)
  let reported = 0
  while (left.length > 0) {
    const together = Math.max(engine.pool(growing.threads).threads, Math.floor(weightBudget / (8 * room + 1)))
    const wave = left.slice(0, together)
    const done = slots.length - left.length
    // Trees that are grown again were reported before.
    const report = (finished: number) => {
      reported = Math.max(reported, done + finished)
      growing.onProgress?.({ what, done: reported, total: slots.length })
    }
    const grown = await growWave(engine, growing, block, slots, { wave, room, report })
    const failed = wave.filter((_, i) => grown[i].nodes === 0)
    wave.forEach((tree, i) => {
      counts[tree] = grown[i].nodes
      weights[tree] = grown[i].weights
    })
    if (failed.length > 0) room *= 2
    left = [...failed, ...left.slice(wave.length)]
  }
  return { counts, weights }
}

interface Wave {
  readonly wave: readonly number[]
  /** Weights there is room for in each tree. */
  readonly room: number
  readonly report: (finished: number) => void
}

async function growWave(
  engine: Engine,
  { rows, dims, view, threads, signal }: Growing,
  block: number,
  slots: readonly Slot[],
  { wave, room, report }: Wave,
) {
  const scope = engine.arena.scope()
  try {
    const places = wave.map(tree => {
      for (let row = 0; row < rows; row++) slots[tree].order.array[row] = row
      return placeWeights(scope, isSparse(view) ? slots[tree].leafStarts.length : 0, room)
    })
    const jobs = wave.map((tree, i) => {
      const { seed, order, nodes, leafStarts, ownDirections } = slots[tree]
      const { offsets, indices, values } = places[i]
      const out = placeBlock(scope, treeOutBlock, {
        order: order.pointer,
        nodes: nodes.pointer,
        leafStarts: leafStarts.pointer,
        directions: ownDirections.pointer,
        weightOffsets: offsets.pointer,
        weightIndices: indices.pointer,
        weightValues: values.pointer,
        weightRoom: room,
      })
      return [block, tree, seed, out.pointer]
    })
    const scratchBytes = engine
      .exactKernels(treeKernels)
      .growScratchBytes(block, scope.allocate(Uint8Array, roomBytes).pointer)
    const onProgress = ({ done }: { readonly done: number }) => report(done)
    const counts = await engine.pool(threads).run(treeKernels, 'growTree', jobs, {
      ...{ scratchBytes, what, signal, onProgress },
      steps: 'again',
    })
    return places.map((weights, i) => ({ nodes: counts[i], weights: takeWeights(weights, (counts[i] - 1) / 2, dims) }))
  } finally {
    scope.free()
  }
}

function placeWeights(scope: Scope, nodes: number, room: number): SparseView {
  return {
    offsets: scope.allocate(Uint32Array, nodes, 'the directions of a tree'),
    indices: scope.allocate(Uint32Array, room, 'the directions of a tree'),
    values: scope.allocate(Float32Array, room, 'the directions of a tree'),
  }
}

/** The weights of `inner` nodes, packed. */
function takeWeights({ offsets, indices, values }: SparseView, inner: number, dims: number): PackedDirections {
  if (offsets.length === 0 || inner < 0) return { offsets: Uint32Array.of(0), words: new Uint32Array(0) }
  const grown = { offsets: offsets.array.subarray(0, inner + 1), indices: indices.array, values: values.array }
  return packDirections(grown, dims)
}
