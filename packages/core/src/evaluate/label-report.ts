// Measures per label, to find the labels that go wrong.

import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { countAgreement, type Rates, rates } from './agreement.ts'

/** How well one label is predicted. */
export interface LabelReport extends Pick<Rates, 'precision' | 'recall' | 'f1'> {
  readonly label: number
  /** Rows that have it. */
  readonly support: number
  /** Rows it is predicted for. */
  readonly predicted: number
  /** Rows that have it and for which it is predicted. */
  readonly correct: number
}

/** One entry per label, in label order; see agreement.ts for labels that are never true or never predicted. */
export function labelReport(truth: LabelMatrix, predicted: LabelMatrix): LabelReport[] {
  const { correctByLabel } = countAgreement(truth, predicted)
  const supports = truth.counts()
  const predictions = predicted.counts()
  return Array.from(correctByLabel, (correct, label) => {
    const [support, predicted] = [supports[label], predictions[label]]
    const { precision, recall, f1 } = rates(support, predicted, correct)
    return { label, support, predicted, correct, precision, recall, f1 }
  })
}
