// Fitting (section 4 of paper 004): the gap is chosen and rows in conflict are dropped (label/margin/separation/separate.ts) → rows are
// moved together, if requested → a net of what is left.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { IdTable } from '../../ids/id-table.ts'
import type { LongWork } from '../../long-work.ts'
import type { MetricItem } from '../../nets/metrics/named-metrics.ts'
import type { Net } from '../../nets/net.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { LabelNames } from '../label-names.ts'
import { netOf, readMarginData } from './data.ts'
import { type MarginModel, mostLabelsOf } from './model.ts'
import { type MarginOptions, type OwnDistanceOption, resolveMarginOptions } from './options.ts'
import { perturbRows } from './perturb.ts'
import { separate } from './separation/separate.ts'

export async function fitMargin(
  items: LabeledItems,
  options: MarginOptions & OwnDistanceOption & LongWork,
): Promise<MarginModel> {
  const settings = resolveMarginOptions(options)
  const { signal, onProgress } = options
  const work = { signal, onProgress }
  const dataset = await labeledInTurns(items, work)
  const data = readMarginData(dataset, settings, work, options.ownDistance)
  const ids = new IdTable(dataset.rows, dataset.ids)
  const { dropped, report } = await separate(data, work)
  const kept = data.labeled.filter(row => dropped[row] === 0)
  const moved = data.settings.perturb > 0 ? await perturbRows(data, kept, report.diameter, work) : undefined
  const { rowLabels } = data
  const placeLabels = new Map(moved?.places.map(({ row, labels }) => [row, labels]))
  const net = await netOf(data, moved?.places.map(({ row }) => row) ?? kept, 'indexing', work)
  const places = moved?.places.length ?? kept.length
  return {
    ...{ settings: data.settings, reader: data.reader, net, ids },
    ...{ rowLabels, placeLabels, mostLabels: mostLabelsOf(rowLabels, placeLabels.values()) },
    report: { ...report, kept: places, ...(moved && { perturbation: moved.report }) },
    labelNames: new LabelNames(data.names, dataset.vocabulary),
    texts: data.reader.pipeline && dataset.texts ? keepTexts(dataset.texts, net) : undefined,
  }
}

function keepTexts(texts: readonly string[], net: Net<MetricItem>): string[] {
  return texts.map((text, row) => (net.items[row] === undefined ? '' : wellFormed(text)))
}
