// How good a classifier's answers are on labeled data, and what they cost.

import { type LabeledItems, labeledInTurns } from '../data/given/labeled.ts'
import { EngineError } from '../errors.ts'
import { evaluate, type Metrics } from '../evaluate/evaluate.ts'
import type { RankedLabels } from '../evaluate/predictions.ts'
import { labelPropensities, type PropensityOptions, propensitiesMissing } from '../evaluate/propensity.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import {
  checkedLater,
  checkFunction,
  checkObject,
  checkOptions,
  checkThreads,
  optionTable,
  workChecks,
} from '../options.ts'
import { type AlignedLabels, alignLabels } from './align-labels.ts'
import { changesOf } from './changes.ts'
import type { BatchOptions, Classifier } from './classifier.ts'
import { itemsOf } from './items.ts'

/** Options of `evaluateClassifier`. */
export interface EvaluateClassifierOptions
  extends Pick<BatchOptions, 'threads' | 'signal' | 'onProgress'>,
    PropensityOptions {}

/** What `evaluateClassifier` returns. */
export interface ClassifierEvaluation {
  /** Without psp if the model has too few training rows; `pspMissing` says so. */
  readonly metrics: Metrics
  /** Why psp was not measured; undefined if it was. */
  readonly pspMissing: string | undefined
  /** Time per item to rank five labels, on all threads together. */
  readonly millisPerItem: number
  /** The data's labels in the model's numbering. Labels that the model does not know come last and count as missed. */
  readonly truth: AlignedLabels
  /** The predicted sets, as wide as the truth. */
  readonly predicted: LabelMatrix
  /** The first five labels of each item with their scores. */
  readonly ranked: RankedLabels
}

const evaluateOptions = optionTable<EvaluateClassifierOptions>({
  ...{ exponent: checkedLater, shift: checkedLater, threads: checkThreads },
  ...workChecks,
})

const deepestCut = 5

/**
 * Predicts every row of `items` (anything `fit` takes) and compares with its labels. Labels are matched by name. Do not add or remove rows
 * of the classifier meanwhile: that is refused.
 */
export async function evaluateClassifier(
  classifier: Classifier,
  items: LabeledItems,
  options: EvaluateClassifierOptions = {},
): Promise<ClassifierEvaluation> {
  checkOptions(options, evaluateOptions)
  const { exponent, shift, ...work } = options
  checkClassifier(classifier)
  const before = stateOf(classifier)
  const dataset = await labeledInTurns(items, work)
  const truth = alignLabels(dataset, classifier.labelNames)
  const asked = itemsOf(dataset, classifier)
  const start = performance.now()
  const answers = await classifier.predictBatch(asked, { ...work, top: deepestCut })
  const millisPerItem = (performance.now() - start) / dataset.rows
  const { rows, offsets, indices } = await classifier.predictSets(asked, work)
  const predicted = new LabelMatrix(rows, truth.labels.columns, offsets, indices)
  checkSame(before, stateOf(classifier))
  const pspMissing = propensitiesMissing(classifier.rows)
  const propensities =
    pspMissing === undefined &&
    propensitiesOf(classifier, truth.labels.columns, {
      ...(exponent !== undefined && { exponent }),
      ...(shift !== undefined && { shift }),
    })
  const ranked = widen(answers)
  const metrics = evaluate(truth.labels, ranked, predicted, propensities ? { propensities } : {})
  return { metrics, pspMissing, millisPerItem, truth, predicted, ranked }
}

/** Changes when rows are added or removed. Classifiers of others count no changes, hence the number of rows per label. */
function stateOf(classifier: Classifier): readonly number[] {
  return [changesOf(classifier), classifier.rows, ...classifier.labelCounts()]
}

/** Rankings and sets must come from the same state of the model. */
function checkSame(before: readonly number[], after: readonly number[]): void {
  if (before.length === after.length && before.every((count, i) => count === after[i])) return
  throw new EngineError('INVALID_OPTION', 'the classifier changed while it was being evaluated', {
    hint: 'Wait for evaluateClassifier before you add or remove rows.',
  })
}

/** Refuses anything that is not a classifier, such as one that was not awaited. */
function checkClassifier(classifier: Classifier): void {
  checkObject('classifier', classifier, 'a classifier')
  for (const part of ['predictBatch', 'predictSets', 'labelCounts'] as const) {
    checkFunction(`classifier.${part}`, classifier[part])
  }
}

/** The rankings, padded to the deepest cut: a model with few labels ranks fewer, and items may have more. */
function widen({ rows, top, labels, scores, counts }: RankedLabels): RankedLabels {
  const wide = {
    rows,
    top: deepestCut,
    labels: new Uint32Array(rows * deepestCut),
    scores: new Float32Array(rows * deepestCut),
    counts,
  }
  for (let row = 0; row < rows; row++) {
    const [from, to] = [row * top, row * top + counts[row]]
    wide.labels.set(labels.subarray(from, to), row * deepestCut)
    wide.scores.set(scores.subarray(from, to), row * deepestCut)
  }
  return wide
}

/** Labels that the model has never seen are the rarest. */
function propensitiesOf(classifier: Classifier, columns: number, options: PropensityOptions): Float64Array {
  const counts = () => {
    const padded = new Float64Array(columns)
    padded.set(classifier.labelCounts())
    return padded
  }
  return labelPropensities({ rows: classifier.rows, counts }, options)
}
