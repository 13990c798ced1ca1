// The data and the queries of a ForestIndex (src/search/forest/block.ts fills both).

import { Forest } from './forest'

/** The score array holds a multiple of this many labels: see ForestQueryBuffers.open. */
// @ts-ignore: decorator
@inline
export const labelStep: u32 = 4096

/** Ends a row's list of links. */
// @ts-ignore: decorator
@inline
export const noLink: u32 = 0xffffffff

/** A dense index: its rows, their quantized sketches and the forest. */
@unmanaged
export class Searched {
  forest: Forest
  /** f32 [rowCount × dims]. Address 0: only codes are stored. */
  rows: usize
  rowCount: u32
  dims: u32
  /** 1: nearer means a larger product. */
  byProduct: u32
  /** Sketches of the rows as u8 codes: [rowCount × codeStride]. */
  codes: usize
  codeStride: u32
  /** Axes of the sketch (forest/short-axes.ts), one per number or one fewer if it has a rest; the mean on each axis; code steps per unit. */
  axes: usize
  shifts: usize
  /** The mean of the rows, f32 [dims], if the last number of a sketch is its rest (forest/sketch.ts). Address 0: it has none. */
  mean: usize
  sketchDims: u32
  codeSteps: f32
  /** 1: trees split the sketches; 0: the rows themselves. */
  treesSeeSketch: u32
  /** The length that queries are scaled to before sketching; 0: not scaled. */
  queryLength: f32
  /**
   * The rows as u8 codes, if the f32 rows were dropped: [rowCount × rowCodeStride], steps per unit, and the value of code 0. Address 0:
   * only sketch codes are stored.
   */
  rowCodes: usize
  rowCodeStride: u32
  rowCodeSteps: f32
  rowCodeZero: f32
  /** Links between rows: u32 [rowCount × linkWidth] (forest/links.ts). Address 0: none. */
  links: usize
  linkWidth: u32
}

/** Queries, and where the answers go. */
@unmanaged
export class Asked {
  /** f32 [queries × dims]. */
  queries: usize
  /** How many neighbors. */
  k: u32
  /** How many trees to search, and how many extra leaves. */
  trees: u32
  probes: u32
  /** Rows with a score above it are candidates. */
  threshold: f32
  /** How many candidates to compare exactly. */
  rerank: u32
  /** How many of the nearest rows, by code, a walk along links keeps; 0: no walk. */
  walk: u32
  /** u8 [rows]; 0 excludes a row. Address 0: no row is excluded. */
  mask: usize
  /** Answers: rows u32 [queries × k], raw distances f32 [queries × k], counts u32 [queries]. */
  outRows: usize
  outDistances: usize
  outCounts: usize
}
