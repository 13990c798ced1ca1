// Where the nodes of a tree are, and their own directions.

import { Forest, TreeNode } from '../blocks/forest'

/** The nodes of one tree. */
// @ts-ignore: decorator
@inline
export function nodesOf(forest: Forest, tree: u32): usize {
  return forest.nodes + <usize>load<u32>(forest.roots + (<usize>tree << 2)) * offsetof<TreeNode>()
}

// @ts-ignore: decorator
@inline
export function nodeDirection(forest: Forest, number: u32): usize {
  return forest.ownDirections + ((<usize>number * <usize>forest.dims) << 2)
}
