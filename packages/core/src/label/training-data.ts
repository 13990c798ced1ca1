// A data set as classifiers learn from it: sparse or dense rows of finite numbers, and their labels. Texts become sparse rows by
// a pipeline that is learned here.

import { checkDataset, type Dataset } from '../data/dataset.ts'
import { givenItems } from '../data/given/labeled.ts'
import type { TextOptions } from '../data/text/text-options.ts'
import { TextPipeline } from '../data/text/text-pipeline.ts'
import { EngineError } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkMatrix } from '../matrix/sparse-checks.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { isDense, toDense, toSparse } from './reading/vector-layout.ts'

export interface TrainingData {
  readonly dataset: Dataset
  /** Absent if the data has no texts. */
  readonly pipeline: TextPipeline | undefined
  /** Dense if rows are compared as dense vectors. */
  readonly features: DenseMatrix | SparseMatrix
  readonly labels: LabelMatrix
  readonly labelNames: readonly string[]
}

/** Refuses data that nothing can be learned from. */
export async function readTraining(dataset: Dataset, text: TextOptions, work: LongWork): Promise<TrainingData> {
  const labels = checkTraining(dataset)
  const { pipeline, features } = await featuresOf(dataset, text, work)
  return { dataset, pipeline, features, labels, labelNames: namesOf(dataset, labels) }
}

/** The labels of a data set that has rows and labels. */
export function checkTraining(dataset: Dataset): LabelMatrix {
  const { name, rows, labels } = checkDataset(dataset)
  if (rows === 0) throw new EngineError('EMPTY_DATA', `${name} has no rows to learn from`)
  if (labels && labels.entries > 0) return labels
  throw noLabels(dataset)
}

/** The labels of rows that are added later. All may be without any: such a row says that no label fits, and lowers those of its neighbors. */
export function checkMoreTraining(dataset: Dataset): LabelMatrix {
  const { labels } = checkDataset(dataset)
  if (labels) return labels
  throw noLabels(dataset)
}

function noLabels(dataset: Dataset): EngineError {
  return new EngineError('EMPTY_DATA', `${dataset.name} has no labels to learn from`, { hint: labelsHint(dataset) })
}

/** How to give labels to data that has none: objects have a field, tables a column. */
export function labelsHint({ name, columns }: Dataset): string {
  if (columns) return 'Name the column that holds them with `labelColumn`.'
  if (name === givenItems) return "Give at least one item labels, such as labels: ['a', 'b']."
  return 'Give data with labels.'
}

/** The name of each label, or its number if it has none. */
export function namesOf({ labelNames }: Dataset, labels: LabelMatrix): readonly string[] {
  return labelNames ?? Array.from({ length: labels.columns }, (_, label) => String(label))
}

async function featuresOf(
  dataset: Dataset,
  text: TextOptions,
  { signal, onProgress }: LongWork,
): Promise<Pick<TrainingData, 'pipeline' | 'features'>> {
  if (dataset.texts) return TextPipeline.fitInTurns(dataset.texts, { ...text, signal, onProgress })
  if (!dataset.features) throw nothingToLearnFrom(dataset)
  return { pipeline: undefined, features: vectorsOf(dataset.name, dataset.features) }
}

/** In the layout that suits them, with finite numbers. */
function vectorsOf(name: string, given: DenseMatrix | SparseMatrix): DenseMatrix | SparseMatrix {
  const dense = given instanceof DenseMatrix
  if (dense) given.assertFinite()
  else checkMatrix(given, `${name}: row`, true)
  if (isDense(given)) return dense ? given : toDense(given)
  return dense ? toSparse(given) : given
}

function nothingToLearnFrom({ name }: Dataset): EngineError {
  return new EngineError('EMPTY_DATA', `${name} has neither texts nor features to learn from`, {
    hint: 'Name the columns that hold texts with `textColumns`.',
  })
}
