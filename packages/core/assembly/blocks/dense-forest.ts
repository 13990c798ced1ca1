// What a ForestIndex searches, and what it is asked (src/search/forest/block.ts fills both).

import { Forest } from './forest'

/** Scores have room for a multiple of so many labels: see ForestQueryBuffers.open. */
// @ts-ignore: decorator
@inline
export const labelStep: u32 = 4096

/** Stands behind a row's last link. */
// @ts-ignore: decorator
@inline
export const noLink: u32 = 0xffffffff

/** A dense index: its rows, their sketches as codes, the forest. */
@unmanaged
export class Searched {
  forest: Forest
  /** f32 [rowCount × dims]. Address 0: only codes of them are kept. */
  rows: usize
  rowCount: u32
  dims: u32
  /** 1: nearer means a larger product. */
  byProduct: u32
  /** Sketches of the rows as u8 codes: [rowCount × codeStride]. */
  codes: usize
  codeStride: u32
  /** Axes of the sketch, f32 [sketchDims × dims]; the mean's place on each; how many code steps a unit is. */
  axes: usize
  shifts: usize
  sketchDims: u32
  codeSteps: f32
  /** 1: trees see the sketch; 0: the rows as they are. */
  treesSeeSketch: u32
  /** The length that queries are scaled to before they are sketched; 0: as they are. */
  queryLength: f32
  /**
   * The rows as u8 codes, where f32 rows were dropped: [rowCount × rowCodeStride], steps a unit, and the value of code 0. Address 0:
   * only the codes of sketches are kept.
   */
  rowCodes: usize
  rowCodeStride: u32
  rowCodeSteps: f32
  rowCodeZero: f32
  /** Links between rows: u32 [rowCount × linkWidth] (forest/links.ts). Address 0: there are none. */
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
  /** How many trees are asked, and how many leaves beside theirs. */
  trees: u32
  probes: u32
  /** Rows with a score above it are candidates. */
  threshold: f32
  /** How many candidates are compared exactly. */
  rerank: u32
  /** How many of the nearest codes a walk along links keeps; 0: no walk. */
  walk: u32
  /** u8 [rows], 0 for rows that may not be found. Address 0: all may. */
  mask: usize
  /** Answers: rows u32 [queries × k], raw distances f32 likewise, counts u32 [queries]. */
  outRows: usize
  outDistances: usize
  outCounts: usize
}
