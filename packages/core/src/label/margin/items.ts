// Items as the margin classifier sees them: texts as they are, or vectors, dense if few of their numbers are zero. For vector metrics,
// texts go through the text pipeline.

import type { Dataset } from '../../data/dataset.ts'
import type { ItemList } from '../../data/given/items.ts'
import { type BareItem, bareItem } from '../../data/given/items.ts'
import type { TextOptions } from '../../data/text/text-options.ts'
import { TextPipeline } from '../../data/text/text-pipeline.ts'
import { EngineError, shown } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { type ItemKind, itemKind } from '../../nets/items.ts'
import type { Metric } from '../../nets/metrics/metric.ts'
import { guarded, requireMetric } from '../../nets/metrics/metric-fault.ts'
import { findNetMetric, type ItemLayout, type MetricItem, metricNamesFor } from '../../nets/metrics/named-metrics.ts'
import type { Item } from '../classifier.ts'
import { countItems, itemAt } from '../items.ts'
import { isSparseRow, readVector, toDenseRow, toSparse, toSparseRow } from '../reading/vector-layout.ts'
import type { MarginSettings, OwnDistance } from './options.ts'

export interface MarginReader {
  readonly kind: ItemKind<MetricItem>
  readonly metric: Metric<MetricItem>
  /** Absent if items are compared as they are. */
  readonly pipeline: TextPipeline | undefined
  /** Whether the metric is the caller's own. */
  readonly own?: boolean
}

/** Rows with at least this share of nonzero entries are stored dense: distances are then several times as fast. */
const denseShare = 0.25

/** The items of a data set, and how to read others like them. */
export function readMarginItems(
  dataset: Dataset,
  { distance, text }: Pick<MarginSettings, 'distance' | 'text'>,
  work: LongWork,
  own?: OwnDistance,
): { reader: MarginReader; items: MetricItem[] } {
  if (!own) return readByName(dataset, { distance, text }, work)
  // Items are laid out as for the built-in metric, but compared with the caller's.
  const { reader, items } = readByName(dataset, { distance: 'auto', text }, work)
  requireMetric(own, items)
  return { reader: withOwn(reader, own), items }
}

export function withOwn(reader: MarginReader, own: OwnDistance): MarginReader {
  return { ...reader, metric: guarded(own), own: true }
}

function readByName(
  dataset: Dataset,
  { distance, text }: Pick<MarginSettings, 'distance' | 'text'>,
  work: LongWork,
): { reader: MarginReader; items: MetricItem[] } {
  const asTexts = distance === 'auto' ? dataset.texts !== undefined : metricNamesFor('text').includes(distance)
  if (asTexts && dataset.texts) {
    refuseTextOptions(text)
    return readAll(makeReader('text', 0, distance), dataset.texts)
  }
  if (!asTexts && dataset.texts) {
    const { pipeline, features } = TextPipeline.fitTransform(dataset.texts, { ...text, ...work })
    return readAll(makeReader('sparse', features.columns, distance, pipeline), features)
  }
  if (!dataset.features) {
    throw new EngineError('EMPTY_DATA', `${dataset.name} has neither texts nor features to learn from`, {
      hint: 'Name the columns that hold texts with `textColumns`.',
    })
  }
  const features = dataset.features instanceof DenseMatrix ? toSparse(dataset.features) : dataset.features
  const isDense = features.entries >= denseShare * features.rows * features.columns || distance === 'earth-mover'
  return readAll(makeReader(isDense ? 'dense' : 'sparse', features.columns, distance), features)
}

function refuseTextOptions(text: TextOptions): void {
  const given = givenTextOptions(text)
  if (given.length === 0) return
  const message = `text options (${given.join(', ')}) need a distance between vectors, such as angle`
  throw new EngineError('INVALID_OPTION', message, { hint: 'This distance compares texts as they are: choose another one, or leave out the text options.' }) // biome-ignore format: one idea
}

/** Their names. */
export function givenTextOptions(text: TextOptions): string[] {
  return Object.entries(text).flatMap(([name, value]) => (value === undefined ? [] : [name]))
}

export function makeReader(layout: ItemLayout, columns: number, name: string, pipeline?: TextPipeline): MarginReader {
  const metric = findNetMetric(name === 'auto' ? metricNamesFor(layout)[0] : name, layout, 'distance')
  // A kind and a metric of one layout.
  return { kind: itemKind(layout, columns) as ItemKind<MetricItem>, metric: metric as Metric<unknown> as Metric<MetricItem>, pipeline } // biome-ignore format: one idea
}

export function takesTexts({ kind, pipeline }: MarginReader): boolean {
  return kind.layout === 'text' || pipeline !== undefined
}

/** A text with nothing in it to compare: by edit distance, it would be the nearest of all short texts. */
export function isBlank(item: MetricItem): boolean {
  return typeof item === 'string' && item.trim() === ''
}

/** Undefined for a blank text, and for one without a word that the pipeline knows. */
export function readMarginItem(reader: MarginReader, given: Item, name = 'the item'): MetricItem | undefined {
  const { kind, metric, pipeline } = reader
  const item = bareItem(given, takesTexts(reader))
  if (typeof item === 'string') {
    if (!takesTexts(reader)) throw notFor('a text was given, but the model was fitted on vectors')
    if (isBlank(item)) return undefined
    const row = pipeline?.transform(item)
    return row?.indices.length === 0 ? undefined : kind.admit(row ?? item, name)
  }
  if (takesTexts(reader)) throw notFor(`${name} is ${shown(item)}, but the model was fitted on texts`)
  const admitted = kind.admit(laidOut(item, kind, name), name)
  metric.check?.(admitted, name)
  return admitted
}

/** Every row becomes an item: one without known features, or a blank text, becomes an empty one. */
export function readMarginRows(reader: MarginReader, items: ItemList): MetricItem[] {
  const nothing = reader.kind.layout === 'text' ? '' : { indices: new Uint32Array(0), values: new Float32Array(0) }
  return Array.from({ length: countItems(items) }, (_, row) => {
    return readMarginItem(reader, itemAt(items, row), `row ${row}`) ?? nothing
  })
}

function readAll(reader: MarginReader, items: ItemList): { reader: MarginReader; items: MetricItem[] } {
  // The pipeline already returns vectors.
  const direct = items instanceof SparseMatrix ? { ...reader, pipeline: undefined } : reader
  return { reader, items: readMarginRows(direct, items) }
}

/** A vector in the layout of the model's rows. */
function laidOut(item: Exclude<BareItem, string>, { layout, columns }: ItemKind<MetricItem>, name: string): MetricItem {
  const vector = readVector(item, columns, name)
  if (!isSparseRow(vector)) return layout === 'dense' ? vector : toSparseRow(vector)
  return layout === 'dense' ? toDenseRow(vector, columns, name) : vector
}

function notFor(message: string): EngineError {
  return new EngineError('INVALID_OPTION', message, { hint: 'Give items like those of the training data.' })
}
