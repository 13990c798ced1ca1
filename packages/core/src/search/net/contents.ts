// A net index as the contents of a model file, and back: items, ids, and the nodes in the order of a walk, parents first. A
// loaded index answers like the saved one, also with a tolerance, because children keep their order.

import { EngineError } from '../../errors.ts'
import type { IdTable } from '../../ids/id-table.ts'
import { requireMethod } from '../../model-kinds.ts'
import { type ItemKind, itemKind } from '../../nets/items.ts'
import type { Metric } from '../../nets/metrics/metric.ts'
import { findNetMetric, type ItemLayout } from '../../nets/metrics/named-metrics.ts'
import type { Net } from '../../nets/net.ts'
import { isLayout, packTree, unpackTree } from '../../nets/tree-contents.ts'
import type { ModelContents } from '../../store/header.ts'
import { damaged } from '../dense/dense-contents.ts'

export const netMethod = 'net'

export interface NetParts<Item> {
  readonly kind: ItemKind<Item>
  /** Whether the metric is the caller's own. */
  readonly own: boolean
  readonly net: Net<Item>
  readonly ids: IdTable
}

export function packNet<Item>({ kind, own, net, ids }: NetParts<Item>): ModelContents {
  return {
    method: netMethod,
    options: { metric: net.metric.name },
    meta: { rows: ids.rows, dims: kind.columnsOf(net.items), layout: kind.layout, own },
    tensors: packTree(kind, net, ids),
  }
}

/** `metric` is the caller's own, for files that were made with one; `name` is what messages call the source. */
export function unpackNet<Item>(contents: ModelContents, name: string, metric?: Metric<Item>): NetParts<Item> {
  requireMethod(contents, name, netMethod)
  try {
    return read(contents, name, metric)
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'INVALID_OPTION') throw cause
    throw damaged(name, netMethod, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function read<Item>(contents: ModelContents, name: string, given: Metric<Item> | undefined): NetParts<Item> {
  const { meta, tensors } = contents
  const { layout, own } = meta
  const [rows, dims] = [count(meta.rows), count(meta.dims)]
  if (!isLayout(layout) || typeof own !== 'boolean') throw new Error('its layout is missing')
  // The items are of the layout that the file names, and so of the metric's type.
  const kind = itemKind(layout, dims) as ItemKind<Item>
  return { kind, own, ...unpackTree(kind, metricOf(contents, layout, own, name, given), rows, tensors, false) }
}

function metricOf<Item>(
  { options }: ModelContents,
  layout: ItemLayout,
  own: boolean,
  name: string,
  given: Metric<Item> | undefined,
): Metric<Item> {
  const wanted = String(options.metric)
  if (!own) return findNetMetric(wanted, layout) as Metric<unknown> as Metric<Item> // of the same layout as the items
  if (given?.name === wanted) return given
  const got = given ? `you gave '${given.name}'` : 'you gave none'
  throw new EngineError('INVALID_OPTION', `${name} was fitted with the metric '${wanted}', but ${got}`, {
    hint: 'Files hold no code: pass the metric that the index was fitted with.',
  })
}

function count(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Error('its rows and dims are missing')
}
