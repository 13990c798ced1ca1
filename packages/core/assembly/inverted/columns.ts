// Ours. Rare features have lists, frequent ones have columns: a byte a row. The lists of the query are accumulated; then one
// pass over the rows adds the columns, sixteen rows at a time, wherever that could lift a row over the cut. The cut rises as
// better rows are met; what stays above it in the end, hardly more than k rows, is computed exactly.
//
// Invariant: a row's estimate a and its similarity s keep  s − margin ≤ a ≤ s + excess + margin: bytes are rounded up.

import { offer } from '../top-k'
import { allowed, f32At, flip, Index, product, Request, similarity, spread, u32At } from './layout'
import { Scratch } from './scratch'

/** A list under way: where its next posting is, where it ends, the query's weight. */
// @ts-ignore: decorator
@unmanaged
class List {
  next: usize
  end: usize
  weight: f32
}
const listBytes: usize = 16

/** Two columns and their weights, side by side in 32 bits: i32x4.dot_i16x8_s adds up two products. */
// @ts-ignore: decorator
@unmanaged
class ColumnPair {
  first: usize
  second: usize
  weights: u32
}
const pairBytes: usize = 16

/** Rows accumulated at a time: what fits the second cache. */
const segmentRows: u32 = 16384
const buckets: u32 = 1024
const largestWeight: f32 = 32767
const largestByte: f32 = 255

/** What the pass over the rows goes by. */
// @ts-ignore: decorator
@unmanaged
class Pass {
  /** How many of each are at scratch.lists and scratch.pairs. */
  lists: u32
  pairs: u32
  /** Similarity of one step of the columns' sum. */
  unit: f32
  /** The most that the columns can add to a row. */
  rest: f32
  /** How much above its similarity a row's estimate may be, and a margin for rounding. */
  excess: f32
  /** Buckets of the histogram for each 1 of similarity. */
  scale: f32
  /** At least k of the rows met are in this bucket or above; so many are above. */
  cutBucket: u32
  above: u32
  /** Rows with smaller estimates cannot be among the k best. */
  cut: f32
  /** Candidates so far. */
  size: u32
}
