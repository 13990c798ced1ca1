// What every reader makes and every method is fitted on: rows with any of ids, texts, features and labels.

import { EngineError } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import { checkEntries, checkRow } from '../matrix/checks.ts'
import type { DenseMatrix } from '../matrix/dense-matrix.ts'
import { requireNumberList } from '../matrix/given-vector.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { isMatrix } from '../matrix/matrix-kind.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { type Check, checkText, checkTexts, checkWhole, refuse } from '../options.ts'
import { checkVocabulary } from './vocabulary/check-vocabulary.ts'
import type { Vocabulary } from './vocabulary/vocabulary.ts'

/** Rows to learn from, evaluate on or index: features or texts, with labels and ids if there are any. */
export interface Dataset {
  /** Where it came from: a file name, or the caller's word. Used in messages. */
  readonly name: string
  readonly rows: number
  /** The caller's key of each row. Without it, a row's number is its id. */
  readonly ids?: readonly Id[]
  readonly texts?: readonly string[]
  readonly features?: DenseMatrix | SparseMatrix
  /** One name per feature column. */
  readonly featureNames?: readonly string[]
  readonly labels?: LabelMatrix
  /** What the data calls each label: its id, such as a URI or a code, or its name. One a label column. */
  readonly labelNames?: readonly string[]
  /** The names of these ids. */
  readonly vocabulary?: Vocabulary
  /** Labels that were dropped because the vocabulary does not have them: only if you asked for `onlyVocabulary`. */
  readonly droppedLabels?: readonly string[]
  /** Deprecated labels that became their replacements in the vocabulary: see `Vocabulary.currentId`. */
  readonly replacedLabels?: readonly string[]
  /** Rows left out because they were bad, if you asked for `skipBadRows`. */
  readonly skipped?: readonly SkippedRow[]
  /** Which columns or fields of the file the parts are from; absent if the format leaves no choice. */
  readonly columns?: ColumnsRead
}

/** The columns or fields used as ids, texts, labels and features. Without a header they are called 'column 1' and so on. */
export interface ColumnsRead {
  readonly text?: readonly string[]
  readonly labels?: string
  /** What cells of a table were split into labels at; ' ' is any white space. Absent if no cell was split. */
  readonly labelSeparator?: string
  readonly id?: string
  readonly vector?: string
  /** Columns of numbers that are a feature each. */
  readonly features?: readonly string[]
}

/** A bad row that was skipped because you asked for it. */
export interface SkippedRow {
  readonly line: number
  readonly message: string
}

/** The rows at `picked`, in that order. Keeps all feature and label names. */
export function selectRows(dataset: Dataset, picked: ArrayLike<number>): Dataset {
  checkDataset(dataset)
  requireNumberList(picked, 'the selection')
  checkEntries('the selection', picked.length)
  for (let i = 0; i < picked.length; i++) checkRow(picked[i], dataset.rows)
  const pick = <T>(items: readonly T[]): T[] => Array.from(picked, row => items[row])
  return {
    ...dataset,
    rows: picked.length,
    ...(dataset.ids && { ids: pick(dataset.ids) }),
    ...(dataset.texts && { texts: pick(dataset.texts) }),
    ...(dataset.features && { features: dataset.features.select(picked) }),
    ...(dataset.labels && { labels: dataset.labels.select(picked) }),
  }
}

const partChecks: Readonly<Record<Exclude<keyof Dataset, 'skipped' | 'columns'>, Check>> = {
  name: checkText,
  rows: (name, value) => checkWhole(name, value, 0, 2 ** 32),
  ids: (name, value) => {
    const isList = Array.isArray(value) && value.every(id => typeof id === 'string' || typeof id === 'number')
    if (!isList) refuse(name, value, 'a list of texts or numbers')
  },
  texts: checkTexts,
  features: (name, value) => {
    const isFeatures = isMatrix(value, 'DenseMatrix') || isMatrix(value, 'SparseMatrix')
    if (!isFeatures) refuse(name, value, 'a DenseMatrix or a SparseMatrix')
  },
  featureNames: checkTexts,
  labels: (name, value) => {
    if (!isMatrix(value, 'LabelMatrix')) refuse(name, value, 'a LabelMatrix')
  },
  labelNames: checkTexts,
  vocabulary: checkVocabulary,
  droppedLabels: checkTexts,
  replacedLabels: checkTexts,
}

/** Refuses a part that is not of its type: data sets may be written by hand. */
function checkParts(dataset: Dataset): void {
  if (typeof dataset !== 'object' || dataset === null) refuse('the data set', dataset, 'an object with rows')
  for (const [part, check] of Object.entries(partChecks)) {
    const value = dataset[part as keyof Dataset] // one of its names
    const isRequired = part === 'name' || part === 'rows'
    if (value !== undefined || isRequired) check(`the data set's ${part}`, value)
  }
}

/** Refuses a data set whose parts disagree about how many rows, features or labels there are. */
export function checkDataset(dataset: Dataset): Dataset {
  checkParts(dataset)
  const { name, rows, features, labels } = dataset
  const lengths = [
    ['ids', dataset.ids?.length, rows],
    ['texts', dataset.texts?.length, rows],
    ['feature rows', features?.rows, rows],
    ['label rows', labels?.rows, rows],
    ['feature names', dataset.featureNames?.length, features?.columns],
    ['label names', dataset.labelNames?.length, labels?.columns],
  ] as const
  for (const [what, found, expected] of lengths) {
    if (found !== undefined && expected !== undefined && found !== expected) {
      throw new EngineError('DIMENSION_MISMATCH', `${name}: ${found} ${what}, expected ${expected}`)
    }
  }
  return dataset
}
