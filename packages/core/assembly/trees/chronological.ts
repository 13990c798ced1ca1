// Chronological k-d split (Bentley; paper 000, section 7.2): the axes in turn, one per level, at the median.

import { Growth } from '../blocks/growth'
import { charge, leaf, Node, split, unfinished } from './grower'
import { splitAtMedian } from './kd'

/** The level's axis, or the next one on which the rows differ. */
export function splitChronological(block: Growth, node: Node): u32 {
  const dims = block.dims
  for (; node.cursor < dims; node.cursor++) {
    if (node.budget <= 0) return unfinished
    charge(node, node.count)
    if (splitAtMedian(block, node, (node.level + node.cursor) % dims)) return split
  }
  return leaf
}
