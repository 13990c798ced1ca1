// What growing takes and gives.

import type { Slice } from '../kernels/arena.ts'
import type { LongWork } from '../long-work.ts'
import type { Directions, SplitKind } from './grower.ts'
import type { GrowerOptions } from './grower-options.ts'
import type { GrowerName } from './growers.ts'
import type { PackedDirections } from './packed-directions.ts'

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
  /** Nodes with at most this many rows are leaves. */
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
  /** Directions that levels share, row tree · depth + level; else empty. */
  readonly directions: Directions
  /** For sparse splits: the directions of each tree, one per inner node. */
  readonly packed: readonly PackedDirections[]
}

export function isSparse(view: Growing['view']): view is SparseView {
  return 'offsets' in view
}
