// What a classifier is fitted on and asked about: the texts of a data set, or its features as sparse rows.

import type { Dataset } from '../data/dataset.ts'
import { EngineError } from '../errors.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import type { Classifier, Items } from './classifier.ts'

/** What `classifier` can label of `dataset`. */
export function itemsOf(dataset: Dataset, { takesTexts }: Pick<Classifier, 'takesTexts'>): Items {
  const { texts, features } = dataset
  if (takesTexts && texts) return texts
  if (!takesTexts && features) return features instanceof DenseMatrix ? toSparse(features) : features
  throw takesTexts ? noTexts(dataset) : noFeatures(dataset)
}

/** The same rows without their zeros. */
function toSparse({ rows, columns, values }: DenseMatrix): SparseMatrix {
  const offsets = new Float64Array(rows + 1)
  for (let i = 0; i < rows; i++) {
    let filled = offsets[i]
    for (let j = 0; j < columns; j++) if (values[i * columns + j] !== 0) filled++
    offsets[i + 1] = filled
  }
  const indices = new Uint32Array(offsets[rows])
  const kept = new Float32Array(offsets[rows])
  for (let i = 0, e = 0; i < rows; i++) {
    for (let j = 0; j < columns; j++) {
      const value = values[i * columns + j]
      if (value === 0) continue
      indices[e] = j
      kept[e++] = value
    }
  }
  return new SparseMatrix(rows, columns, offsets, indices, kept)
}

function noTexts({ name }: Dataset): EngineError {
  return new EngineError('BAD_DATA', `${name} has no texts, and the model was fitted on texts`, {
    hint: 'Name the column that holds them with `textColumns`.',
  })
}

function noFeatures({ name, texts }: Dataset): EngineError {
  const given = texts ? 'holds texts' : 'has no features'
  return new EngineError('BAD_DATA', `${name} ${given}, and the model was fitted on vectors`, {
    hint: 'Give it rows with the features of the training data.',
  })
}
