// Trees as tests like them: grown from plain rows, copied out of the arena, with the textbook's walk down to a leaf.

import { neighborLabels, selfLists } from '../forest/label-source.ts'
import type { Scope } from '../kernels/arena.ts'
import type { Engine } from '../kernels/engine.ts'
import type { LongWork } from '../long-work.ts'
import { Random } from '../random.ts'
import { growTrees } from './grow-trees.ts'
import type { Directions, SplitKind } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'
import type { GrowerName } from './growers.ts'
import type { DenseView, Growing, PlacedLabels, SparseView } from './growing.ts'
import { type PackedDirections, termsOf } from './packed-directions.ts'

export interface Wish {
  readonly grower: GrowerName
  readonly options?: GrowerOptions
  readonly trees?: number
  readonly leafSize?: number
  readonly depth?: number
  readonly seed?: number
  readonly threads?: number
  /** Labels of each row. Default: its own number. */
  readonly labels?: readonly (readonly number[])[]
}

export interface PlainNode {
  /** undefined for a leaf. */
  readonly axis: number | undefined
  readonly threshold: number
  /** The right child; of a leaf, its number within the tree. */
  readonly right: number
}

export interface PlainTree {
  readonly nodes: readonly PlainNode[]
  /** The rows of each leaf. */
  readonly leaves: readonly (readonly number[])[]
  readonly ownDirections: Float32Array
}

export interface PlainTrees {
  readonly splits: SplitKind
  readonly depth: number
  readonly trees: readonly PlainTree[]
  readonly directions: Directions
}

const leafMark = 0xffffffff

/** Uses what growing takes, placed in the arena for as long. */
export async function withGrowing<T>(
  engine: Engine,
  rows: readonly (readonly number[])[],
  wish: Wish,
  use: (growing: Growing & { readonly view: DenseView }) => Promise<T>,
): Promise<T> {
  const scope = engine.arena.scope()
  try {
    const { grower, options = {}, trees = 1, leafSize = 1, depth = 20, seed = 1, threads = 1 } = wish
    const view = scope.place(Float32Array.from(rows.flat()))
    const labels = placeLabels(scope, rows.length, wish.labels)
    const shape = { view, rows: rows.length, dims: rows[0].length, labels }
    return await use({ ...shape, grower, options, trees, leafSize, depth, seed, threads })
  } finally {
    scope.free()
  }
}

export function grow(engine: Engine, rows: readonly (readonly number[])[], wish: Wish): Promise<PlainTrees> {
  return withGrowing(engine, rows, wish, growing => grownPlain(engine, growing))
}

/** The same from the rows without their zeros. `spare` are entries that no row has: growing makes room for as many weights more. */
export function growSparse(
  engine: Engine,
  rows: readonly (readonly number[])[],
  wish: Wish,
  spare = 0,
  work: LongWork = {},
): Promise<PlainTrees> {
  return withGrowing(engine, rows, wish, async growing => {
    const scope = engine.arena.scope()
    try {
      return await grownPlain(engine, { ...growing, ...work, view: placeSparse(scope, rows, spare) })
    } finally {
      scope.free()
    }
  })
}

function placeSparse(scope: Scope, rows: readonly (readonly number[])[], spare: number): SparseView {
  const entries = rows.map(row => [...row.entries()].filter(([, value]) => value !== 0))
  const offsets = [0]
  for (const own of entries) offsets.push(offsets[offsets.length - 1] + own.length)
  const beyond = new Array<number>(spare).fill(0)
  return {
    offsets: scope.place(Uint32Array.from(offsets)),
    indices: scope.place(Uint32Array.from([...entries.flat().map(([feature]) => feature), ...beyond])),
    values: scope.place(Float32Array.from([...entries.flat().map(([, value]) => value), ...beyond])),
  }
}

async function grownPlain(engine: Engine, growing: Growing): Promise<PlainTrees> {
  const scope = engine.arena.scope()
  try {
    const { splits, trees, directions, packed } = await growTrees(engine, scope, growing)
    const plain = trees.map(({ nodes, nodeCount, leafCount, order, leafStarts, ownDirections }) => ({
      nodes: plainNodes(nodes.array.slice(0, 3 * nodeCount)),
      leaves: Array.from({ length: leafCount }, (_, leaf) => [
        ...order.array.slice(leafStarts.array[leaf], leafStarts.array[leaf + 1]),
      ]),
      ownDirections: ownDirections.array.slice(0, splits === 'node' ? nodeCount * growing.dims : 0),
    }))
    const own = splits === 'sparse' ? unpack(packed, growing.dims) : directions
    return { splits, depth: growing.depth, trees: plain, directions: own }
  } finally {
    scope.free()
  }
}

/** The directions of all trees, one after the other. */
function unpack(trees: readonly PackedDirections[], dims: number): Directions {
  const rows = trees.flatMap(tree => Array.from(tree.offsets.subarray(1), (_, i) => termsOf(tree, dims, i)))
  let end = 0
  return {
    offsets: Uint32Array.of(0, ...rows.map(row => (end += row.length))),
    indices: Uint32Array.from(rows.flat(), ({ feature }) => feature),
    values: Float32Array.from(rows.flat(), ({ weight }) => weight),
  }
}

function placeLabels(scope: Parameters<typeof neighborLabels>[0], rows: number, labels?: Wish['labels']): PlacedLabels {
  if (!labels) return neighborLabels(scope, selfLists(rows), rows)
  const offsets = [0]
  for (const own of labels) offsets.push(offsets[offsets.length - 1] + own.length)
  return {
    offsets: scope.place(Uint32Array.from(offsets)),
    indices: scope.place(Uint32Array.from(labels.flat())),
    count: Math.max(...labels.flat()) + 1,
  }
}

function plainNodes(nodes: Uint32Array): PlainNode[] {
  const thresholds = new Float32Array(nodes.buffer)
  return Array.from({ length: nodes.length / 3 }, (_, node) => ({
    axis: nodes[3 * node] === leafMark ? undefined : nodes[3 * node],
    threshold: thresholds[3 * node + 1],
    right: nodes[3 * node + 2],
  }))
}

/** How far a point lies above the threshold of a node: below 0 it goes left. */
export function marginAt(grown: PlainTrees, tree: number, node: number, point: readonly number[]): number {
  const { axis = 0, threshold } = grown.trees[tree].nodes[node]
  return valueAt(grown, tree, axis, point) - threshold
}

function valueAt(grown: PlainTrees, tree: number, axis: number, point: readonly number[]): number {
  if (grown.splits === 'axis') return Math.fround(point[axis])
  if (grown.splits === 'node') {
    const own = grown.trees[tree].ownDirections
    return point.reduce((sum, x, j) => sum + Math.fround(x) * own[axis * point.length + j], 0)
  }
  if (grown.splits === 'sparse') return sparseValueAt(grown, tree, axis, point)
  const { offsets, indices, values } = grown.directions
  const row = tree * grown.depth + axis
  let sum = 0
  for (let e = offsets[row]; e < offsets[row + 1]; e++) sum += values[e] * Math.fround(point[indices[e]])
  return sum
}

/** To the last bit what growing saw: the same sums in the same order. */
function sparseValueAt(grown: PlainTrees, tree: number, axis: number, point: readonly number[]): number {
  const { offsets, indices, values } = grown.directions
  const row = firstDirection(grown, tree) + axis
  let sum = 0
  for (let e = offsets[row]; e < offsets[row + 1]; e++) {
    sum = Math.fround(sum + Math.fround(values[e] * Math.fround(point[indices[e]])))
  }
  return sum
}

/** Sparse splits have one direction per inner node, tree by tree. */
function firstDirection({ trees }: PlainTrees, tree: number): number {
  return trees.slice(0, tree).reduce((sum, { leaves }) => sum + leaves.length - 1, 0)
}

/** The leaf of a tree that a point falls into. */
export function leafOf(grown: PlainTrees, tree: number, point: readonly number[]): number {
  const { nodes } = grown.trees[tree]
  let node = 0
  while (nodes[node].axis !== undefined) node = marginAt(grown, tree, node, point) < 0 ? node + 1 : nodes[node].right
  return nodes[node].right
}

/** The rows of a node: those of the leaves below it. */
export function rowsUnder(tree: PlainTree, node: number): number[] {
  const { axis, right } = tree.nodes[node]
  if (axis === undefined) return [...tree.leaves[right]]
  return [...rowsUnder(tree, node + 1), ...rowsUnder(tree, right)]
}

export function depthUnder(nodes: readonly PlainNode[], node = 0): number {
  const { axis, right } = nodes[node]
  return axis === undefined ? 0 : 1 + Math.max(depthUnder(nodes, node + 1), depthUnder(nodes, right))
}

/** Rows of whole numbers, three of four zeros. */
export function sparseRows(seed: number, rows: number, dims: number): number[][] {
  const random = new Random(seed)
  return Array.from({ length: rows }, () =>
    Array.from({ length: dims }, () => (random.below(4) === 0 ? 1 + random.below(5) : 0)),
  )
}

/** Rows of normal numbers, each dimension wider than the one after it. */
export function normalRows(seed: number, rows: number, dims: number): number[][] {
  const random = new Random(seed)
  return Array.from({ length: rows }, () =>
    Array.from({ length: dims }, (_, j) => Math.fround((dims - j) * random.normal())),
  )
}
