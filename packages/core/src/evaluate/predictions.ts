// What a classifier answers for a batch, and what the ranking measures take.

/** Ranked labels of `rows` rows: row i's are labels[i * top … i * top + counts[i]), best first, with their scores. */
export interface RankedLabels {
  readonly rows: number
  readonly top: number
  readonly labels: Uint32Array
  readonly scores: Float32Array
  readonly counts: Uint32Array
}
