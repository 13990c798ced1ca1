// Indexes and queries, as the blocks of assembly/blocks/dense-forest.ts.

import { askedBlock, searchedBlock } from '../../kernels/generated/blocks/dense-forest.ts'
import type { CodeRange } from '../dense/quantized-rows.ts'
import type { Sketch } from '../dense/sketch.ts'

/** How thoroughly trees are searched. */
export interface TreeEffort {
  /** How many trees to use, from the first on. */
  readonly trees: number
  /** Rows that score above it are candidates (τ). */
  readonly threshold: number
  /** Leaves visited beside each tree's own, the nearest of all trees first; at most 4096. */
  readonly probes: number
  /** Candidates compared exactly; codes choose them. */
  readonly rerank: number
  /** Rows with the nearest codes that a walk along links keeps; 0: no walk. */
  readonly walk: number
}

/** How thoroughly to search: more effort finds more and takes longer. */
export interface Effort extends TreeEffort {
  /** Compares all rows and ignores the other fields. */
  readonly exact: boolean
}

/** Rows as kernels see them. */
export interface SearchedRows {
  /** Address of f32 [rows × dims]; 0 if only codes are kept. */
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

/** Links as kernels see them. */
export interface SearchedLinks {
  readonly pointer: number
  /** Links of a row, at most. */
  readonly width: number
}

export interface Searched {
  readonly rows: SearchedRows
  readonly sketch: Sketch
  /** Codes of the sketches. */
  readonly codes: SearchedCodes
  /** Codes of the rows, where f32 rows were dropped. */
  readonly rowCodes?: (SearchedCodes & CodeRange) | undefined
  /** Links between rows: u32 [rows × width]. Without them there are no walks. */
  readonly links?: SearchedLinks | undefined
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
  /** Address of u8 [rows]; 0: all rows may be found. */
  readonly mask: number
  readonly rows: number
  readonly raw: number
  readonly counts: number
}

export function writeSearched(words: Uint32Array, searched: Searched): void {
  const { rows, sketch, codes, rowCodes, links, forest, treesSeeSketch } = searched
  searchedBlock.write(words, {
    forest,
    rows: rows.pointer,
    rowCount: rows.rows,
    dims: rows.dims,
    byProduct: rows.products ? 1 : 0,
    codes: codes.pointer,
    codeStride: codes.stride,
    axes: sketch.shortAxes.pointer,
    shifts: sketch.shifts.pointer,
    mean: sketch.mean?.pointer ?? 0,
    sketchDims: sketch.dims,
    codeSteps: sketch.parts.steps,
    treesSeeSketch: treesSeeSketch ? 1 : 0,
    queryLength: sketch.parts.radius,
    rowCodes: rowCodes?.pointer ?? 0,
    rowCodeStride: rowCodes?.stride ?? 0,
    rowCodeSteps: rowCodes?.steps ?? 0,
    rowCodeZero: rowCodes?.zero ?? 0,
    links: links?.pointer ?? 0,
    linkWidth: links?.width ?? 0,
  })
}

export function writeAsked(words: Uint32Array, { queries, k, effort, mask, rows, raw, counts }: Asked): void {
  // Field by field: every query pays for this, and objects that are spread take a twentieth of its time.
  askedBlock.write(words, {
    queries,
    k,
    trees: effort.trees,
    probes: effort.probes,
    threshold: effort.threshold,
    rerank: effort.rerank,
    walk: effort.walk,
    mask,
    outRows: rows,
    outDistances: raw,
    outCounts: counts,
  })
}
