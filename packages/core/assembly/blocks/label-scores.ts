// What labelScores works on (src/label/scores/label-scores.ts fills it).

/** What is known about labels. */
@unmanaged
export class ScoreModel {
  labels: u32
  /** Labels of the rows: offsets u32 [rows + 1]; labels u32. */
  rowOffsets: usize
  rowLabels: usize
  /** Labels of the features: start and length of each list, u32 [features]; pairs of a label and a strength. */
  pairStarts: usize
  pairCounts: usize
  pairs: usize
  /** f32: strength · featureScales[feature] · labelScales[label] is the similarity of the two, raised to its power. */
  featureScales: usize
  labelScales: usize
}

/** Queries, their nearest rows, and where the answers go. */
@unmanaged
export class ScoreBatch {
  /** Compressed rows: u32 offsets [queries + 1], u32 indices, f32 values of at least 0. */
  offsets: usize
  indices: usize
  values: usize
  /** Rows u32 and similarities f32 [queries × k]; the count of each query, u32 [queries]. */
  neighbors: usize
  similarities: usize
  counts: usize
  k: u32
  /** How many labels to return: labels u32 and scores f32 [queries × top], and the count of each query, u32 [queries]. */
  top: u32
  outLabels: usize
  outScores: usize
  outCounts: usize
}
