// A net index as the contents of a model file, and back: items, ids, and the nodes in the order of a walk, parents first. What is
// loaded answers as what was saved did, with a tolerance too, as children keep their order.

import { EngineError } from '../errors.ts'
import { allAmounts, areDistinct } from '../store/array-checks.ts'
import type { ModelContents } from '../store/header.ts'
import { type Tensor, vector } from '../store/tensor.ts'
import { damaged } from './dense-contents.ts'
import { IdTable } from './id-table.ts'
import type { Metric } from './metrics/metric.ts'
import { findNetMetric, type ItemLayout, itemLayouts } from './metrics/named-metrics.ts'
import { highestLevel, lowestLevel, Net, parentPlaces, walk } from './net.ts'
import { arrayOf, type ItemKind, itemKind } from './net-items.ts'

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
    meta: { rows: ids.rows, dims: kind.columns, layout: kind.layout, own },
    tensors: packTree(kind, net, ids),
  }
}

/** Items, ids and nodes. */
export function packTree<Item>(kind: ItemKind<Item>, net: Net<Item>, ids: IdTable): Record<string, Tensor> {
  const nodes = [...walk(net.root)]
  return {
    ...kind.pack(Array.from({ length: ids.rows }, (_, row) => net.items[row])),
    ...ids.toTensors(),
    netRows: vector(Uint32Array.from(nodes.flatMap(({ rows }) => rows))),
    netCounts: vector(Uint32Array.from(nodes, ({ rows }) => rows.length)),
    netParents: vector(parentPlaces(nodes)),
    netLevels: vector(Int32Array.from(nodes, ({ level }) => level)),
    netSteps: vector(Float64Array.from(nodes, ({ toParent }) => toParent)),
    netRadii: vector(Float64Array.from(nodes, ({ radius }) => radius)),
  }
}

/** What `packTree` packed: every live row in the net, or, where it may be partial, some of them. Throws where it does not fit. */
export function unpackTree<Item>(
  kind: ItemKind<Item>,
  metric: Metric<Item>,
  rows: number,
  tensors: Readonly<Record<string, Tensor>>,
  partial: boolean,
): { net: Net<Item>; ids: IdTable } {
  const ids = IdTable.fromTensors(rows, tensors)
  const items = kind.unpack(tensors, rows)
  items.forEach((item, row) => {
    if (ids.idOf(row) !== undefined) metric.check?.(item, `row ${row}`)
  })
  const inNet = new Set(arrayOf(tensors, 'netRows', Uint32Array))
  const net = new Net(metric, items.map((item, row) => (inNet.has(row) ? item : undefined))) // biome-ignore format: one idea
  restore(net, tensors, ids)
  if (!partial && inNet.size !== ids.live) throw new Error('its nodes do not hold every row')
  return { net, ids }
}

/** `metric` is the caller's own, for files that were made with one; `name` is what messages call the source. */
export function unpackNet<Item>(contents: ModelContents, name: string, metric?: Metric<Item>): NetParts<Item> {
  try {
    return read(contents, name, metric)
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'INVALID_OPTION') throw cause
    throw damaged(name, netMethod, cause instanceof Error ? cause.message : String(cause), cause)
  }
}

function read<Item>(contents: ModelContents, name: string, given: Metric<Item> | undefined): NetParts<Item> {
  const { method, meta, tensors } = contents
  if (method !== netMethod) throw new Error(`its method is '${method}'`)
  const { layout, own } = meta
  const [rows, dims] = [count(meta.rows), count(meta.dims)]
  if (!isLayout(layout) || typeof own !== 'boolean') throw new Error('its layout is not said')
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
  const got = given ? `'${given.name}' was given` : 'none was given'
  throw new EngineError('INVALID_OPTION', `${name} was made with a metric called '${wanted}', and ${got}`, {
    hint: 'A file holds no code: give the metric that the index was fitted with.',
  })
}

/** Refuses nodes of rows that are not there, or are there twice, and nodes that are not below one that stands before them. */
function restore<Item>(net: Net<Item>, tensors: Readonly<Record<string, Tensor>>, ids: IdTable): void {
  const [rows, counts] = [arrayOf(tensors, 'netRows', Uint32Array), arrayOf(tensors, 'netCounts', Uint32Array)]
  const [parents, levels] = [arrayOf(tensors, 'netParents', Int32Array), arrayOf(tensors, 'netLevels', Int32Array)]
  const [steps, radii] = [arrayOf(tensors, 'netSteps', Float64Array), arrayOf(tensors, 'netRadii', Float64Array)]
  const nodes = counts.length
  if ([parents, levels, steps, radii].some(({ length }) => length !== nodes)) throw new Error('its nodes do not fit')
  if (!areDistinct(rows, ids.rows) || rows.some(row => ids.idOf(row) === undefined)) {
    throw new Error('its nodes hold a row twice, or one that was removed')
  }
  if (!allAmounts(steps) || !allAmounts(radii)) throw new Error('a node has no distance')
  let from = 0
  const made = Array.from({ length: nodes }, (_, i) => {
    const [isRoot, parent] = [i === 0, parents[i]]
    if (counts[i] === 0 || (isRoot ? parent !== -1 : parent < 0 || parent >= i)) throw new Error(`node ${i} is astray`)
    // What is put in later goes down level by level.
    const highest = isRoot ? highestLevel : levels[parent] - 1
    if (levels[i] < lowestLevel || levels[i] > highest) throw new Error(`node ${i} is at level ${levels[i]}`)
    const own = Array.from(rows.subarray(from, from + counts[i]))
    from += counts[i]
    return { rows: own, level: levels[i], toParent: steps[i], radius: radii[i] }
  })
  if (from !== rows.length) throw new Error('its nodes do not hold their rows')
  net.restore(made, parents)
}

function count(value: unknown): number {
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value
  throw new Error('its rows and dims are not said')
}

export function isLayout(value: unknown): value is ItemLayout {
  return itemLayouts.includes(value as ItemLayout) // includes compares, whatever the value is
}
