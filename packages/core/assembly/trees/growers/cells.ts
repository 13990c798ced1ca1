// Cells around centers: src/trees/cells-grower.ts.

import { Growth } from '../../blocks/growth'
import { cellsWorkBytes, splitCells } from '../cells'
import { charge, leaf, Node, prepareTree, ready, split, workBytes } from '../grower'

export function cells(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return cellsWorkBytes(block)
  if (question == prepareTree) return ready
  charge(node, <u64>node.count * <u64>block.dims)
  return splitCells(block, node) ? split : leaf
}
