// The plain loops over vectors, for code that uses an engine directly. assembly/ has the loops, vectors.test.ts their oracles.

import { wasm } from '../generated/vectors.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

type Scan = (query: number, rows: number, count: number, dims: number, out: number) => void
type Gather = (query: number, rows: number, picked: number, count: number, dims: number, out: number) => void
type Pick = (
  query: number,
  rows: number,
  picked: number,
  count: number,
  dims: number,
  out: number,
  touched: number,
) => void
type Select = (scores: number, count: number, k: number, heap: number, outRows: number, outScores: number) => number

/** The loops over vectors, for code that uses an engine directly. They take byte addresses and counts, and check nothing. */
export interface VectorKernels {
  /** out[i] = squared Euclidean distance of query [dims] to row i of rows [count × dims], f32. */
  readonly l2Scan: Scan
  /** out[i] = dot product of the query with row i, f32. */
  readonly dotScan: Scan
  /** out[i] = squared Euclidean distance of the query to row picked[i] (u32), f32; for scattered rows. */
  readonly l2Gather: Gather
  /** out[i] = dot product of the query with row picked[i], f32. */
  readonly dotGather: Gather
  /** The same as l2Gather and dotGather, with the bits of l2Scan and dotScan; `touched` is 4 bytes to write to. */
  readonly l2Pick: Pick
  readonly dotPick: Pick
  /** out[i] *= scale · scales[i]: dot products become cosines. */
  readonly cosineScale: (out: number, scales: number, count: number, scale: number) => void
  /** out[i] *= scale · scales[picked[i]]. */
  readonly cosineScaleGather: (out: number, scales: number, picked: number, count: number, scale: number) => void
  /** out[i] = 1 / length of row i, 0 for a zero row. */
  readonly inverseLengths: (rows: number, count: number, dims: number, out: number) => void
  /** y += alpha · x, f32. */
  readonly axpy: (alpha: number, x: number, y: number, count: number) => void
  /** Squared distances over u8 codes: the query is i16, rows are padded with zeros to `dims`, a multiple of 16; out is f32. */
  readonly l2ScanU8: Scan
  readonly l2GatherU8: Gather
  /** Dot products over i8 codes, with the same layout. */
  readonly dotScanI8: Scan
  readonly dotGatherI8: Gather
  /** The k smallest scores (f32), ascending, ties by row; `heap` is scratch of 8 · k bytes. Returns how many were found. */
  readonly selectSmallest: Select
  /** The k largest scores, descending, ties by row. */
  readonly selectLargest: Select
  /** Σ values[e] · dense[indices[e]] over one sparse row of `count` entries. */
  readonly sparseDot: (indices: number, values: number, count: number, dense: number) => number
  /** out[i] = row i · dense, over a CSR matrix with u32 offsets. */
  readonly sparseDotScan: (
    offsets: number,
    indices: number,
    values: number,
    rows: number,
    dense: number,
    out: number,
  ) => void
  /** dense[indices[e]] += alpha · values[e]. */
  readonly sparseAxpy: (alpha: number, indices: number, values: number, count: number, dense: number) => void
}

/** For `engine.exactKernels` and `pool.run`. */
export const vectorKernels: KernelSet<VectorKernels> = { name: 'vectors', first: 'l2Scan', plain: wasm }
