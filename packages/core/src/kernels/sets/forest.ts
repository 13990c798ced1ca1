// What ForestIndex runs.

import { wasm } from '../generated/forest.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What ForestIndex runs. They take byte addresses and counts, and check nothing. */
export interface ForestKernels {
  /** Answers dense queries [from, to) with a forest (see search/forest/block.ts); returns how many candidates there were. */
  readonly forestSearch: (scratch: number, index: number, asked: number, from: number, to: number) => number
  /** The leaf of each tree for one point; `projected` is room for one f32 per tree and level. */
  readonly denseLeaves: (forest: number, view: number, projected: number, leaves: number) => void
  /** Answers queries [from, to) as exactSearch does, with fewer rows computed: see assembly/forest/exact-by-codes.ts. */
  readonly exactByCodes: (scratch: number, job: number, coded: number, from: number, to: number) => void
  /** Bytes of scratch for it, with this many queries per job; `room` is a dummy of 64 bytes. */
  readonly exactByCodesBytes: (room: number, job: number, coded: number, queries: number) => number
  /** Candidates of the first query, nearest codes first, at most k; scratch as for forestSearch. */
  readonly forestNear: (scratch: number, index: number, asked: number) => void
  /** The nearest of `count` listed rows to query `i`, all compared; scratch as for forestSearch. */
  readonly rankRows: (scratch: number, index: number, asked: number, i: number, listed: number, count: number) => void
  /** The nearest of listed rows, sifted by their codes; 0 if they are far from the query. See assembly/forest/sift.ts. */
  readonly siftRows: (
    scratch: number,
    index: number,
    asked: number,
    listed: number,
    count: number,
    sampled: number,
    most: number,
  ) => number
  /** The listed rows with the codes nearest to the query's. */
  readonly codeOrder: (scratch: number, index: number, asked: number, listed: number, count: number) => void
  /** Bytes of scratch for all of these, zeros; `room` is roomBytes bytes to work with. */
  readonly forestScratchBytes: (room: number, index: number, asked: number) => number
  /** Links of rows [from, to) with rows of their neighbor lists (see assembly/forest/links.ts). */
  readonly linkRows: (
    scratch: number,
    index: number,
    lists: number,
    counts: number,
    k: number,
    mask: number,
    slack: number,
    out: number,
    from: number,
    to: number,
  ) => void
  /** The same in both directions, pruned. */
  readonly joinLinks: (
    scratch: number,
    index: number,
    most: number,
    backOffsets: number,
    backRows: number,
    slack: number,
    out: number,
    from: number,
    to: number,
  ) => void
  /** Links a new row with near rows, and these with it. */
  readonly linkRow: (scratch: number, index: number, row: number, near: number, count: number, slack: number) => void
  /** Links of rows [from, to) without rows that are gone. */
  readonly mendLinks: (
    scratch: number,
    index: number,
    mask: number,
    slack: number,
    out: number,
    from: number,
    to: number,
  ) => void
  /** Bytes of scratch for these four, if a row has at most this many candidates; `room` is a dummy of 128 bytes. */
  readonly linkScratchBytes: (room: number, index: number, most: number) => number
  /** Sketches of rows [from, to): see search/dense/sketch.ts. */
  readonly sketchRows: (
    rows: number,
    dims: number,
    axes: number,
    shifts: number,
    sketchDims: number,
    lift: number,
    liftAxes: number,
    mean: number,
    from: number,
    to: number,
    out: number,
  ) => void
  /** The squared length of a vector, with the same bits as squareOf of matrix/dense-checks.ts. */
  readonly squareOf: (vector: number, dims: number) => number
  /** Axes f32 [count × dims] as queries are compared with them: i16, count and dims filled up to multiples of 4 and 8. */
  readonly shortenAxes: (axes: number, count: number, dims: number, out: number) => void
  /** A vector's products with such axes, f32 at `out`, filled up to a multiple of 4; `short` is room for the vector as i16. */
  readonly productsWithShortAxes: (
    vector: number,
    axes: number,
    count: number,
    dims: number,
    short: number,
    out: number,
  ) => void
  /** Codes of sketches [from, to): u8 [stride] each. */
  readonly encodeSketches: (
    sketches: number,
    dims: number,
    steps: number,
    stride: number,
    from: number,
    to: number,
    out: number,
  ) => void
  /** out [axisCount × dims] += Σ ((row − mean) · axis) (row − mean) over rows picked[from, to). */
  readonly spreadAlongAxes: (
    scratch: number,
    rows: number,
    picked: number,
    from: number,
    to: number,
    dims: number,
    mean: number,
    axes: number,
    axisCount: number,
    out: number,
  ) => void
}

/** For `engine.exactKernels` and `pool.run`. */
export const forestKernels: KernelSet<ForestKernels> = { name: 'forest', first: 'forestSearch', plain: wasm }
