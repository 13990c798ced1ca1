// Training rows as the margin classifier learns from them, and nets of some of them.

import type { Dataset } from '../../data/dataset.ts'
import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import { LabelNames } from '../label-names.ts'
import { checkTraining, namesOf } from '../training-data.ts'
import { type MarginReader, readMarginItems } from './items.ts'
import type { MarginSettings, OwnDistance } from './options.ts'

/** Rows as they are learned from. */
export interface MarginData {
  readonly settings: MarginSettings
  readonly reader: MarginReader
  readonly items: readonly MetricItem[]
  readonly rowLabels: Uint32Array[]
  readonly names: readonly string[]
  /** Rows that have a label. */
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
  const labeled = [...rowLabels.keys()].filter(row => rowLabels[row].length > 0)
  return { settings, reader, items, rowLabels, names, labeled }
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
