// The nodes of all trees packed one tree after the other. Leaves are numbered through all trees; directions of nodes' own are kept
// for inner nodes only, and numbered through as well.

import type { Allocator, Slice } from '../kernels/arena.ts'
import { leafMark, treeNodeAt, treeNodeLength } from '../kernels/generated/blocks/forest.ts'
import type { GrownTrees } from '../trees/growing.ts'
import { firstLeaves } from './count-leaves.ts'

export interface TreeNodes {
  /** A TreeNode each (assembly/blocks/forest.ts). */
  readonly nodes: Slice<Uint32Array>
  /** u32 [trees + 1]: where each tree's nodes begin. */
  readonly roots: Slice<Uint32Array>
  /** f32 [inner nodes × dims]; empty if nodes have no directions of their own. */
  readonly ownDirections: Slice<Float32Array>
}

const { axis, right } = treeNodeAt

export function packNodes(keeper: Allocator, { trees, splits }: GrownTrees, dims: number): TreeNodes {
  const total = trees.reduce((sum, { nodeCount }) => sum + nodeCount, 0)
  const inner = splits === 'node' ? trees.reduce((sum, { leafCount }) => sum + leafCount - 1, 0) : 0
  const nodes = keeper.allocate(Uint32Array, treeNodeLength * total, 'trees')
  const roots = keeper.allocate(Uint32Array, trees.length + 1, 'trees')
  const ownDirections = keeper.allocate(Float32Array, inner * dims, 'the directions of trees')
  const firsts = firstLeaves(trees)
  let direction = 0
  let at = 0
  trees.forEach((tree, t) => {
    roots.array[t] = at
    const packed = nodes.array.subarray(treeNodeLength * at, treeNodeLength * (at + tree.nodeCount))
    packed.set(tree.nodes.array.subarray(0, packed.length))
    for (let node = 0; node < tree.nodeCount; node++) {
      const place = treeNodeLength * node
      if (packed[place + axis] === leafMark) packed[place + right] += firsts[t]
      else if (splits === 'node') {
        const own = tree.ownDirections.array.subarray(node * dims, (node + 1) * dims)
        ownDirections.array.set(own, direction * dims)
        packed[place + axis] = direction++
      } else if (splits === 'sparse') packed[place + axis] = direction++
    }
    at += tree.nodeCount
  })
  roots.array[trees.length] = at
  return { nodes, roots, ownDirections }
}
