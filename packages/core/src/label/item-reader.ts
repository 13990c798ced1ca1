// Items as models see them: checked at the door, then weighted rows of length 1.

import type { TextPipeline } from '../data/text/text-pipeline.ts'
import { EngineError } from '../errors.ts'
import { SparseMatrix, type SparseRow } from '../matrix/sparse-matrix.ts'
import { checkColumns, checkMatrix, checkRow } from '../search/inverted-checks.ts'
import type { Item, Items } from './classifier.ts'
import { weighRow, weighRows } from './weighted-rows.ts'

/** What turns items into rows. */
export interface ItemReader {
  /** Absent where the model was fitted on vectors. */
  readonly pipeline: TextPipeline | undefined
  /** What features weigh, one a column. */
  readonly weights: Float32Array
}

export function readItem({ pipeline, weights }: ItemReader, item: Item): SparseRow {
  if (typeof item === 'string') {
    if (!pipeline) throw noPipeline()
    return weighRow(pipeline.transform(item), weights)
  }
  checkRow(item, weights.length, 'the item')
  return weighRow(item, weights)
}

export function readItems({ pipeline, weights }: ItemReader, items: Items): SparseMatrix {
  if (items instanceof SparseMatrix) {
    checkColumns(items, weights.length)
    checkMatrix(items, 'item')
    return weighRows(items, weights)
  }
  if (!pipeline) throw noPipeline()
  return weighRows(pipeline.transformBatch(items), weights)
}

function noPipeline(): EngineError {
  return new EngineError('INVALID_OPTION', 'a text was given, but the model was fitted on vectors', {
    hint: 'Give sparse rows with the features of the training data, or fit the model on texts.',
  })
}
