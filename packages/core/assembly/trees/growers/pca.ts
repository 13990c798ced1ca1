// Principal directions of each node: src/trees/pca-grower.ts.

import { Growth } from '../../blocks/growth'
import { charge, leaf, Node, prepareTree, ready, split, workBytes } from '../grower'
import { splitPca } from '../pca'
import { isSparse } from '../rows'
import { splitSparsePca } from '../sparse/directions'

export function pca(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return <usize>block.dims << 3
  if (question == prepareTree) return ready
  if (isSparse(block)) {
    charge(node, <u64>node.count << 5)
    return splitSparsePca(block, node) ? split : leaf
  }
  charge(node, <u64>node.count * <u64>(block.dims >> 1))
  return splitPca(block, node) ? split : leaf
}
