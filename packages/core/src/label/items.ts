// Which part of a data set a classifier uses: its texts or its features.

import { checkDataset, type Dataset } from '../data/dataset.ts'
import type { BareItem, ItemList } from '../data/given/items.ts'
import { EngineError } from '../errors.ts'
import { checkObject } from '../options.ts'
import type { Classifier } from './classifier.ts'

/** The items of `dataset` that `classifier` can label. */
export function itemsOf(dataset: Dataset, classifier: Pick<Classifier, 'takesTexts'>): ItemList {
  checkObject('classifier', classifier, 'a classifier')
  const { takesTexts } = classifier
  const { texts, features } = checkDataset(dataset)
  if (takesTexts && texts) return texts
  if (!takesTexts && features) return features
  throw takesTexts ? noTexts(dataset) : noFeatures(dataset)
}

export function countItems(items: ItemList): number {
  return 'rows' in items ? items.rows : items.length
}

export function itemAt(items: ItemList, row: number): BareItem {
  return 'rows' in items ? items.row(row) : items[row]
}

function noTexts({ name }: Dataset): EngineError {
  return new EngineError('BAD_DATA', `${name} has no texts, and the model was fitted on texts`, {
    hint: 'Name the column that holds them with `textColumns`.',
  })
}

function noFeatures({ name, texts }: Dataset): EngineError {
  const given = texts ? 'holds texts' : 'has no features'
  return new EngineError('BAD_DATA', `${name} ${given}, and the model was fitted on vectors`, {
    hint: 'Give rows with the same features as the training data.',
  })
}
