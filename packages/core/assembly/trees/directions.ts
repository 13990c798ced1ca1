// Splits along directions that all nodes of a level share (random projections, shared principal directions), at the median. The
// directions are given; all of a tree's projections are computed together, before it is grown.

import { Growth } from '../blocks/growth'
import { charge, leaf, Node, rowAt, spend, split, unfinished } from './grower'
import { medianSplit } from './median'

/** work: f32 [levels × rows], row i's value on the tree's direction of a level. Returns false when the budget is used up: call again. */
export function projectRows(block: Growth, node: Node): bool {
  const work = node.work
  const dims = block.dims
  const count = block.rows
  const levels = block.depth
  const offsets = block.directionOffsets + (<usize>(node.tree * levels) << 2)
  const entries = load<u32>(offsets + (<usize>levels << 2)) - load<u32>(offsets)
  const end = spend(node, count, entries + levels)
  for (let i = node.cursor; i < end; i++) {
    const row = block.view + ((<usize>i * <usize>dims) << 2)
    for (let level: u32 = 0; level < levels; level++) {
      const from = load<u32>(offsets + (<usize>level << 2))
      const to = load<u32>(offsets + (<usize>level << 2), 4)
      let sum: f32 = 0
      for (let e: u32 = from; e < to; e++) {
        const index = load<u32>(block.directionIndices + (<usize>e << 2))
        sum += load<f32>(block.directionValues + (<usize>e << 2)) * load<f32>(row + (<usize>index << 2))
      }
      store<f32>(work + ((<usize>level * <usize>count + <usize>i) << 2), sum)
    }
  }
  node.cursor = end
  return end == count
}

/** The level's direction, or the next one along which the rows differ. */
export function splitAlongDirection(block: Growth, node: Node): u32 {
  const count = block.rows
  const levels = block.depth
  for (; node.cursor < levels; node.cursor++) {
    if (node.budget <= 0) return unfinished
    charge(node, node.count)
    const level = (node.level + node.cursor) % levels
    const projected = node.work + ((<usize>level * <usize>count) << 2)
    for (let r: u32 = 0; r < node.count; r++) {
      const value = load<f32>(projected + (<usize>rowAt(node, r) << 2))
      store<f32>(node.values + (<usize>r << 2), value)
      store<f32>(node.spare + (<usize>r << 2), value)
    }
    const threshold = medianSplit(node.spare, node.count)
    if (threshold != threshold) continue
    node.axis = level
    node.threshold = threshold
    return split
  }
  return leaf
}
