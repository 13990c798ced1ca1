// How far predicted and true sets agree: three counts, from which precision, recall, F1 and Jaccard's index follow. If
// these would be 0 / 0, we follow Mulan: if nothing is true and nothing predicted, all are 1; if only one of the two is empty, all
// are 0.

import { EngineError } from '../errors.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkLabelMatrix, checkSameCount } from './checks.ts'

export interface Rates {
  readonly precision: number
  readonly recall: number
  readonly f1: number
  /** Labels that are both true and predicted, as a share of those that are either. */
  readonly jaccard: number
}

/** `support` are true, `predicted` are predicted, `correct` are both. */
export function rates(support: number, predicted: number, correct: number): Rates {
  if (support + predicted === 0) return { precision: 1, recall: 1, f1: 1, jaccard: 1 }
  return {
    precision: predicted === 0 ? 0 : correct / predicted,
    recall: support === 0 ? 0 : correct / support,
    f1: (2 * correct) / (support + predicted),
    jaccard: correct / (support + predicted - correct),
  }
}

/** The mean of each rate over the items at `picked`; undefined if there are none. */
export function meanRates(picked: Uint32Array, ratesOf: (item: number) => Rates): Rates | undefined {
  if (picked.length === 0) return undefined
  const n = picked.length
  const sum = { precision: 0, recall: 0, f1: 0, jaccard: 0 }
  for (const item of picked) {
    const { precision, recall, f1, jaccard } = ratesOf(item)
    sum.precision += precision
    sum.recall += recall
    sum.f1 += f1
    sum.jaccard += jaccard
  }
  return { precision: sum.precision / n, recall: sum.recall / n, f1: sum.f1 / n, jaccard: sum.jaccard / n }
}

export interface Agreement {
  /** For each label, the number of rows in which it is both true and predicted. */
  readonly correctByLabel: Float64Array
  /** For each row, the number of labels that are both true and predicted. */
  readonly correctByRow: Uint32Array
}

/** Merges each row's two ascending lists of labels. */
export function countAgreement(truth: LabelMatrix, predicted: LabelMatrix): Agreement {
  checkSameShape(truth, predicted)
  const correctByLabel = new Float64Array(truth.columns)
  const correctByRow = new Uint32Array(truth.rows)
  for (let row = 0; row < truth.rows; row++) {
    let p = predicted.offsets[row]
    const end = predicted.offsets[row + 1]
    for (let t = truth.offsets[row]; t < truth.offsets[row + 1]; t++) {
      const label = truth.indices[t]
      while (p < end && predicted.indices[p] < label) p++
      if (p < end && predicted.indices[p] === label) {
        correctByLabel[label]++
        correctByRow[row]++
      }
    }
  }
  return { correctByLabel, correctByRow }
}

function checkSameShape(truth: LabelMatrix, predicted: LabelMatrix): void {
  checkLabelMatrix('truth', truth)
  checkLabelMatrix('predicted', predicted)
  checkSameCount('rows', truth.rows, predicted.rows)
  if (truth.columns === predicted.columns) return
  const message = `the truth has ${truth.columns} labels, the predictions have ${predicted.columns}`
  throw new EngineError('DIMENSION_MISMATCH', message, { hint: 'Number the labels the same way in both.' })
}
