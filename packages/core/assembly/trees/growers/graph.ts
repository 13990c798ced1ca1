// Graph partitioning trees: src/trees/graph-grower.ts.

import { Growth } from '../../blocks/growth'
import { graphWorkBytes, prepareGraph, splitGraph } from '../graph'
import { Node, prepareTree, ready, workBytes } from '../grower'

export function graph(question: u32, block: Growth, node: Node): usize {
  if (question == workBytes) return graphWorkBytes(block, changetype<usize>(node))
  if (question != prepareTree) return splitGraph(block, node)
  prepareGraph(block, node.work)
  return ready
}
