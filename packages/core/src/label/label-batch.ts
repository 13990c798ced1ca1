// What `predictBatch` returns: typed arrays for metrics, and the same as lists of names on request.

import type { RankedLabels } from '../evaluate/predictions.ts'
import { checkWhole } from '../options.ts'
import type { LabelBatch, Suggestion } from './classifier.ts'
import type { LabelNames } from './label-names.ts'

class PredictedBatch implements LabelBatch {
  readonly rows: number
  readonly top: number
  readonly labels: Uint32Array
  readonly scores: Float32Array
  readonly counts: Uint32Array
  readonly #names: LabelNames

  constructor({ rows, top, labels, scores, counts }: RankedLabels, names: LabelNames) {
    this.rows = rows
    this.top = top
    this.labels = labels
    this.scores = scores
    this.counts = counts
    this.#names = names
  }

  suggestions(i: number): Suggestion[] {
    checkWhole('i', i, 0, this.rows - 1)
    const from = i * this.top
    return Array.from({ length: this.counts[i] }, (_, place) =>
      this.#names.scored(this.labels[from + place], this.scores[from + place]),
    )
  }

  *[Symbol.iterator](): Generator<Suggestion[]> {
    for (let i = 0; i < this.rows; i++) yield this.suggestions(i)
  }
}

/** Names are only ever added to a model, so that numbers keep their meaning. */
export function labelBatch(ranked: RankedLabels, names: LabelNames): LabelBatch {
  return new PredictedBatch(ranked, names)
}
