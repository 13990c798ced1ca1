// A sample of a node's sparse rows, feature by feature, for growers that ignore labels. While a node is split, a listed
// feature's entry (node-weights.ts) holds its weight, and beside it the sum and the sum of squares of the sampled values.

import { Growth } from '../../blocks/growth'
import { Node, rowAt } from '../grower'
import { entryOf, listFeature } from '../node-weights'
import { indicesOf, rowLength, valuesOf } from '../rows'

/** Adds one row to the sums of its features, and lists those that are new. */
function addRow(block: Growth, node: Node, row: u32): void {
  const indices = indicesOf(block, row, 0)
  const values = valuesOf(block, row)
  const length = rowLength(block, row)
  for (let e: u32 = 0; e < length; e++) {
    const feature = load<u32>(indices + (<usize>e << 2))
    const value = load<f32>(values + (<usize>e << 2))
    const entry = entryOf(node, feature)
    if (load<f32>(entry, 8) == 0) {
      if (value == 0) continue
      listFeature(node, feature)
    }
    store<f32>(entry, load<f32>(entry, 4) + value, 4)
    // Never 0 for a listed feature, even if the squares underflow.
    store<f32>(entry, load<f32>(entry, 8) + max<f32>(value * value, f32.MIN_NORMAL_VALUE), 8)
  }
}

/** The features of `size` rows, u32 at `rows`. */
export function listFeatures(block: Growth, node: Node, rows: usize, size: u32): void {
  for (let i: u32 = 0; i < size; i++) addRow(block, node, load<u32>(rows + (<usize>i << 2)))
}

// @ts-ignore: decorator
@inline
export function sampleStep(block: Growth, node: Node): u32 {
  return max<u32>(1, node.count / block.sampleRows)
}

/** The features of evenly spaced rows; returns how many rows these are. */
export function sampleFeatures(block: Growth, node: Node): u32 {
  const step = sampleStep(block, node)
  let seen: u32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    addRow(block, node, rowAt(node, i))
    seen++
  }
  return seen
}

/** The mean of a listed feature over `seen` rows. */
// @ts-ignore: decorator
@inline
export function meanOf(node: Node, feature: u32, seen: u32): f32 {
  return load<f32>(entryOf(node, feature), 4) / <f32>seen
}

/** The sum of its squared deviations from the mean. */
// @ts-ignore: decorator
@inline
export function spreadOf(node: Node, feature: u32, seen: u32): f32 {
  const entry = entryOf(node, feature)
  const sum = load<f32>(entry, 4)
  return load<f32>(entry, 8) - (sum * sum) / <f32>seen
}
