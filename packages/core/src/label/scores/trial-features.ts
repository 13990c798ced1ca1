// Feature scores (Definition 8 of paper 003) of the rows of a trial. They depend on one option alone, the power, so those of
// the powers asked for last are kept. Exact if rows are left out of the model in turn: a row's part in the similarities
// of features and labels (Definition 7) is subtracted from both the product and the norms.

import type { Steps } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { LabelTally } from './label-tally.ts'
import type { FeatureLabelSums } from './pair-sums.ts'
import { featureParts, strength } from './score-parts.ts'

export interface TrialRows {
  /** The rows to score, weighted and of length 1. */
  readonly queries: SparseMatrix
  /** For each of them its row in the model, to be left out; undefined if the model does not hold them. */
  readonly own: Uint32Array | undefined
  /** Labels of the model's rows. */
  readonly labels: LabelMatrix
}

/** Scores of one row, in no order. */
export interface RowScores {
  readonly labels: Uint32Array
  readonly scores: Float32Array
}

/** Powers whose scores are kept: moving along another option, and back. */
const keptPowers = 2

export class TrialFeatures {
  readonly #rows: TrialRows
  readonly #sums: FeatureLabelSums
  readonly #tally: LabelTally
  readonly #kept = new Map<number, RowScores[]>()
  /** The labels of the current row: those with its stamp. */
  readonly #carried: Uint32Array
  #stamp = 0

  constructor(rows: TrialRows, sums: FeatureLabelSums) {
    this.#rows = rows
    this.#sums = sums
    this.#tally = new LabelTally(rows.labels.columns)
    this.#carried = new Uint32Array(rows.labels.columns)
  }

  /** The scores of every row. */
  *scores(power: number): Steps<readonly RowScores[]> {
    const known = this.#kept.get(power)
    if (known) return known
    const powers = similarityPowers(this.#sums, power)
    const scores: RowScores[] = []
    for (let query = 0; query < this.#rows.queries.rows; query++) {
      scores.push(this.#score(query, power, powers))
      yield
    }
    if (this.#kept.size === keptPowers) this.#kept.delete([...this.#kept.keys()][0])
    this.#kept.set(power, scores)
    return scores
  }

  #score(query: number, power: number, powers: Float32Array): RowScores {
    const { queries, own } = this.#rows
    const { indices, values } = queries.row(query)
    const parts = featureParts(values, 1)
    if (own) this.#stampLabels(own[query])
    for (let i = 0; i < indices.length; i++) {
      if (own) this.#addWithoutOwn(indices[i], values[i], parts[i], power, powers)
      else this.#add(indices[i], parts[i], powers)
    }
    return this.#tally.takeAll()
  }

  #add(feature: number, part: number, powers: Float32Array): void {
    const { offsets, labels } = this.#sums
    this.#tally.addList(labels, powers, offsets[feature], offsets[feature + 1], part)
  }

  /** Leaves out the current row, which has the feature at `value`: subtracts it from its labels and from the feature's norm. */
  #addWithoutOwn(feature: number, value: number, part: number, power: number, powers: Float32Array): void {
    const { offsets, labels, sums, featureSquares, labelCounts } = this.#sums
    const squares = featureSquares[feature]
    const rest = squares - value * value
    if (rest <= leastRest * squares) return
    const others = part * (squares / rest) ** (power / 2)
    const [carried, stamp, tally] = [this.#carried, this.#stamp, this.#tally]
    let from = offsets[feature]
    for (let e = from; e < offsets[feature + 1]; e++) {
      const label = labels[e]
      if (carried[label] !== stamp) continue
      tally.addList(labels, powers, from, e, others)
      from = e + 1
      const [product, count] = [sums[e] - value, labelCounts[label] - 1]
      if (product > leastRest * value) tally.add(label, part * strength(cosine(product, rest, count), power))
    }
    tally.addList(labels, powers, from, offsets[feature + 1], others)
  }

  #stampLabels(row: number): void {
    this.#stamp++
    for (const label of this.#rows.labels.row(row)) this.#carried[label] = this.#stamp
  }
}

/** If subtracting leaves less than this share of a sum, it is only a rounding error. */
const leastRest = 1e-6

/** The strength of every pair of a feature and a label that is kept. */
function similarityPowers(
  { offsets, labels, sums, featureSquares, labelCounts }: FeatureLabelSums,
  power: number,
): Float32Array {
  const powers = new Float32Array(labels.length)
  for (let feature = 0; feature + 1 < offsets.length; feature++) {
    for (let e = offsets[feature]; e < offsets[feature + 1]; e++) {
      powers[e] = strength(cosine(sums[e], featureSquares[feature], labelCounts[labels[e]]), power)
    }
  }
  return powers
}

/** The similarity of a feature and a label (Definition 7), from their product and squared lengths. */
function cosine(product: number, featureSquares: number, labelCount: number): number {
  return product / Math.sqrt(featureSquares * labelCount)
}
