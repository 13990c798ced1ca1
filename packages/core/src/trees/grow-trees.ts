// Grows trees in worker threads, one a job, each with a seed of its own: the trees do not depend on the threads.

import { EngineError } from '../errors.ts'
import type { Scope, Slice } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import { floatBits } from '../kernels/float-bits.ts'
import type { LongWork } from '../progress.ts'
import { Random } from '../random.ts'
import type { Directions, Grower, SplitKind } from './grower.ts'
import { type GrowerOptions, growerDefaults } from './grower-options.ts'
import { findGrower, type GrowerName } from './growers.ts'

/** Labels of rows in the arena, as CSR with u32 offsets. */
export interface PlacedLabels {
  readonly offsets: Slice<Uint32Array>
  readonly indices: Slice<Uint32Array>
  /** Labels are below this. */
  readonly count: number
}

/** Dense rows: f32 [rows × dims] in the arena. */
export type DenseView = Pick<Slice<Float32Array>, 'pointer' | 'array'>

/** Sparse rows in the arena, as CSR with u32 offsets; indices ascend in a row. */
export interface SparseView {
  readonly offsets: Slice<Uint32Array>
  readonly indices: Slice<Uint32Array>
  readonly values: Slice<Float32Array>
}

export interface Growing extends LongWork {
  /** What the trees see of the rows. */
  readonly view: DenseView | SparseView
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
  /** Directions that levels share, row tree · depth + level; of sparse splits, a row an inner node, tree by tree; else empty. */
  readonly directions: Directions
}

const what = 'growing trees'
/** Memory that the weights of trees grown at the same time may take. */
const weightBudget = 2 ** 28
/** Entries there is room for at least. */
const leastWeights = 4096

/** The trees live in the scope. */
export async function growTrees(engine: Engine, scope: Scope, growing: Growing): Promise<GrownTrees> {
  const { rows, dims, trees, depth } = growing
  const sparse = isSparse(growing.view)
  // Sparse rows have directions of the nodes' own only.
  const grower = findGrower(growing.grower, sparse ? { ...growing.options, pcaScope: 'node' } : growing.options)
  if (sparse && !grower.takesSparse) throw new EngineError('INVALID_OPTION', `${grower.name} trees take no sparse rows`)
  const splits = sparse ? 'sparse' : grower.splits(growing.options)
  const random = new Random(growing.seed)
  const seeds = Array.from({ length: trees }, () => random.uint32())
  const work = engine.arena.scope()
  const stop = work.allocate(Uint32Array, 1)
  const giveUp = () => stop.array.fill(1)
  growing.signal?.addEventListener('abort', giveUp)
  try {
    const shared = sharedDirections(grower, growing, seeds)
    const block = work.place(blockOf(grower, growing, placeDirections(work, shared), stop.pointer))
    const most = Math.min(2 * rows, 2 ** (depth + 1))
    const slots = seeds.map(seed => ({ seed, ...placeTree(scope, rows, most, splits === 'node' ? most * dims : 0) }))
    const { counts, weights } = await growAll(engine, growing, block.pointer, slots)
    return {
      splits,
      directions: sparse ? concatDirections(weights) : shared,
      trees: slots.map((tree, i) => ({ ...tree, nodeCount: counts[i], leafCount: (counts[i] + 1) / 2 })),
    }
  } finally {
    growing.signal?.removeEventListener('abort', giveUp)
    work.free()
  }
}

type Slot = ReturnType<typeof placeTree> & { readonly seed: number }

/**
 * Grows the trees into their slots. Nobody knows beforehand how many weights a tree of sparse rows will have: trees are grown a few
 * at a time, with room for so many, and those it was too little for once more with twice the room.
 */
async function growAll(engine: Engine, growing: Growing, block: number, slots: readonly Slot[]) {
  const counts = new Float64Array(slots.length)
  const weights: Directions[] = []
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
  { rows, view, threads, signal }: Growing,
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
      const parts = [order, nodes, leafStarts, ownDirections, offsets, indices, values].map(({ pointer }) => pointer)
      return [block, tree, seed, scope.place(Uint32Array.of(...parts, room)).pointer]
    })
    const scratchBytes = engine.exactKernels.growScratchBytes(block, scope.allocate(Uint32Array, 16).pointer)
    const onProgress = ({ done }: { readonly done: number }) => report(done)
    const counts = await engine.pool(threads).run('growTree', jobs, { scratchBytes, what, signal, onProgress })
    return places.map((weights, i) => ({ nodes: counts[i], weights: takeWeights(weights, (counts[i] - 1) / 2) }))
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

/** A copy of the weights of `inner` nodes. */
function takeWeights({ offsets, indices, values }: SparseView, inner: number): Directions {
  if (offsets.length === 0 || inner < 0)
    return { offsets: Uint32Array.of(0), indices: new Uint32Array(0), values: new Float32Array(0) }
  const entries = offsets.array[inner]
  return {
    offsets: offsets.array.slice(0, inner + 1),
    indices: indices.array.slice(0, entries),
    values: values.array.slice(0, entries),
  }
}

export function isSparse(view: Growing['view']): view is SparseView {
  return 'offsets' in view
}

function placeTree(scope: Scope, rows: number, most: number, ownDirections: number) {
  return {
    order: scope.allocate(Uint32Array, rows, 'a tree'),
    nodes: scope.allocate(Uint32Array, 3 * most, 'a tree'),
    leafStarts: scope.allocate(Uint32Array, most / 2 + 2, 'a tree'),
    ownDirections: scope.allocate(Float32Array, ownDirections, 'the directions of a tree'),
  }
}

/** The fields of assembly/trees/grow-block.ts. */
function blockOf(grower: Grower, growing: Growing, directions: readonly number[], stop: number): Uint32Array {
  const { view, rows, dims, depth, leafSize, labels } = growing
  const options = { ...growerDefaults, ...growing.options }
  const sparse = isSparse(view) ? [view.offsets.pointer, view.indices.pointer, view.values.pointer] : [0, 0, 0]
  return Uint32Array.of(
    ...[isSparse(view) ? 0 : view.pointer, rows, dims, grower.kernel, depth, leafSize],
    ...[grower.axes(options, dims), options.sampleRows],
    ...[labels.offsets.pointer, labels.indices.pointer, labels.count],
    ...directions,
    mostLabels(labels.offsets.array),
    ...sparse,
    floatBits(options.density),
    ...[options.graphNeighbors, options.opposites, options.epochs, epochRowsOf(growing), options.tailThreshold],
    ...[floatBits(options.l1), floatBits(options.learningRate), floatBits(scaleOf(view, rows)), stop],
  )
}
/** Dense rows may have any length, and steps have theirs: lengths are 1 on average. Sparse rows have length 1. */
function scaleOf(view: Growing['view'], rows: number): number {
  if (isSparse(view)) return 1
  let squares = 0
  for (let e = 0; e < view.array.length; e++) squares += view.array[e] * view.array[e]
  return squares > 0 ? 1 / Math.sqrt(squares / rows) : 1
}

/** Rows of an epoch where nothing is said: at least so many, and so many that an average feature is met so often. */
const [leastEpochRows, featureVisits] = [200, 2]

function epochRowsOf({ view, dims, rows, options }: Growing): number {
  if (options.epochRows) return options.epochRows
  const rowLength = isSparse(view) ? Math.max(1, view.indices.length / rows) : dims
  return Math.max(leastEpochRows, Math.ceil((featureVisits * dims) / rowLength))
}

function placeDirections(scope: Scope, { offsets, indices, values }: Directions): number[] {
  return [offsets, indices, values].map(array => scope.place(array, 'directions').pointer)
}

function sharedDirections(grower: Grower, growing: Growing, seeds: readonly number[]): Directions {
  const { view, rows, dims, options, depth } = growing
  if (isSparse(view)) return concatDirections([])
  const values = view.array
  const each = grower.directions
    ? seeds.map(seed => grower.directions?.(options, { values, rows, dims }, depth, new Random(seed, 1)))
    : []
  return concatDirections(each.filter(directions => directions !== undefined))
}

function concatDirections(parts: readonly Directions[]): Directions {
  const entries = parts.reduce((sum, { indices }) => sum + indices.length, 0)
  const rows = parts.reduce((sum, { offsets }) => sum + offsets.length - 1, 0)
  const [offsets, indices, values] = [new Uint32Array(rows + 1), new Uint32Array(entries), new Float32Array(entries)]
  let [row, at] = [0, 0]
  for (const part of parts) {
    for (let i = 1; i < part.offsets.length; i++) offsets[++row] = at + part.offsets[i]
    indices.set(part.indices, at)
    values.set(part.values, at)
    at += part.indices.length
  }
  return { offsets, indices, values }
}

function mostLabels(offsets: Uint32Array): number {
  let most = 0
  for (let row = 0; row + 1 < offsets.length; row++) most = Math.max(most, offsets[row + 1] - offsets[row])
  return most
}
