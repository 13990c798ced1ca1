// The blocks that assembly/forest/index-block.ts reads: what is searched, and what is asked.

import { floatBits } from '../../kernels/float-bits.ts'
import type { CodeRange } from '../dense/quantized-rows.ts'
import type { Sketch } from '../dense/sketch.ts'

/** How thoroughly trees are asked. */
export interface TreeEffort {
  /** Trees asked, from the first on. */
  readonly trees: number
  /** Rows that score above it are candidates (τ). */
  readonly threshold: number
  /** Leaves visited beside each tree's own, the nearest of all trees first; at most 4096. */
  readonly probes: number
  /** Candidates compared exactly; codes choose them. */
  readonly rerank: number
}

/** How thoroughly a query is answered: what costs time, and finds more. */
export interface Effort extends TreeEffort {
  /** Compares all rows instead of asking trees: the other fields then do not matter. */
  readonly exact: boolean
}

/** Rows as kernels see them. */
export interface SearchedRows {
  /** Address of f32 [rows × dims]; 0 where only codes are kept. */
  readonly pointer: number
  readonly rows: number
  readonly dims: number
  /** Whether the largest product is the nearest. */
  readonly products: boolean
}

/** Codes as kernels see them: u8 [rows × stride]. */
export interface SearchedCodes {
  readonly pointer: number
  readonly stride: number
}

export interface Searched {
  readonly rows: SearchedRows
  readonly sketch: Sketch
  /** Codes of the sketches. */
  readonly codes: SearchedCodes
  /** Codes of the rows, where f32 rows were dropped. */
  readonly rowCodes?: (SearchedCodes & CodeRange) | undefined
  /** Address of the forest's block. */
  readonly forest: number
  /** Whether trees see sketches; else the rows as they are. */
  readonly treesSeeSketch: boolean
}

export interface Asked {
  /** Address of f32 [queries × dims]. */
  readonly queries: number
  readonly k: number
  readonly effort: TreeEffort
  /** Address of u8 [rows]; 0: all may be found. */
  readonly mask: number
  readonly rows: number
  readonly raw: number
  readonly counts: number
}

export const searchedFields = 17
export const askedFields = 10

export function writeSearched(block: Uint32Array, searched: Searched): void {
  const { rows, sketch, codes, rowCodes, forest, treesSeeSketch } = searched
  block.set([
    ...[forest, rows.pointer, rows.rows, rows.dims, rows.products ? 1 : 0, codes.pointer, codes.stride],
    ...[sketch.axes.pointer, sketch.shifts.pointer, sketch.dims, floatBits(sketch.parts.steps)],
    ...[treesSeeSketch ? 1 : 0, floatBits(sketch.parts.radius)],
    ...(rowCodes
      ? [rowCodes.pointer, rowCodes.stride, floatBits(rowCodes.steps), floatBits(rowCodes.zero)]
      : [0, 0, 0, 0]),
  ])
}

/** Once a query, so without the arrays that would be made on the way. */
export function writeAsked(block: Uint32Array, { queries, k, effort, mask, rows, raw, counts }: Asked): void {
  block[0] = queries
  block[1] = k
  block[2] = effort.trees
  block[3] = effort.probes
  block[4] = floatBits(effort.threshold)
  block[5] = effort.rerank
  block[6] = mask
  block[7] = rows
  block[8] = raw
  block[9] = counts
}
