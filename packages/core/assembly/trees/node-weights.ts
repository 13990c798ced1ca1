// A node's direction while it is computed, 16 bytes per feature: the weight and intermediate values. Used features are listed, so that a
// node's cost depends on its own rows only. Invariant between
// nodes: all entries are zero and nothing is listed.

import { Growth } from '../blocks/growth'
import { sortNumbers } from '../forest/sort-numbers'
import { Node, rowAt } from './grower'
import { indicesOf, rowLength, valuesOf } from './rows'

// @ts-ignore: decorator
@inline
export function entryOf(node: Node, feature: u32): usize {
  return node.weights + (<usize>feature << 4)
}

// @ts-ignore: decorator
@inline
export function featureAt(node: Node, i: u32): u32 {
  return load<u32>(node.features + (<usize>i << 2))
}

// @ts-ignore: decorator
@inline
export function listFeature(node: Node, feature: u32): void {
  store<u32>(node.features + (<usize>node.featureCount << 2), feature)
  node.featureCount++
}

/** Sets the weight of a feature that has no entry yet. */
// @ts-ignore: decorator
@inline
export function setWeight(node: Node, feature: u32, weight: f32): void {
  store<f32>(entryOf(node, feature), weight)
  listFeature(node, feature)
}

/** The product of a row and the direction. */
// @ts-ignore: decorator
@inline
export function weigh(node: Node, indices: usize, values: usize, length: u32): f32 {
  let sum: f32 = 0
  for (let e: u32 = 0; e < length; e++) {
    const at = <usize>e << 2
    sum += load<f32>(entryOf(node, load<u32>(indices + at))) * load<f32>(values + at)
  }
  return sum
}

/** The products of all rows of the node, at node.values. */
export function weighRows(block: Growth, node: Node): void {
  for (let i: u32 = 0; i < node.count; i++) {
    const row = rowAt(node, i)
    const value = weigh(node, indicesOf(block, row, 0), valuesOf(block, row), rowLength(block, row))
    store<f32>(node.values + (<usize>i << 2), value)
  }
}

export function clearWeights(node: Node): void {
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const entry = entryOf(node, featureAt(node, i))
    store<u64>(entry, 0)
    store<u64>(entry, 0, 8)
  }
  node.featureCount = 0
}

/**
 * Appends the nonzero weights, ascending by feature, after the `filled` ones of earlier nodes; returns how many there are then. More than
 * `room` are counted, not written.
 */
export function packWeights(node: Node, indices: usize, values: usize, filled: u32, room: u32): u32 {
  sortNumbers(node.features, node.featureCount)
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const feature = featureAt(node, i)
    const weight = load<f32>(entryOf(node, feature))
    if (weight == 0) continue
    if (filled < room) {
      store<u32>(indices + (<usize>filled << 2), feature)
      store<f32>(values + (<usize>filled << 2), weight)
    }
    filled++
  }
  return filled
}
