// A grower decides how a node's rows are split, and so how a query is routed. Each is one object in its own file; its
// loop is in assembly/trees. The code that grows a tree is the same for all.

import type { Random } from '../random.ts'
import type { GrowerOptions } from './grower-options.ts'

/**
 * What a split compares: an axis of the view, a direction that a level's nodes share, or a direction of the node's own: a dense
 * one, or ('sparse') one of few entries, as all splits of sparse rows are.
 */
export type SplitKind = 'axis' | 'level' | 'node' | 'sparse'

/** Sparse directions, one per row, as CSR. */
export interface Directions {
  readonly offsets: Uint32Array
  readonly indices: Uint32Array
  readonly values: Float32Array
}

/** What a grower sees of the rows: f32 [rows × dims]. */
export interface View {
  readonly values: Float32Array
  readonly rows: number
  readonly dims: number
}

export interface Grower {
  readonly name: string
  /** Its number in assembly/blocks/growth.ts. */
  readonly kernel: number
  /** Whether splits depend on the rows' labels. */
  readonly usesLabels: boolean
  /** Whether it takes sparse rows. */
  readonly takesSparse: boolean
  /** Levels that the trees of a search index get in addition to those that halving takes. */
  readonly spareLevels: number
  splits(options: GrowerOptions): SplitKind
  /** Axes a node chooses from. */
  axes(options: GrowerOptions, dims: number): number
  /** The directions of one tree, one per level, if levels share them. */
  directions?(options: GrowerOptions, view: View, levels: number, random: Random): Directions
}
