// The two kinds of nodes (paper 002, Figure 3). Memories are slots: numbers of the memory table.

import type { LinearModel } from '../learning/linear-model.ts'

export interface Leaf {
  /** Its number in the tree: never given twice. */
  readonly number: number
  parent: Inner | undefined
  readonly memories: number[]
  /** It does not split before it holds more than this: a split that sent all memories one way is not tried again at once. */
  patience: number
}

export interface Inner {
  readonly number: number
  parent: Inner | undefined
  left: TreeNode
  right: TreeNode
  /** Memories below. */
  count: number
  readonly router: LinearModel
}

export type TreeNode = Leaf | Inner
export type Side = 'left' | 'right'

export function isLeaf(node: TreeNode): node is Leaf {
  return 'memories' in node
}

/** Memories below a node. */
export function countOf(node: TreeNode): number {
  return isLeaf(node) ? node.memories.length : node.count
}

/** All nodes from here down, a node before its children, left before right. */
export function* nodesBelow(node: TreeNode): Generator<TreeNode> {
  // No recursion: a tree may be as deep as it has memories.
  const waiting = [node]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    yield next
    if (!isLeaf(next)) waiting.push(next.right, next.left)
  }
}
