// The data that feature weights are learned from (src/label/weights/weight-learner.ts fills it).

/** The rows, their candidates, and what is learned. */
@unmanaged
export class LearningData {
  features: u32
  /** Most candidates of a row: the stride of `candidates`. */
  k: u32
  /** Rows: offsets u32 [rows + 1]; pairs of a feature and its value. */
  rowOffsets: usize
  rowPairs: usize
  /** Labels of the rows: offsets u32 [rows + 1]; labels u32. */
  labelOffsets: usize
  rowLabels: usize
  /** The rows to learn from, u32, and for each its candidates, u32 [sampled × k], and how many there are, u32. */
  sampled: usize
  candidates: usize
  counts: usize
  /** Positions in `sampled`, u32, in learning order. */
  order: usize
  /** Feature [features] */
  columns: usize
  /** Moving [features + 1]: the weights, and last the sharpness. */
  moving: usize
  /** Features with a gradient in this batch, u32 [features]. */
  changed: usize
  /** Candidate [k] */
  near: usize
  /** f64 [labels], zero between rows: shares of the vote; how strongly each of the row's labels pulls. */
  shares: usize
  pulls: usize
  /** Rows whose top-voted label is one of their own. Counted only when not learning. */
  hits: u32
}

/** The same plus the current row; used only by the kernels. */
@unmanaged
export class Learning extends LearningData {
  changedCount: u32
  row: u32
  /** Its candidates' rows, u32 [count]. */
  neighbors: usize
  count: u32
  /** Its weighted length. */
  length: f64
  sharpness: f64
  /** Σ votes, Σ shares, Z, and Σ share · dloss/dshare. */
  votes: f64
  shareSum: f64
  total: f64
  mean: f64
  /** Of the sharpness' logarithm, over this batch. */
  gradient: f64
}

/** A feature in the inner loops: 16 bytes, a quarter of a cache line. */
@unmanaged
export class Feature {
  /** The square of its weight. */
  square: f32
  /** The same times the feature's value in the current row; 0 if that row lacks the feature. */
  shared: f32
  gradient: f32
  changed: u32
}

/**
 * A logarithm that Adam moves: its value, its start, the two means of its gradients, their decays so far, and its pace (the share of a step
 * that it takes).
 */
@unmanaged
export class Moving {
  value: f64
  start: f64
  mean: f64
  square: f64
  meanDecay: f64
  squareDecay: f64
  pace: f64
}

/** A neighbor that votes: its similarity, the logarithm of it, the vote (a power of it) and its weighted length. */
@unmanaged
export class Candidate {
  similarity: f64
  logarithm: f64
  vote: f64
  length: f64
}
