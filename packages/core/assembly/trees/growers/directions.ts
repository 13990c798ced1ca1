// Directions that levels share: src/trees/random-projection-grower.ts and, by option, pca-grower.ts. Each node of sparse rows has a
// random one of its own.

import { Growth } from '../../blocks/growth'
import { projectRows, splitAlongDirection } from '../directions'
import { charge, leaf, Node, prepareTree, ready, split, unfinished, workBytes } from '../grower'
import { isSparse } from '../rows'
import { splitSparseRandom } from '../sparse/directions'

export function directions(question: u32, block: Growth, node: Node): usize {
  if (isSparse(block)) return ownDirections(question, block, node)
  if (question == workBytes) return (<usize>block.depth * <usize>block.rows) << 2
  if (question == prepareTree) return projectRows(block, node) ? ready : unfinished
  return splitAlongDirection(block, node)
}

function ownDirections(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return <usize>block.dims << 3
  if (question == prepareTree) return ready
  charge(node, <u64>node.count << 5)
  return splitSparseRandom(block, node) ? split : leaf
}
