// The items and nodes of a net as tensors of a model file, and back.

import { IdTable } from '../ids/id-table.ts'
import { finish } from '../long-work.ts'
import { allAmounts, areDistinct } from '../store/array-checks.ts'
import { type Tensor, tensor1d } from '../store/tensor.ts'
import { arrayOf, type ItemKind } from './items.ts'
import type { Metric } from './metrics/metric.ts'
import { type ItemLayout, itemLayouts } from './metrics/named-metrics.ts'
import { highestLevel, lowestLevel, Net, parentPlaces, walk } from './net.ts'

/** Items, ids and nodes. */
export function packTree<Item>(kind: ItemKind<Item>, net: Net<Item>, ids: IdTable): Record<string, Tensor> {
  const nodes = [...walk(net.root)]
  return {
    ...kind.pack(Array.from({ length: ids.rows }, (_, row) => net.items[row])),
    ...finish(ids.tensorSteps()),
    netRows: tensor1d(Uint32Array.from(nodes.flatMap(({ rows }) => rows))),
    netCounts: tensor1d(Uint32Array.from(nodes, ({ rows }) => rows.length)),
    netParents: tensor1d(parentPlaces(nodes)),
    netLevels: tensor1d(Int32Array.from(nodes, ({ level }) => level)),
    netSteps: tensor1d(Float64Array.from(nodes, ({ toParent }) => toParent)),
    netRadii: tensor1d(Float64Array.from(nodes, ({ radius }) => radius)),
  }
}

/** What `packTree` packed: all live rows, or some of them if it may be partial. Throws if parts do not fit together. */
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
  if (!partial && inNet.size !== ids.live) throw new Error('its nodes do not contain every row')
  return { net, ids }
}

/** Refuses nodes with rows that are missing or repeated, and nodes whose parent does not come before them. */
function restore<Item>(net: Net<Item>, tensors: Readonly<Record<string, Tensor>>, ids: IdTable): void {
  const [rows, counts] = [arrayOf(tensors, 'netRows', Uint32Array), arrayOf(tensors, 'netCounts', Uint32Array)]
  const [parents, levels] = [arrayOf(tensors, 'netParents', Int32Array), arrayOf(tensors, 'netLevels', Int32Array)]
  const [steps, radii] = [arrayOf(tensors, 'netSteps', Float64Array), arrayOf(tensors, 'netRadii', Float64Array)]
  const nodes = counts.length
  if ([parents, levels, steps, radii].some(({ length }) => length !== nodes)) throw new Error('its nodes do not fit')
  if (!areDistinct(rows, ids.rows) || rows.some(row => ids.idOf(row) === undefined)) {
    throw new Error('its nodes contain a row twice, or a removed row')
  }
  if (!allAmounts(steps) || !allAmounts(radii)) throw new Error('a node has no distance')
  let from = 0
  const made = Array.from({ length: nodes }, (_, i) => {
    const [isRoot, parent] = [i === 0, parents[i]]
    if (counts[i] === 0 || (isRoot ? parent !== -1 : parent < 0 || parent >= i))
      throw new Error(`node ${i} is out of place`)
    // Adding an item goes down level by level.
    const highest = isRoot ? highestLevel : levels[parent] - 1
    if (levels[i] < lowestLevel || levels[i] > highest) throw new Error(`node ${i} is at level ${levels[i]}`)
    const own = Array.from(rows.subarray(from, from + counts[i]))
    from += counts[i]
    return { rows: own, level: levels[i], toParent: steps[i], radius: radii[i] }
  })
  if (from !== rows.length) throw new Error('its nodes do not hold their rows')
  net.restore(made, parents)
}

export function isLayout(value: unknown): value is ItemLayout {
  return itemLayouts.includes(value as ItemLayout) // includes accepts any value
}
