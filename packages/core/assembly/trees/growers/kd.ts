// Randomized k-d trees: src/trees/kd-grower.ts.

import { Growth } from '../../blocks/growth'
import { charge, leaf, Node, prepareTree, ready, split, workBytes } from '../grower'
import { splitKd } from '../kd'
import { isSparse } from '../rows'
import { splitSparseKd } from '../sparse/kd'

export function kd(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return <usize>block.dims << 3
  if (question == prepareTree) return ready
  if (!isSparse(block)) return splitKd(block, node)
  charge(node, <u64>node.count << 5)
  return splitSparseKd(block, node) ? split : leaf
}
