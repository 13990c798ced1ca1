// One thread's working memory: a block of addresses, and behind it the arrays. Invariant between searches: the arrays that are
// said to be zero are; their places depend on the index alone, so that k and the query may change.

import { InvertedLists } from '../blocks/sparse-search'

// @ts-ignore: decorator
@unmanaged
export class Scratch {
  /** Rows whose full similarity was computed. */
  counted: u32
  /** A Request; and 128 bytes for what an algorithm keeps in mind. */
  request: usize
  parts: usize
  /** The query as a dense vector, f32 [features]. Zero. */
  query: usize
  /** Accumulators: 4 bytes a row, of sixteen rows at a time. Zero. */
  scores: usize
  /** Counts of estimates, u32 [1024]. Zero. */
  histogram: usize
  /** Rows that can still matter and their estimates: 8 bytes a row. */
  candidates: usize
  /** As many keys, for sorting. */
  spare: usize
  /** The largest estimates of each 32 rows under way, f32 [4] each. */
  largest: usize
  /** f32 [4] */
  four: usize
  /** For each feature of the query a Cursor or a List, its column, and half a pair of columns. */
  terms: usize
  columns: usize
  pairs: usize
  /** u64 [k + 1] */
  heap: usize
  /** Where the neighbors go while the query itself is among them: u32 [k + 1], f32 [k + 1]. */
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

/** Writes into `scratch` where the arrays are that begin at `from`; returns where they end. */
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
