// Checks a whole memory: whether all its parts agree, and the shape of its trees.

import type { KeyShape } from './memory-key.ts'
import type { MemoryState } from './memory-state.ts'
import type { RoutingTree } from './tree/routing-tree.ts'
import { countOf, isLeaf, type Leaf, nodesBelow, type TreeNode } from './tree/tree-node.ts'

/** The size of a memory and its trees. */
export interface MemoryStats {
  readonly memories: number
  /** What its keys are: the kind of the first one. Undefined before there is one. */
  readonly keys: KeyShape | undefined
  /** Features of all keys. */
  readonly features: number
  /** Rewards that the scorer has learned from. */
  readonly rewards: number
  /** Bytes of all routers and of the scorer. */
  readonly routerBytes: number
  /** Bytes of the index's lists. */
  readonly indexBytes: number
  /** Forests grown so far to find dense keys by; until the first, all keys are compared. */
  readonly forests: number
  readonly trees: readonly TreeStats[]
}

/** The shape of one tree of a memory. */
export interface TreeStats {
  readonly leaves: number
  /** Of the deepest leaf. */
  readonly depth: number
  /** Over all memories. */
  readonly meanDepth: number
  /** The smallest share of its memories that any inner node has on one side: 1 / K in the paper. */
  readonly balance: number
}

export function memoryFacts({ table, trees, index, scorer, place, reader }: MemoryState): MemoryStats {
  return {
    memories: table.count,
    keys: reader.shape,
    features: table.keys.entries,
    rewards: scorer.calibration.rewards,
    routerBytes: place.pool.bytes,
    indexBytes: index?.bytes ?? 0,
    forests: index?.forests ?? 0,
    trees: trees.map(({ root }) => treeFacts(root)),
  }
}

function treeFacts(root: TreeNode): TreeStats {
  const leaves: { depth: number; size: number }[] = []
  let balance = 0.5
  for (const node of nodesBelow(root)) {
    if (isLeaf(node)) leaves.push({ depth: depthOf(node), size: node.memories.length })
    else balance = Math.min(balance, countOf(node.left) / node.count, countOf(node.right) / node.count)
  }
  const sum = leaves.reduce((total, { depth, size }) => total + depth * size, 0)
  const depth = leaves.reduce((deepest, leaf) => Math.max(deepest, leaf.depth), 0)
  return { leaves: leaves.length, depth, meanDepth: sum / Math.max(1, countOf(root)), balance }
}

function depthOf(leaf: Leaf): number {
  let depth = 0
  for (let node = leaf.parent; node; node = node.parent) depth++
  return depth
}

/** The faults; none if all parts agree. */
export function checkMemory({ table, trees, index }: Pick<MemoryState, 'table' | 'trees' | 'index'>): string[] {
  const faults = trees.flatMap((tree, i) => treeFaults(tree, table.count).map(fault => `tree ${i}: ${fault}`))
  for (const fault of index?.faults() ?? []) faults.push(`the index: ${fault}`)
  if (table.keys.count !== table.count) faults.push(`${table.count} memories have ${table.keys.count} keys`)
  for (let slot = 0; slot < table.count; slot++) {
    if (table.slotOf(table.at(slot).id) !== slot) faults.push(`the id of memory ${slot} leads elsewhere`)
  }
  return faults
}

function treeFaults(tree: RoutingTree, memories: number): string[] {
  const faults: string[] = []
  const seen = new Set<number>()
  for (const node of nodesBelow(tree.root)) {
    if (tree.nodeOf(node.number) !== node) faults.push(`node ${node.number} is not known by its number`)
    if (isLeaf(node)) noteLeafFaults(tree, node, seen, faults)
    else if (node.count !== countOf(node.left) + countOf(node.right)) faults.push(`node ${node.number} counts wrong`)
    else if (node.left.parent !== node || node.right.parent !== node) faults.push(`node ${node.number} lost a child`)
  }
  if (seen.size !== memories) faults.push(`its leaves hold ${seen.size} of ${memories} memories`)
  return faults
}

function noteLeafFaults(tree: RoutingTree, leaf: Leaf, seen: Set<number>, faults: string[]): void {
  if (leaf.memories.length === 0 && leaf.parent) faults.push(`leaf ${leaf.number} is empty`)
  leaf.memories.forEach((slot, place) => {
    if (seen.has(slot)) faults.push(`memory ${slot} is in two leaves`)
    if (tree.leafOf(slot) !== leaf || tree.placeOf(slot) !== place)
      faults.push(`memory ${slot} is not where it should be`)
    seen.add(slot)
  })
}
