// A fitted MarginClassifier as the contents of a model file, and back. A loaded model gives the same answers.

import { TextPipeline } from '../../data/text/text-pipeline.ts'
import { EngineError } from '../../errors.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { requireMethod } from '../../model-kinds.ts'
import { isLayout, packTree, unpackTree } from '../../nets/tree-contents.ts'
import { areDistinct } from '../../store/array-checks.ts'
import type { ModelContents } from '../../store/header.ts'
import { isJsonObject } from '../../store/json.ts'
import { packNames, StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { packLabelNames, storedLabelNames } from '../label-contents.ts'
import { type MarginReader, makeReader, withOwn } from './items.ts'
import { asJson, type MarginModel, type MarginReport, mostLabelsOf } from './model.ts'
import { type OwnDistance, resolveMarginOptions } from './options.ts'

export const storedMargin = 'margin'

export function packMargin(model: MarginModel): ModelContents {
  const { reader, net, ids, report, rowLabels, labelNames } = model
  const labels = LabelMatrix.from(rowLabels, labelNames.count)
  return {
    method: storedMargin,
    options: asJson(model.settings),
    meta: {
      ...{
        rows: ids.rows,
        labels: labelNames.count,
        dims: reader.kind.columnsOf(net.items),
        layout: reader.kind.layout,
      },
      ...{ report: asJson(report), own: reader.own ?? false },
      ...(reader.pipeline && { text: asJson(reader.pipeline.state()) }),
    },
    tensors: {
      ...packTree(reader.kind, net, ids),
      ...packLabelNames(labelNames),
      ...packNames('texts', model.texts),
      ...{ labelOffsets: tensor1d(labels.offsets), labels: tensor1d(labels.indices) },
      ...packPlaces(model),
    },
  }
}

function packPlaces({ placeLabels, labelNames }: MarginModel): Record<string, Tensor> {
  if (placeLabels.size === 0) return {}
  const { offsets, indices } = LabelMatrix.from([...placeLabels.values()], labelNames.count)
  const places = Uint32Array.from(placeLabels.keys())
  return { places: tensor1d(places), placeOffsets: tensor1d(offsets), placeLabels: tensor1d(indices) }
}

/** The model that `packMargin` packed; `name` is what messages call the file. */
export function unpackMargin(contents: ModelContents, name: string, own?: OwnDistance): MarginModel {
  requireMethod(contents, name, storedMargin)
  const stored = new StoredParts(contents, name)
  const settings = stored.checked(() => resolveMarginOptions(contents.options))
  const report = readReport(stored)
  const reader = readReader(stored, report.distance, own)
  const rows = stored.whole('rows')
  const { net, ids } = stored.checked(() => unpackTree(reader.kind, reader.metric, rows, contents.tensors, true))
  const labelNames = storedLabelNames(stored)
  const rowLabels = readLabels(stored, rows, labelNames.count, 'labelOffsets', 'labels')
  const placeLabels = readPlaces(stored, rows, labelNames.count)
  const mostLabels = mostLabelsOf(rowLabels, placeLabels.values())
  const texts = stored.names('texts', rows)
  return { settings, report, reader, net, ids, rowLabels, placeLabels, mostLabels, labelNames, texts }
}

function readLabels(stored: StoredParts, rows: number, count: number, offsets: string, labels: string) {
  const [ends, indices] = [stored.array(offsets, Float64Array), stored.array(labels, Uint32Array)]
  const matrix = stored.checked(() => new LabelMatrix(rows, count, ends, indices))
  return Array.from({ length: rows }, (_, row) => matrix.row(row).slice())
}

function readPlaces(stored: StoredParts, rows: number, count: number): MarginModel['placeLabels'] {
  if (!stored.has('places')) return new Map()
  const places = stored.array('places', Uint32Array)
  if (!areDistinct(places, rows)) return stored.refuse('its places are not those of its rows')
  const labels = readLabels(stored, places.length, count, 'placeOffsets', 'placeLabels')
  return new Map(labels.map((own, i) => [places[i], own]))
}

function readReport(stored: StoredParts): MarginReport {
  const { report } = stored.contents.meta
  const { gap, distance } = isJsonObject(report) ? report : {}
  const isReport = typeof gap === 'number' && gap >= 0 && Number.isFinite(gap) && typeof distance === 'string'
  // As packMargin wrote it; everything that answers depend on was checked above.
  return isReport ? (report as unknown as MarginReport) : stored.refuse('its report is missing')
}

function readReader(stored: StoredParts, distance: string, given: OwnDistance | undefined): MarginReader {
  const { layout, text, own } = stored.contents.meta
  if (!isLayout(layout)) return stored.refuse('its layout is missing')
  const pipeline = text === undefined ? undefined : stored.checked(() => TextPipeline.fromState(text))
  const read = (name: string) => stored.checked(() => makeReader(layout, stored.whole('dims'), name, pipeline))
  if (own !== true) return read(distance)
  if (given?.name === distance) return withOwn(read('auto'), given)
  throw new EngineError(
    'INVALID_OPTION',
    `the model was fitted with your own distance '${distance}', and you did not pass it`,
    {
      hint: 'Files hold no code: pass the ownDistance that the model was fitted with.',
    },
  )
}
