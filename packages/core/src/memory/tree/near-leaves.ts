// The leaf that a key reaches, and more of them: the other side is also searched at routers that were least certain. The paper follows one
// path, so that a key near a border misses what is just beyond it.

import type { KeyAt } from '../learning/linear-model.ts'
import type { RoutingTree, Step } from './routing-tree.ts'
import type { Leaf, TreeNode } from './tree-node.ts'

interface Turning {
  /** How sure all routers were that would have to be wrong. */
  readonly doubt: number
  readonly node: TreeNode
}

/** The leaf of PATH first, then `probes` more, nearest to a tie first; fewer if there are fewer. */
export function nearLeaves(tree: RoutingTree, key: KeyAt, probes: number): Leaf[] {
  if (probes === 0) return [tree.path(key)]
  const turnings: Turning[] = [{ doubt: 0, node: tree.root }]
  const leaves: Leaf[] = []
  while (leaves.length <= probes && turnings.length > 0) {
    const { doubt, node } = takeLeast(turnings)
    const steps: Step[] = []
    leaves.push(tree.path(key, node, steps))
    for (const { node: inner, sum } of steps) {
      turnings.push({ doubt: doubt + Math.abs(sum), node: sum > 0 ? inner.left : inner.right })
    }
  }
  return leaves
}

function takeLeast(turnings: Turning[]): Turning {
  let least = 0
  for (let i = 1; i < turnings.length; i++) if (turnings[i].doubt < turnings[least].doubt) least = i
  return turnings.splice(least, 1)[0]
}
