// What forestLabels works on (src/label/forest/scores.ts and leaf-rows.ts fill it).

import { Forest } from './forest'

/** The training rows of all leaves. */
@unmanaged
export class LeafRows {
  count: u32
  /** The rows as CSR, each of length 1; or, without offsets and indices, f32 [count × dims] of any length. */
  offsets: usize
  indices: usize
  values: usize
  /** Their labels as CSR. */
  labelOffsets: usize
  labelIndices: usize
  /** u32 [leaves + 1] and u32: the rows of each leaf. */
  memberOffsets: usize
  members: usize
  /**
   * Rows added later, as a linked list per leaf: u32 [leaves] holds 1 + the number of the leaf's latest pair, 0 for none; a pair is a row
   * and the pair before it.
   */
  addedHeads: usize
  addedRows: usize
  /** u8 [rows]: 0 for rows that were removed. */
  alive: usize
  /** Dimensions of a dense row. */
  dims: u32
}

/** What the model has learned. */
@unmanaged
export class Labeler {
  forest: Forest
  rows: LeafRows
  /** f32 [labels]: factors of the labels' scores. */
  labelScales: usize
  /** Extra leaves to visit per query. */
  probes: u32
  /** The weight of the leaves' rows in the score, 0 to 1, and the power of their cosines. */
  blend: f32
  power: f32
}

/** Queries, and where the answers go. */
@unmanaged
export class LabelBatch {
  /** CSR: u32 offsets [queries + 1], u32 indices, f32 values. */
  offsets: usize
  indices: usize
  values: usize
  /**
   * u32 [queries]: if queries are training rows, their numbers. They are answered as if they had not been trained on. Address 0: queries
   * are new.
   */
  own: usize
  top: u32
  outLabels: usize
  outScores: usize
  outCounts: usize
}
