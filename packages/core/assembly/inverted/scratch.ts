// One thread's scratch memory: a block of addresses, followed by the arrays. Invariant between searches: arrays marked "Zero" are zero.
// Their addresses depend only on the index, so k and the query may change.

import { InvertedLists } from '../blocks/sparse-search'

// @ts-ignore: decorator
@unmanaged
export class Scratch {
  /** Rows whose full similarity was computed. */
  counted: u32
  /** A Request, and 128 bytes for the algorithm's own state. */
  request: usize
  parts: usize
  /** The query as a dense vector, f32 [features]. Zero. */
  query: usize
  /** Accumulators: 4 bytes per row, padded to sixteen rows. Zero. */
  scores: usize
  /** Counts of estimates, u32 [1024]. Zero. */
  histogram: usize
  /** Candidate rows and their estimates: 8 bytes per row. */
  candidates: usize
  /** Room for as many keys, for sorting. */
  spare: usize
  /** The largest estimates of each 32 rows of the current block, f32 [4] each. */
  largest: usize
  /** f32 [4] */
  four: usize
  /** For each feature of the query: a Cursor or a List, its column, and half a pair of columns. */
  terms: usize
  columns: usize
  pairs: usize
  /** u64 [k + 1] */
  heap: usize
  /** The neighbors while they still include the query itself: u32 [k + 1], f32 [k + 1]. */
  rows: usize
  similarities: usize
}
const blockBytes: usize = 64
const requestBytes: usize = 64
const partsBytes: usize = 128

// @ts-ignore: decorator
@inline
function room(count: u32, bytes: usize): usize {
  return (<usize>count * bytes + 63) & ~63
}

/** Lays out the arrays from `from` on and writes their addresses into `scratch`; returns where they end. */
export function layOut(scratch: Scratch, from: usize, index: InvertedLists, k: u32, terms: u32): usize {
  scratch.request = from + blockBytes
  scratch.parts = scratch.request + requestBytes
  scratch.four = scratch.parts + partsBytes
  scratch.query = scratch.four + 64
  scratch.scores = scratch.query + room(index.features, 4)
  scratch.histogram = scratch.scores + room(index.rows + 16, 4)
  scratch.candidates = scratch.histogram + room(1024, 4)
  scratch.spare = scratch.candidates + room(index.rows + 4, 8)
  scratch.largest = scratch.spare + room(index.rows, 8)
  scratch.terms = scratch.largest + room((index.rows + 31) >> 5, 16)
  scratch.columns = scratch.terms + room(terms, 16)
  scratch.pairs = scratch.columns + room(terms + 2, 8)
  scratch.heap = scratch.pairs + room(terms + 1, 8)
  scratch.rows = scratch.heap + room(k + 1, 8)
  scratch.similarities = scratch.rows + room(k + 1, 4)
  return scratch.similarities + room(k + 1, 4)
}
