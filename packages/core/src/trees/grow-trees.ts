// Grows trees in worker threads, one a job, each with a seed of its own: the trees do not depend on the threads.

import type { Scope, Slice } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import type { LongWork } from '../progress.ts'
import { Random } from '../random.ts'
import type { Directions, Grower, GrowerOptions, SplitKind } from './grower.ts'
import { findGrower, type GrowerName } from './growers.ts'

/** Labels of rows in the arena, as CSR with u32 offsets. */
export interface PlacedLabels {
  readonly offsets: Slice<Uint32Array>
  readonly indices: Slice<Uint32Array>
  /** Labels are below this. */
  readonly count: number
}

export interface Growing extends LongWork {
  /** What the trees see: f32 [rows × dims] in the arena. */
  readonly view: Pick<Slice<Float32Array>, 'pointer' | 'array'>
  readonly rows: number
  readonly dims: number
  readonly labels: PlacedLabels
  readonly grower: GrowerName
  readonly options: GrowerOptions
  readonly trees: number
  /** Nodes with at most so many rows are leaves. */
  readonly leafSize: number
  /** Deeper nodes are leaves. */
  readonly depth: number
  readonly seed: number
  readonly threads?: number | undefined
}

/** One tree: its nodes (three u32 each, see assembly/trees/nodes.ts), and its rows in order of its leaves. */
export interface GrownTree {
  readonly nodes: Slice<Uint32Array>
  readonly nodeCount: number
  readonly leafCount: number
  readonly order: Slice<Uint32Array>
  /** Leaf i's rows are order[leafStarts[i], leafStarts[i + 1]). */
  readonly leafStarts: Slice<Uint32Array>
  /** Directions of the nodes' own, f32 [nodeCount × dims]; empty for other splits. */
  readonly ownDirections: Slice<Float32Array>
}

export interface GrownTrees {
  readonly splits: SplitKind
  readonly trees: readonly GrownTree[]
  /** Directions that levels share, row tree · depth + level; empty for other splits. */
  readonly directions: Directions
}

/** The trees live in the scope. */
export async function growTrees(engine: Engine, scope: Scope, growing: Growing): Promise<GrownTrees> {
  const { rows, dims, trees, depth, threads, signal, onProgress } = growing
  const grower = findGrower(growing.grower, growing.options)
  const splits = grower.splits(growing.options)
  const random = new Random(growing.seed)
  const seeds = Array.from({ length: trees }, () => random.uint32())
  const work = engine.arena.scope()
  try {
    const directions = sharedDirections(grower, growing, seeds)
    const block = work.place(blockOf(grower, growing, placeDirections(work, directions)))
    const most = Math.min(2 * rows, 2 ** (depth + 1))
    const grown = seeds.map(() => placeTree(scope, rows, most, splits === 'node' ? most * dims : 0))
    const jobs = grown.map((tree, i) => [
      ...[block.pointer, i, seeds[i]],
      ...[tree.order.pointer, tree.nodes.pointer, tree.leafStarts.pointer, tree.ownDirections.pointer],
    ])
    const scratchBytes = engine.exactKernels.growScratchBytes(block.pointer)
    const options = {
      scratchBytes,
      what: 'growing trees',
      signal,
      onProgress,
    }
    const counts = await engine.pool(threads).run('growTree', jobs, options)
    return {
      splits,
      directions,
      trees: grown.map((tree, i) => ({ ...tree, nodeCount: counts[i], leafCount: (counts[i] + 1) / 2 })),
    }
  } finally {
    work.free()
  }
}

function placeTree(scope: Scope, rows: number, most: number, ownDirections: number) {
  const order = scope.allocate(Uint32Array, rows, 'a tree')
  for (let row = 0; row < rows; row++) order.array[row] = row
  return {
    order,
    nodes: scope.allocate(Uint32Array, 3 * most, 'a tree'),
    leafStarts: scope.allocate(Uint32Array, most / 2 + 2, 'a tree'),
    ownDirections: scope.allocate(Float32Array, ownDirections, 'the directions of a tree'),
  }
}

/** The fields of assembly/trees/grow-block.ts. */
function blockOf(grower: Grower, growing: Growing, directions: readonly number[]): Uint32Array {
  const { view, rows, dims, depth, leafSize, options, labels } = growing
  return Uint32Array.of(
    ...[view.pointer, rows, dims, grower.kernel, depth, leafSize],
    ...[grower.axes(options, dims), options.sampleRows ?? 100],
    ...[labels.offsets.pointer, labels.indices.pointer, labels.count],
    ...directions,
    mostLabels(labels.offsets.array),
  )
}

function placeDirections(scope: Scope, { offsets, indices, values }: Directions): number[] {
  return [offsets, indices, values].map(array => scope.place(array, 'directions').pointer)
}

function sharedDirections(grower: Grower, growing: Growing, seeds: readonly number[]): Directions {
  const { view, rows, dims, options, depth } = growing
  const values = view.array
  const each = grower.directions
    ? seeds.map(seed => grower.directions?.(options, { values, rows, dims }, depth, new Random(seed, 1)))
    : []
  return concatDirections(each.filter(directions => directions !== undefined))
}

function concatDirections(parts: readonly Directions[]): Directions {
  const entries = parts.reduce((sum, { indices }) => sum + indices.length, 0)
  const [offsets, indices, values] = [[0], new Uint32Array(entries), new Float32Array(entries)]
  let at = 0
  for (const part of parts) {
    for (let i = 1; i < part.offsets.length; i++) offsets.push(at + part.offsets[i])
    indices.set(part.indices, at)
    values.set(part.values, at)
    at += part.indices.length
  }
  return { offsets: Uint32Array.from(offsets), indices, values }
}

function mostLabels(offsets: Uint32Array): number {
  let most = 0
  for (let row = 0; row + 1 < offsets.length; row++) most = Math.max(most, offsets[row + 1] - offsets[row])
  return most
}
