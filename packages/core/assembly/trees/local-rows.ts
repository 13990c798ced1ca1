// The rows of one node, copied side by side, their features numbered within the node: learning reads them again and again, and so finds
// them close together (for nodes of a few thousand rows, in the L1 and L2 caches).

import { Growth } from '../blocks/growth'
import { Node, rowAt, spend } from './grower'
import { indicesOf, rowLength, valuesOf } from './rows'

@unmanaged
export class LocalRows {
  /** u32 [rows + 1]: where each row's entries begin. */
  offsets: usize
  /** Entries of 8 bytes: feature u32 and value f32, in the order of the row. */
  entries: usize
  /** u32: the features in the order of their numbers, and how many there are. */
  features: usize
  featureCount: u32
  /** u32 [dims]: 1 + a feature's number; zeros between nodes. */
  numbers: usize
  /** What is learned of each feature, 16 bytes: see hyperplane.ts. One more than there are features. */
  weights: usize
}

/** Entries of all rows. */
// @ts-ignore: decorator
@inline
function allEntries(block: Growth): usize {
  if (block.view != 0) return <usize>block.rows * <usize>block.dims
  return <usize>load<u32>(block.rowOffsets + (<usize>block.rows << 2))
}

/** Entries of a row on average, rounded up. */
// @ts-ignore: decorator
@inline
export function meanEntries(block: Growth): u32 {
  return <u32>(allEntries(block) / <usize>block.rows) + 1
}

/** Lays the rows out for the largest node; returns the end of their room. */
export function layLocalRows(block: Growth, local: LocalRows, at: usize): usize {
  local.weights = at
  at += <usize>(block.dims + 1) << 4
  local.entries = at
  at += allEntries(block) << 3
  local.offsets = at
  at += <usize>(block.rows + 1) << 2
  local.features = at
  at += <usize>block.dims << 2
  local.numbers = at
  at += <usize>block.dims << 2
  return (at + 15) & ~15
}

// @ts-ignore: decorator
@inline
export function entriesOf(local: LocalRows, row: u32): usize {
  return local.entries + (<usize>load<u32>(local.offsets + (<usize>row << 2)) << 3)
}

// @ts-ignore: decorator
@inline
export function lengthOf(local: LocalRows, row: u32): u32 {
  const at = local.offsets + (<usize>row << 2)
  return load<u32>(at, 4) - load<u32>(at)
}

// @ts-ignore: decorator
@inline
export function weightAt(local: LocalRows, feature: u32): usize {
  return local.weights + (<usize>feature << 4)
}

/** The number of a feature within the node. */
// @ts-ignore: decorator
@inline
function numberOf(local: LocalRows, feature: u32): u32 {
  const at = local.numbers + (<usize>feature << 2)
  const known = load<u32>(at)
  if (known != 0) return known - 1
  store<u32>(local.features + (<usize>local.featureCount << 2), feature)
  store<u32>(at, ++local.featureCount)
  return local.featureCount - 1
}

/**
 * Copies the node's rows, scaled, and clears the state of their features. `identity`: see rows.ts. Returns false when the budget
 * is used up.
 */
export function openRows(block: Growth, node: Node, local: LocalRows, identity: usize): bool {
  if (node.cursor == 0) {
    local.featureCount = 0
    store<u32>(local.offsets, 0)
  }
  let next = load<u32>(local.offsets + (<usize>node.cursor << 2))
  const end = spend(node, node.count, meanEntries(block))
  for (let i = node.cursor; i < end; i++) {
    const row = rowAt(node, i)
    const indices = indicesOf(block, row, identity)
    const values = valuesOf(block, row)
    const length = rowLength(block, row)
    for (let e: u32 = 0; e < length; e++) {
      const entry = local.entries + (<usize>(next + e) << 3)
      store<u32>(entry, numberOf(local, load<u32>(indices + (<usize>e << 2))))
      store<f32>(entry, block.scale * load<f32>(values + (<usize>e << 2)), 4)
    }
    next += length
    store<u32>(local.offsets + (<usize>i << 2), next, 4)
  }
  node.cursor = end
  if (end < node.count) return false
  memory.fill(local.weights, 0, <usize>(local.featureCount + 1) << 4)
  return true
}

/** Forgets the features' numbers. */
export function closeRows(local: LocalRows): void {
  for (let i: u32 = 0; i < local.featureCount; i++) {
    store<u32>(local.numbers + (<usize>load<u32>(local.features + (<usize>i << 2)) << 2), 0)
  }
}
