// One thread's working memory: a block of addresses, and behind it the arrays. Invariant between searches: the arrays that are
// said to be zero are; their places depend on the index alone, so that k and the query may change.

import { Index } from './layout'

// @ts-ignore: decorator
@unmanaged
export class Scratch {
  /** The query as a dense vector, f32 [features]. Zero. */
  query: usize
  /** Accumulators: 4 bytes a row, of sixteen rows at a time. Zero. */
  scores: usize
  /** Rows that can still matter, u32 [rows], and their accumulators, f32 [rows]. */
  candidates: usize
  candidateScores: usize
  /** One Term or Cursor for each feature of the query. */
  terms: usize
  /** Counts of scores, u32 [1024]. Zero. */
  histogram: usize
  /** u64 [k + 1] */
  heap: usize
  /** Where the neighbors go while the query itself is among them: u32 [k + 1], f32 [k + 1]. */
  rows: usize
  similarities: usize
  /** A Request. */
  request: usize
  /** Rows whose full similarity was computed. */
  counted: u32
  /** The last guess at the k-th best score. */
  guess: f32
}
const blockBytes: usize = 64
const requestBytes: usize = 64

// @ts-ignore: decorator
@inline
function room(count: u32, bytes: usize): usize {
  return (<usize>count * bytes + 63) & ~63
}

/** Writes into `scratch` where the arrays are that begin at `from`; returns where they end. */
export function layOut(scratch: Scratch, from: usize, index: Index, k: u32, terms: u32): usize {
  scratch.request = from + blockBytes
  scratch.query = scratch.request + requestBytes
  scratch.scores = scratch.query + room(index.features, 4)
  scratch.histogram = scratch.scores + room(index.rows, 4)
  scratch.candidates = scratch.histogram + room(1024, 4)
  scratch.candidateScores = scratch.candidates + room(index.rows, 4)
  scratch.terms = scratch.candidateScores + room(index.rows, 4)
  scratch.heap = scratch.terms + room(terms + 1, 32)
  scratch.rows = scratch.heap + room(k + 1, 8)
  scratch.similarities = scratch.rows + room(k + 1, 4)
  return scratch.similarities + room(k + 1, 4)
}
