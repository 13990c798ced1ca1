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
  /** Rows added since: u32 [leaves], 1 + the number of a leaf's latest, 0 for none; pairs of the row and the one before it. */
  addedHeads: usize
  addedRows: usize
  /** u8 [rows]: 0 for rows that were removed. */
  alive: usize
  /** Numbers in a dense row. */
  dims: u32
}

/** What is known. */
@unmanaged
export class Labeler {
  forest: Forest
  rows: LeafRows
  /** f32 [labels]: what each label's score is multiplied with. */
  labelScales: usize
  /** Leaves visited beside each tree's own. */
  probes: u32
  /** The share of what the leaves' rows say, 0 to 1, and the power of their cosines. */
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
  /** u32 [queries]: the training rows that they are, to be answered as if these had not been there. Address 0: they are new. */
  own: usize
  top: u32
  outLabels: usize
  outScores: usize
  outCounts: usize
}
