// What every reader makes and every method is fitted on: rows with any of ids, texts, features and labels.

import { EngineError } from '../errors.ts'
import type { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import type { SparseMatrix } from '../matrix/sparse-matrix.ts'

export interface Dataset {
  /** Where it came from: a file name, or the caller's word. Used in messages. */
  readonly name: string
  readonly rows: number
  /** The caller's key of each row. Without it, a row's number is its id. */
  readonly ids?: readonly string[]
  readonly texts?: readonly string[]
  readonly features?: DenseMatrix | SparseMatrix
  /** One name a feature column. */
  readonly featureNames?: readonly string[]
  readonly labels?: LabelMatrix
  /** One name a label column. */
  readonly labelNames?: readonly string[]
  /** Rows left out because they were bad: only where the caller asked for `skipBadRows`. */
  readonly skipped?: readonly SkippedRow[]
}

export interface SkippedRow {
  readonly line: number
  readonly message: string
}

/** The rows at `picked`, in that order; names stay whole. */
export function selectRows(dataset: Dataset, picked: ArrayLike<number>): Dataset {
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

/** Refuses a data set whose parts disagree about how many rows, features or labels there are. */
export function checkDataset(dataset: Dataset): Dataset {
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
