// A routing tree as tensors, and back. Nodes are in the order of nodesBelow: a node before its children, left before right. What is
// read back is a tree, with every memory in one leaf, or it is refused.

import type { Steps } from '../../long-work.ts'
import type { StoredParts } from '../../store/stored-parts.ts'
import { type Tensor, tensor1d } from '../../store/tensor.ts'
import { FrozenModels } from '../learning/frozen-models.ts'
import type { LinearModel, LinearModelPlace } from '../learning/linear-model.ts'
import { ModelReader } from '../learning/model-contents.ts'
import { RoutingTree, type TreeParts } from './routing-tree.ts'
import { countOf, type Inner, isLeaf, type Leaf, nodesBelow, type TreeNode } from './tree-node.ts'

/** As a leaf's size: the node is an inner one. */
const inner = 0xffffffff
/** Memories between two steps. */
const stepSlots = 1024

/** A tree as it was at some moment. */
export interface FrozenTree {
  /** Its tensors, collected in steps. */
  pack(): Steps<Record<string, Tensor>>
  /** Call it when done. */
  release(): void
}

/** The tensors of a tree as it is now, under the name of it. Others wait for this, so it takes as little as it can. */
export function freezeTree(name: string, tree: RoutingTree, place: LinearModelPlace): FrozenTree {
  // In one pass: 500,000 memories have 33,000 nodes, and each pass waits for them to come from memory.
  const numbers: number[] = []
  const leaves: Leaf[] = []
  const patience: number[] = []
  const models: LinearModel[] = []
  const kinds: boolean[] = []
  for (const node of nodesBelow(tree.root)) {
    const isOuter = isLeaf(node)
    numbers.push(node.number)
    kinds.push(isOuter)
    if (isOuter) {
      leaves.push(node)
      patience.push(node.patience)
    } else models.push(node.router)
  }
  const routers = new FrozenModels(place, models)
  const where = tree.places()
  return {
    *pack() {
      const learned = yield* routers.pack()
      const { sizes, memories } = yield* packLeaves(leaves, where)
      let leaf = 0
      return {
        [`${name}.numbers`]: tensor1d(Float64Array.from(numbers)),
        [`${name}.sizes`]: tensor1d(Uint32Array.from(kinds, isOuter => (isOuter ? sizes[leaf++] : inner))),
        [`${name}.patience`]: tensor1d(Uint32Array.from(patience)),
        [`${name}.memories`]: tensor1d(memories),
        [`${name}.routers`]: tensor1d(learned),
      }
    },
    release: () => routers.release(),
  }
}

/** How many memories each leaf had, and which, leaf by leaf. */
function* packLeaves(
  leaves: readonly Leaf[],
  { leaves: leafOf, places }: ReturnType<RoutingTree['places']>,
): Steps<{ readonly sizes: Uint32Array; readonly memories: Uint32Array }> {
  const numbers = new Map(leaves.map((leaf, number) => [leaf, number]))
  const numberOf = (slot: number) => numbers.get(leafOf[slot]) ?? 0
  const sizes = new Uint32Array(leaves.length)
  for (let slot = 0; slot < places.length; slot++) {
    sizes[numberOf(slot)]++
    if (slot % stepSlots === 0) yield
  }
  const starts = new Uint32Array(leaves.length)
  for (let i = 1; i < leaves.length; i++) starts[i] = starts[i - 1] + sizes[i - 1]
  const memories = new Uint32Array(places.length)
  for (let slot = 0; slot < places.length; slot++) {
    memories[starts[numberOf(slot)] + places[slot]] = slot
    if (slot % stepSlots === 0) yield
  }
  return { sizes, memories }
}

export function unpackTree(name: string, stored: StoredParts, parts: TreeParts, nextNumber: number): RoutingTree {
  const root = readNodes(name, stored, parts.place)
  const given = [...nodesBelow(root)].every(({ number }) => Number.isSafeInteger(number) && number < nextNumber)
  if (!given) return stored.refuse(`a node of ${name} has a number that does not exist yet`)
  const slots = [...nodesBelow(root)].filter(isLeaf).flatMap(({ memories }) => memories)
  const every = new Set(slots.filter(slot => slot < parts.keys.count))
  if (every.size !== parts.keys.count || slots.length !== every.size) {
    return stored.refuse(`the leaves of ${name} do not hold every memory once`)
  }
  return RoutingTree.fromNodes(parts, root, nextNumber)
}

function readNodes(name: string, stored: StoredParts, place: LinearModelPlace): TreeNode {
  const sizes = stored.array(`${name}.sizes`, Uint32Array)
  const numbers = stored.array(`${name}.numbers`, Float64Array, sizes.length)
  const patience = stored.array(`${name}.patience`, Uint32Array)
  const slots = stored.array(`${name}.memories`, Uint32Array)
  const routers = new ModelReader(stored.array(`${name}.routers`, Uint32Array), place)
  let [taken, leaves] = [0, 0]
  const nodes = Array.from(sizes, (size, i): TreeNode => {
    if (size === inner) {
      const router = routers.next() ?? stored.refuse(`a router of ${name} is not a table`)
      return { number: numbers[i], parent: undefined, count: 0, router } as Inner // children follow in `link`
    }
    taken += size
    const memories = Array.from(slots.subarray(taken - size, taken))
    return { number: numbers[i], parent: undefined, memories, patience: patience[leaves++] }
  })
  if (taken !== slots.length || leaves !== patience.length || !routers.atEnd)
    stored.refuse(`the leaves of ${name} do not fit its nodes`)
  return link(nodes) ?? stored.refuse(`the nodes of ${name} do not form a tree`)
}

/** Gives inner nodes their children and counts; undefined if there are too few or too many nodes. */
function link(nodes: readonly TreeNode[]): TreeNode | undefined {
  // From the last to the first: the children of a node are the two trees that follow it.
  const trees: TreeNode[] = []
  for (const node of [...nodes].reverse()) {
    if (!isLeaf(node)) {
      const [left, right] = [trees.pop(), trees.pop()]
      if (!left || !right) return undefined
      Object.assign(node, { left, right, count: countOf(left) + countOf(right) })
      left.parent = node
      right.parent = node
    }
    trees.push(node)
  }
  return trees.length === 1 ? trees[0] : undefined
}
