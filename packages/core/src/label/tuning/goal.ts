// How good a set of options is: one metric of the ranked labels of held-out rows, or of the sets that
// thresholds make of them.

import { type EvaluateOptions, evaluate } from '../../evaluate/evaluate.ts'
import { isBetter, type MetricName } from '../../evaluate/metrics.ts'
import type { RankedLabels } from '../../evaluate/predictions.ts'
import { labelPropensities } from '../../evaluate/propensity.ts'
import { setMeasures } from '../../evaluate/sets.ts'
import { applyThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'

/** Metrics at a cut need no sets: thresholds do not change them. */
export function isRankingMetric(metric: MetricName): boolean {
  return metric.includes('@')
}

export class TuningGoal {
  readonly metric: MetricName
  readonly #truth: LabelMatrix
  readonly #chunkRows: number
  readonly #options: EvaluateOptions

  /** `training` decides propensities, `chunkRows` how many rows a Mulan macro F1 is measured on at a time. */
  constructor(metric: MetricName, truth: LabelMatrix, training: LabelMatrix, chunkRows: number) {
    this.metric = metric
    this.#truth = truth
    this.#chunkRows = Math.min(chunkRows, truth.rows)
    this.#options = metric.startsWith('psp') ? { propensities: labelPropensities(training) } : {}
  }

  /** Any value beats undefined, which means there is none yet. */
  improves(value: number, other: number | undefined): boolean {
    return other === undefined || isBetter(this.metric, value, other)
  }

  valueOf(ranked: RankedLabels, thresholds: Thresholds | undefined, allowEmpty: boolean): number {
    if (!thresholds) return this.#rankingValue(ranked)
    const predicted = applyThresholds(ranked, thresholds, this.#truth.columns, allowEmpty)
    return this.metric === 'macroF1Mulan' ? this.#mulanValue(predicted) : this.#setValue(this.#truth, predicted)
  }

  #rankingValue(ranked: RankedLabels): number {
    return read(evaluate(this.#truth, ranked, undefined, this.#options), this.metric)
  }

  #setValue(truth: LabelMatrix, predicted: LabelMatrix): number {
    return read(setMeasures(truth, predicted), this.metric)
  }

  /** Labels that are neither true nor predicted score 1 in this metric, and in few rows these are many. So it is computed on chunks of equal size. */
  #mulanValue(predicted: LabelMatrix): number {
    const chunks = Math.floor(predicted.rows / this.#chunkRows)
    let sum = 0
    for (let chunk = 0; chunk < chunks; chunk++) {
      const [from, to] = [chunk * this.#chunkRows, (chunk + 1) * this.#chunkRows]
      sum += this.#setValue(this.#truth.slice(from, to), predicted.slice(from, to))
    }
    return sum / chunks
  }
}

function read(measures: object, metric: MetricName): number {
  return (measures as Record<MetricName, number>)[metric] // each measure has its name; asked for are those that were made
}
