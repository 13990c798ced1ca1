// Rows added after fitting: checked, and converted to what the model sees. Invariant: refused data changes nothing.

import type { Dataset } from '../data/dataset.ts'
import { type LabeledItems, labeledItems } from '../data/given/labeled.ts'
import { EngineError, shown } from '../errors.ts'
import type { Id } from '../ids/id.ts'
import type { SparseMatrix, SparseRow } from '../matrix/sparse-matrix.ts'
import { itemsOf } from './items.ts'
import type { LabelNames } from './label-names.ts'
import { type ItemReader, readItems } from './reading/item-reader.ts'
import { refuseEmptyRows } from './reading/learn-reader.ts'
import { checkMoreTraining, namesOf } from './training-data.ts'

export interface NewRow {
  readonly row: SparseRow
  /** Ascending. */
  readonly labels: Uint32Array
  readonly id: Id | undefined
  readonly text: string
}

/**
 * The rows of a data set; labels that are new get numbers. `rowOf` tells whether an id is taken, `allowsEmpty` whether dense rows may
 * be without a direction.
 */
export function readNewRows(
  model: ItemReader & { readonly labelNames: LabelNames },
  items: LabeledItems,
  rowOf: (id: Id) => number | undefined,
  allowsEmpty = false,
): NewRow[] {
  const dataset = labeledItems(items)
  if (dataset.rows === 0) return []
  const labels = checkMoreTraining(dataset)
  const rows = readItems(model, itemsOf(dataset, { takesTexts: model.pipeline !== undefined }))
  if (!model.space) refuseUnknown(rows, dataset)
  else if (!allowsEmpty) refuseEmptyRows(rows)
  checkIds(dataset.ids, rowOf)
  const names = model.labelNames.idsOf(namesOf(dataset, labels), dataset.vocabulary)
  const read = Array.from({ length: rows.rows }, (_, i) => ({
    row: rows.row(i),
    labels: model.labelNames.numbersOf(Array.from(labels.row(i), label => names[label])),
    id: dataset.ids?.[i],
    text: dataset.texts?.[i] ?? '',
  }))
  model.labelNames.nameMore(dataset.vocabulary)
  return read
}

/** Tokens and features stay as they were fitted: nothing would be learned from an item that has none of them. */
function refuseUnknown({ rows, offsets }: SparseMatrix, { texts, ids }: Dataset): void {
  for (let row = 0; row < rows; row++) {
    if (offsets[row + 1] > offsets[row]) continue
    const name = ids === undefined ? `item ${row}` : `item ${row} (id ${shown(ids[row])})`
    const what = texts ? 'word' : 'feature'
    throw new EngineError(
      'BAD_DATA',
      `${name} has no ${what} that the model knows: there is nothing to learn from it`,
      {
        hint: `partialFit learns no new ${what}s. Leave out the item, or fit a new model with it.`,
      },
    )
  }
}

/** Refuses ids that are taken, or given twice. */
export function checkIds(ids: readonly Id[] | undefined, rowOf: (id: Id) => number | undefined): void {
  const seen = new Set<Id>()
  for (const id of ids ?? []) {
    if (rowOf(id) !== undefined || seen.has(id)) {
      throw new EngineError('BAD_DATA', `the id ${JSON.stringify(id)} already exists`, {
        hint: 'Give every row its own id. To replace a row, remove it first.',
      })
    }
    seen.add(id)
  }
}
