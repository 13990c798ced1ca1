// Chronological k-d split (Bentley; paper 000, section 7.2): the axes in turn, one a level, at the median.

import { Growth, Node } from './grow-block'
import { splitAtMedian } from './kd'

/** The level's axis; where the rows do not differ on it, the next one they differ on. */
export function splitChronological(block: Growth, node: Node): bool {
  const dims = block.dims
  for (let i: u32 = 0; i < dims; i++) {
    if (splitAtMedian(block, node, (node.level + i) % dims)) return true
  }
  return false
}
