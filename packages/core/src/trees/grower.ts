// A grower decides how a node's rows are split, and so how a query is routed. Each is one object in a file of its own, beside its
// loop in assembly/trees; the frame that grows a tree is the same for all.

import type { Random } from '../random.ts'

/** What a split compares: an axis of the view, a direction that a level's nodes share, or a direction of the node's own. */
export type SplitKind = 'axis' | 'level' | 'node'

/** Options of all growers; one that a grower has no use for changes nothing. */
export interface GrowerOptions {
  /** How many axes a node chooses from: 'kd' among the widest, 'classification' at random. Default 0: 5 for kd, √dims for the other. */
  readonly axes?: number
  /** How many of a node's rows are looked at to choose a split. Default 100. */
  readonly sampleRows?: number
  /** Share of a random direction's entries that are not zero. Default 0: 1 / √dims. */
  readonly density?: number
  /** Principal directions of each node, or one a level for all of a tree: cheaper to route. Default 'node'. */
  readonly pcaScope?: 'node' | 'level'
}

/** Sparse directions, a row each, as CSR. */
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
  /** Its number in assembly/trees/grow-block.ts. */
  readonly kernel: number
  /** Whether splits depend on the rows' labels. */
  readonly usesLabels: boolean
  splits(options: GrowerOptions): SplitKind
  /** Axes a node chooses from. */
  axes(options: GrowerOptions, dims: number): number
  /** The directions of one tree, one a level, where levels share them. */
  directions?(options: GrowerOptions, view: View, levels: number, random: Random): Directions
}
