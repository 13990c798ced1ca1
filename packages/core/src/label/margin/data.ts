// Training rows as the margin classifier learns from them, and nets of some of them.

import type { Dataset } from '../../data/dataset.ts'
import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import { LabelNames } from '../label-names.ts'
import { checkTraining, namesOf } from '../training-data.ts'
import { isBlank, type MarginReader, readMarginItems } from './items.ts'
import type { MarginSettings, OwnDistance } from './options.ts'

/** Rows as they are learned from. */
export interface MarginData {
  readonly settings: MarginSettings
  readonly reader: MarginReader
  readonly items: readonly MetricItem[]
  readonly rowLabels: Uint32Array[]
  readonly names: readonly string[]
  /** Rows that have a label, and a text that is not blank. */
  readonly labeled: readonly number[]
}

export function readMarginData(
  dataset: Dataset,
  settings: MarginSettings,
  work: LongWork,
  own?: OwnDistance,
): MarginData {
  const labels = checkTraining(dataset)
  const names = namesOf(dataset, labels)
  new LabelNames(names) // refuses names that repeat, before the work begins
  const { reader, items } = readMarginItems(dataset, settings, work, own)
  const rowLabels = Array.from({ length: labels.rows }, (_, row) => labels.row(row).slice())
  const labeled = [...rowLabels.keys()].filter(row => rowLabels[row].length > 0 && !isBlank(items[row]))
  if (labeled.length === 0) throw allBlank(dataset)
  return { settings, reader, items, rowLabels, names, labeled }
}

function allBlank({ name }: Dataset): EngineError {
  return new EngineError('EMPTY_DATA', `${name} has no row with both a label and a text`, {
    hint: 'Give items whose text is not empty.',
  })
}

/** A net of some rows, which keep their numbers. */
export async function netOf(
  { reader, items }: Pick<MarginData, 'reader' | 'items'>,
  rows: readonly number[],
  what: string,
  work: LongWork,
): Promise<Net<MetricItem>> {
  const net = new Net<MetricItem>(reader.metric, Array.from({ length: items.length }))
  await eachInTurns(rows.length, what, work, i => {
    net.items[rows[i]] = items[rows[i]]
    net.insert(rows[i])
  })
  return net
}
