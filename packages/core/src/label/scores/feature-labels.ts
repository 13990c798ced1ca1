// How similar features and labels are: the cosines of their columns (paper 003, Definition 7, Algorithm 4), ready to be added up
// by the scoring kernel. Kept are the sums behind them, f · l, |f|² and |l|², so that rows can be added and taken away.
// Invariant: strength · featureScale · labelScale = similarity ^ power, for every pair that is kept. A length that changes
// changes one scale, not all the pairs of its column.

import type { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { labelKernels } from '../../kernels/sets/label.ts'
import { finish } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { ColumnScales, withoutRounding } from './column-scales.ts'
import { PairLists } from './pair-lists.ts'
import { type FeatureLabelSums, sumPairs } from './pair-sums.ts'

export interface FeatureLabelOptions {
  /** The power of similarities, above 0: the paper's β. Default 1. */
  readonly power?: number
  /**
   * Most pairs of a feature and a label that are kept, 16 bytes each. Default: all. The longest lists lose their least similar
   * labels; a pair that was left out counts from zero when rows are added later.
   */
  readonly maxPairs?: number
}

export class FeatureLabels {
  readonly pairs: PairLists
  readonly features: ColumnScales
  readonly labels: ColumnScales
  readonly #arrays: CopyOnWriteArrays
  #power: number

  /** From sums that were counted before; the arrays must not be used elsewhere. */
  constructor(arrays: CopyOnWriteArrays, sums: FeatureLabelSums, power = 1) {
    this.#arrays = arrays
    this.#power = power
    this.pairs = new PairLists(arrays, sums)
    this.features = new ColumnScales(arrays, sums.featureSquares)
    this.labels = new ColumnScales(arrays, sums.labelCounts)
    this.#renew()
  }

  /** Counts the rows. Values must not be negative. */
  static fit(
    features: SparseMatrix,
    labels: LabelMatrix,
    arrays: CopyOnWriteArrays,
    { power = 1, maxPairs = Number.POSITIVE_INFINITY }: FeatureLabelOptions = {},
  ): FeatureLabels {
    return new FeatureLabels(arrays, finish(sumPairs(features, labels, maxPairs)), power)
  }

  get power(): number {
    return this.#power
  }

  /** Raises the similarities to another power. */
  set power(power: number) {
    this.#power = power
    this.#renew()
  }

  /**
   * The cosine of a feature's and a label's column; 0 for a pair that is not kept. Removing rows leaves rounding: something of a sum may be
   * left when everything else is subtracted from its columns' lengths, so that no sum counts more than these.
   */
  similarity(feature: number, label: number): number {
    const at = this.pairs.find(feature, label)
    const norms = this.features.norm(feature) * this.labels.norm(label)
    return at < 0 || norms === 0 ? 0 : Math.min(this.pairs.sumAt(at), norms) / norms
  }

  /** A feature's labels, ascending, and their similarities. */
  row(feature: number): { labels: Uint32Array; similarities: Float64Array } {
    const [from, to] = this.pairs.range(feature)
    const labels = Uint32Array.from({ length: to - from }, (_, i) => this.pairs.labelAt(from + i))
    return { labels, similarities: Float64Array.from(labels, label => this.similarity(feature, label)) }
  }

  /** Counts one more row. Labels beyond the known ones are new. */
  add(row: SparseRow, labels: Uint32Array): void {
    this.labels.extend(labels.reduce((most, label) => Math.max(most, label + 1), 0))
    this.#change(row, labels, 1)
  }

  /** Removes a row that was counted before. */
  remove(row: SparseRow, labels: Uint32Array): void {
    this.#change(row, labels, -1)
  }

  /** A copy of what was counted. */
  sums(): FeatureLabelSums {
    return { ...this.pairs.packed(), featureSquares: this.features.squares(), labelCounts: this.labels.squares() }
  }

  #change({ indices, values }: SparseRow, labels: Uint32Array, sign: 1 | -1): void {
    let inRange = true
    for (const label of labels) {
      this.labels.add(label, sign)
      inRange = this.labels.rescale(label, this.#raise) && inRange
    }
    for (let i = 0; i < indices.length; i++) {
      if (values[i] === 0) continue
      this.features.add(indices[i], sign * values[i] ** 2)
      inRange = this.features.rescale(indices[i], this.#raise) && inRange
      for (const label of labels) this.#addToPair(indices[i], label, sign * values[i])
    }
    if (!inRange) this.#renew()
  }

  #addToPair(feature: number, label: number, amount: number): void {
    const known = this.pairs.find(feature, label)
    if (known < 0 && amount < 0) return // one of those left out
    const at = known < 0 ? this.pairs.insert(feature, label) : known
    const sum = withoutRounding(this.pairs.sumAt(at) + amount, amount)
    if (sum === 0) {
      this.pairs.delete(feature, at)
    } else {
      this.pairs.setSum(at, sum)
      this.#strengthen(feature, at)
    }
  }

  /** Recomputes all strengths from the current lengths. */
  #renew(): void {
    this.features.rebase()
    this.labels.rebase()
    for (let feature = 0; feature < this.pairs.lists; feature++) {
      const [from, to] = this.pairs.range(feature)
      for (let at = from; at < to; at++) this.#strengthen(feature, at)
    }
  }

  #strengthen(feature: number, at: number): void {
    const label = this.pairs.labelAt(at)
    const bases = this.features.base(feature) * this.labels.base(label)
    const norms = this.features.norm(feature) * this.labels.norm(label)
    this.pairs.setStrength(at, this.#raise(Math.min(this.pairs.sumAt(at), norms) / (bases || 1)))
  }

  #raise = (x: number): number => this.#arrays.engine.exactKernels(labelKernels).powerOf(x, this.#power)
}
