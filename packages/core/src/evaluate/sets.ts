// Measures of predicted label sets. Micro: over all (row, label) pairs at once. Macro: the mean over labels. Instance: the
// mean over rows. What is empty on both sides counts 1, what is empty on one side 0 (see agreement.ts).

import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { countAgreement, meanRates, rates } from './agreement.ts'
import { labelCount } from './ranking.ts'

/** Measures of predicted label sets. */
export interface SetMeasures {
  /** Mean over the rows of |true ∩ predicted| / |true ∪ predicted|; 1 if both are empty. */
  readonly accuracy: number
  /** The share of all (row, label) pairs that are wrong. Lower is better. */
  readonly hammingLoss: number
  readonly microF1: number
  /** Macro measures are means over the labels that occur in the truth; if none does, they equal the micro measures. */
  readonly macroF1: number
  readonly instanceF1: number
  /** The mean over all labels, as in the Mulan library: a label that is never true and never predicted counts as 1. */
  readonly macroF1Mulan: number
  readonly microPrecision: number
  readonly microRecall: number
  readonly macroPrecision: number
  readonly macroRecall: number
  readonly instancePrecision: number
  readonly instanceRecall: number
}

/** Compares predicted label sets with the true ones, row by row. */
export function setMeasures(truth: LabelMatrix, predicted: LabelMatrix): SetMeasures {
  const { correctByLabel, correctByRow } = countAgreement(truth, predicted)
  const correct = correctByLabel.reduce((sum, count) => sum + count, 0)
  const micro = rates(truth.entries, predicted.entries, correct)
  const [support, answered] = [truth.counts(), predicted.counts()]
  const labelRates = (label: number) => rates(support[label], answered[label], correctByLabel[label])
  const labels = Uint32Array.from(support.keys())
  const occurring = labels.filter(label => support[label] > 0)
  const macro = meanRates(occurring, labelRates) ?? micro
  const mulan = meanRates(labels, labelRates) ?? micro
  const rowRates = (row: number) => rates(labelCount(truth, row), labelCount(predicted, row), correctByRow[row])
  const instance = meanRates(Uint32Array.from(correctByRow.keys()), rowRates) ?? micro
  const wrong = truth.entries + predicted.entries - 2 * correct
  return {
    accuracy: instance.jaccard,
    hammingLoss: wrong === 0 ? 0 : wrong / (truth.rows * truth.columns),
    microF1: micro.f1,
    macroF1: macro.f1,
    instanceF1: instance.f1,
    macroF1Mulan: mulan.f1,
    microPrecision: micro.precision,
    microRecall: micro.recall,
    macroPrecision: macro.precision,
    macroRecall: macro.recall,
    instancePrecision: instance.precision,
    instanceRecall: instance.recall,
  }
}
