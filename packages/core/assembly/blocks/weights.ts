// What the learning of feature weights works on (src/label/weights/weight-learner.ts fills it).

/** The rows and their candidates, and room for what is learned. */
@unmanaged
export class LearningData {
  features: u32
  /** How many candidates a row has at most: the stride of `candidates`. */
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
  /** Places in `sampled`, u32, in the order of learning. */
  order: usize
  /** Feature [features] */
  columns: usize
  /** Moving [features + 1]: the weights, and last the sharpness. */
  moving: usize
  /** Features with a gradient in this batch, u32 [features]. */
  changed: usize
  /** Candidate [k] */
  near: usize
  /** f64 [labels], zero between rows: shares of the vote; how strongly each own label pulls. */
  shares: usize
  pulls: usize
  /** Rows whose most voted label was one of their own, counted while nothing is learned. */
  hits: u32
}

/** The same, and the row at hand, of the kernels' own. */
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

/** A feature in the inner loops: all of it in one quarter of a cache line. */
@unmanaged
export class Feature {
  /** The square of its weight. */
  square: f32
  /** The same times the value of the row that is being learned from; 0 where that row lacks the feature. */
  shared: f32
  gradient: f32
  changed: u32
}

/**
 * A logarithm that Adam moves: its value, where it started, the two means of its gradients, their decays so far, and its pace,
 * the share of a step that it takes.
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
