// The quality of a classifier's answers to labeled items, ready to be shown: overall, per label and per score.

import type { LabeledItems } from '../data/given/labeled.ts'
import type { Metrics } from '../evaluate/evaluate.ts'
import { type LabelReport, labelReport } from '../evaluate/label-report.ts'
import { type ReliabilityBin, reliabilityBins } from '../evaluate/reliability.ts'
import type { Classifier, NamedLabel } from '../label/classifier.ts'
import { type EvaluateClassifierOptions, evaluateClassifier } from '../label/evaluate-classifier.ts'

/** How well one label is predicted, by its id and name. */
export interface NamedLabelReport extends Omit<LabelReport, 'label'>, NamedLabel {}

/** What `measureQuality` returns. */
export interface ClassifierQuality {
  /** Items it was measured on. */
  readonly n: number
  readonly metrics: Metrics
  /** Why the psp metrics are missing, if they are. */
  readonly pspMissing?: string
  /** What ranking five labels took, per item, on all threads together. */
  readonly millisPerItem: number
  /** Labels that an item has, or that were predicted for one. */
  readonly perLabel: readonly NamedLabelReport[]
  /** The first five suggestions of each item, by score. */
  readonly reliability: readonly ReliabilityBin[]
}

/** Measures a classifier on labeled items: metrics, a report per label, and whether scores mean what they seem to. */
export async function measureQuality(
  classifier: Classifier,
  items: LabeledItems,
  options: EvaluateClassifierOptions = {},
): Promise<ClassifierQuality> {
  const evaluation = await evaluateClassifier(classifier, items, options)
  const { metrics, pspMissing, millisPerItem, truth, predicted, ranked } = evaluation
  const perLabel = labelReport(truth.labels, predicted)
    .filter(({ support, predicted }) => support + predicted > 0)
    .map(({ label, ...report }) => ({ ...namedLabel(classifier, truth.labelNames[label]), ...report }))
  const reliability = reliabilityBins(truth.labels, ranked)
  return {
    ...{ n: truth.labels.rows, metrics, millisPerItem, perLabel, reliability },
    ...(pspMissing !== undefined && { pspMissing }),
  }
}

function namedLabel({ vocabulary }: Classifier, label: string): NamedLabel {
  const name = vocabulary?.nameOf(label)
  return name === undefined ? { label } : { label, name }
}
