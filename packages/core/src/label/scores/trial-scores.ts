// Scores of rows whose labels are known, as a model would give them that had never seen those rows: for choosing thresholds
// and options. Neighbors are searched once, for the largest k; every option only reweights them.

import type { RankedLabels } from '../../evaluate/predictions.ts'
import type { Steps } from '../../long-work.ts'
import { emptyRanking } from '../rankings.ts'
import type { ScoredNeighbors } from './label-scores.ts'
import { LabelTally } from './label-tally.ts'
import type { FeatureLabelSums } from './pair-sums.ts'
import { neighborParts } from './score-parts.ts'
import { TrialFeatures, type TrialRows } from './trial-features.ts'

/** Numbers in the place of the options: Definitions 6, 8 and 9 of paper 003. */
export interface TrialOptions {
  readonly neighbors: number
  readonly neighborPower: number
  readonly featurePower: number
  readonly mix: number
}

export class TrialScores {
  readonly #rows: TrialRows
  readonly #nearest: ScoredNeighbors
  readonly #features: TrialFeatures | undefined
  readonly #tally: LabelTally
  /** The parts of the current row's neighbors. */
  readonly #parts: Float64Array

  /** `nearest` rows of the queries, the queries themselves left out; without `sums`, `mix` must be 1. */
  constructor(rows: TrialRows, nearest: ScoredNeighbors, sums: FeatureLabelSums | undefined) {
    this.#rows = rows
    this.#nearest = nearest
    this.#features = sums && new TrialFeatures(rows, sums)
    this.#tally = new LabelTally(rows.labels.columns)
    this.#parts = new Float64Array(nearest.k)
  }

  /** The `top` best labels of every row, best first, ties by label. */
  *rank(options: TrialOptions, top: number): Steps<RankedLabels> {
    const { rows } = this.#rows.queries
    const ranked = emptyRanking(rows, top)
    const features = options.mix < 1 && this.#features ? yield* this.#features.scores(options.featurePower) : undefined
    for (let query = 0; query < rows; query++) {
      if (options.mix > 0) this.#addNeighbors(query, options)
      if (features) {
        const { labels, scores } = features[query]
        this.#tally.addList(labels, scores, 0, labels.length, 1 - options.mix)
      }
      ranked.counts[query] = this.#tally.takeBest(top, ranked.labels, ranked.scores, query * top)
      yield
    }
    return ranked
  }

  #addNeighbors(query: number, { neighbors, neighborPower, mix }: TrialOptions): void {
    const { k, rows, similarities, counts } = this.#nearest
    const { offsets, indices } = this.#rows.labels
    const from = query * k
    const count = Math.min(neighbors, counts[query])
    const parts = neighborParts({ similarities, from, count }, neighborPower, mix, this.#parts)
    for (let i = 0; i < count; i++) {
      const row = rows[from + i]
      this.#tally.addEach(indices, offsets[row], offsets[row + 1], parts[i])
    }
  }
}
