// One contextual memory tree (paper 002): where memories are, and how they got there. Algorithms 1, 4, 5 and 6 are the methods
// path, insert, #insertLeaf and remove; 7 is reroute. What the paper leaves open:
//   - log 0: each side counts one memory more than it has, the default example of the paper's proof (appendix A.3).
//   - g(x) in line 3 of INSERT is the router's sum, cut to [−1, 1]: the proof needs no more, and a router that is not sure
//     leaves the choice to the balance. Stored keys are found again more often so (docs/memory.md).
//   - A leaf whose memories all go one way stays a leaf until it has twice as many. Equal keys go one way only while the router's
//     own mind, at most 1 − α, outweighs α · log n of the balance: up to about e^((1−α)/α) of them.
//   - An empty leaf goes with its parent, and its sibling takes the parent's place; the root may be an empty leaf.

import { assert, EngineError } from '../../errors.ts'
import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import type { Learner } from '../learning/learner.ts'
import { type KeyAt, LinearModel, type LinearModelPlace } from '../learning/linear-model.ts'
import type { KeyStore } from '../table/key-store.ts'
import { countOf, type Inner, isLeaf, type Leaf, nodesBelow, type Side, type TreeNode } from './tree-node.ts'

/** What all trees of a memory share. */
export interface TreeParts {
  readonly place: LinearModelPlace
  readonly keys: KeyStore
  readonly learner: Learner
  readonly balance: number
  readonly leafFactor: number
  readonly rate: number
}

/** A decision on the way of a key: it goes right if the sum is above 0. */
export interface Step {
  readonly node: Inner
  readonly sum: number
}

/** Slots of a new router's table: 2 to this. */
const routerBits = 6

export class RoutingTree {
  readonly #parts: TreeParts
  readonly #kernels: MemoryKernels
  #root: TreeNode
  /** By slot: its leaf, and its place there. */
  readonly #leaves: Leaf[] = []
  readonly #places: number[] = []
  /** By number. */
  readonly #nodes = new Map<number, TreeNode>()
  #nextNumber = 0

  constructor(parts: TreeParts) {
    this.#parts = parts
    this.#kernels = parts.place.kernels
    this.#root = this.#newLeaf(undefined)
  }

  /** The tree with these nodes; `memory-contents.ts` checks that they are one. */
  static fromNodes(parts: TreeParts, root: TreeNode, nextNumber: number): RoutingTree {
    const tree = new RoutingTree(parts)
    tree.#nodes.clear()
    tree.#root = root
    tree.#nextNumber = nextNumber
    for (const node of nodesBelow(root)) {
      tree.#nodes.set(node.number, node)
      if (isLeaf(node)) tree.#claimMemories(node)
    }
    return tree
  }

  get root(): TreeNode {
    return this.#root
  }

  get nextNumber(): number {
    return this.#nextNumber
  }

  nodeOf(number: number): TreeNode | undefined {
    return this.#nodes.get(number)
  }

  leafOf(slot: number): Leaf {
    return this.#leaves[slot]
  }

  placeOf(slot: number): number {
    return this.#places[slot]
  }

  /** Where every memory is now, by slot: its leaf, and its place there. */
  places(): { readonly leaves: readonly Leaf[]; readonly places: readonly number[] } {
    const { count } = this.#parts.keys
    return { leaves: this.#leaves.slice(0, count), places: this.#places.slice(0, count) }
  }

  /** PATH: the leaf that a key comes to from `node`; its steps are added to `steps`. */
  path(key: KeyAt, node: TreeNode = this.#root, steps?: Step[]): Leaf {
    let at = node
    while (!isLeaf(at)) {
      const sum = at.router.sum(key)
      steps?.push({ node: at, sum })
      at = sum > 0 ? at.right : at.left
    }
    return at
  }

  /** INSERT without its reroutes: the routers on the way learn to send the memory where it goes. If that fails, it is not inserted. */
  insert(slot: number): void {
    const key = this.#parts.keys.at(slot)
    const passed: Inner[] = []
    try {
      let at = this.#root
      while (!isLeaf(at)) {
        const next = this.#teach(at, key)
        passed.push(at)
        at.count++
        at = next
      }
      this.#insertLeaf(at, slot)
    } catch (error) {
      for (const node of passed) node.count--
      throw error
    }
  }

  /** REMOVE: removes the memory from its leaf, and the leaf from the tree if it is empty. */
  remove(slot: number): void {
    const leaf = this.#leaves[slot]
    const last = leaf.memories.pop()
    assert(last !== undefined, 'a leaf that holds a memory is empty')
    if (last !== slot) this.#put(last, leaf, this.#places[slot])
    for (let node = leaf.parent; node; node = node.parent) node.count--
    if (leaf.memories.length === 0 && leaf.parent) this.#dropEmpty(leaf, leaf.parent)
  }

  /** The memory of slot `from` is now in slot `to`. */
  rename(from: number, to: number): void {
    this.#put(to, this.#leaves[from], this.#places[from])
  }

  /** REROUTE of one memory: out, and in again from the root. */
  reroute(slot: number): void {
    this.remove(slot)
    try {
      this.insert(slot)
    } catch (error) {
      this.#settle(slot)
      throw error
    }
  }

  /** UPDATE of a router (Algorithm 3, lines 4 to 6): `reward` came after side `side` was taken with probability 1/2. */
  rewardSide(node: Inner, key: KeyAt, side: Side, reward: number): void {
    const { balance } = this.#parts
    const estimate = side === 'right' ? 2 * reward : -2 * reward
    const wanted = (1 - balance) * estimate + balance * this.#imbalance(node)
    if (wanted !== 0) this.#step(node, key, Math.sign(wanted), Math.abs(wanted))
  }

  /** Lines 2 to 4 and 6 of INSERT: the child that the key goes to, after the router has learned. */
  #teach(node: Inner, key: KeyAt): TreeNode {
    const { balance } = this.#parts
    const sure = Math.max(-1, Math.min(1, node.router.sum(key)))
    const wanted = (1 - balance) * sure + balance * this.#imbalance(node)
    this.#step(node, key, wanted > 0 ? 1 : -1, 1)
    return node.router.sum(key) > 0 ? node.right : node.left
  }

  /** Above 0 where the left side has more. */
  #imbalance({ left, right }: Inner): number {
    return this.#kernels.logRatio(countOf(left), countOf(right))
  }

  #step(node: Inner, key: KeyAt, target: number, importance: number): void {
    const { router } = node
    const { learner, rate } = this.#parts
    const gradient = importance * learner.gradient(router.sum(key), target, this.#kernels)
    if (!Number.isFinite(gradient)) {
      throw new EngineError(
        'INVALID_OPTION',
        `the learner '${learner.name}' returned the gradient ${gradient}, expected a finite number`,
        {
          hint: 'Return a finite number for every sum and target.',
        },
      )
    }
    if (router.isFullFor(key.count)) this.#forgetUnused(node)
    router.step(key, gradient, rate)
  }

  /** A router forgets features that no memory below has any more, if they are most of what it knows: else it would grow for ever. */
  #forgetUnused(node: Inner): void {
    const { keys } = this.#parts
    const sizes = keys.sizes.array
    const slots: number[] = []
    let entries = 0
    for (const below of nodesBelow(node)) {
      if (!isLeaf(below)) continue
      for (const slot of below.memories) {
        entries += sizes[slot]
        slots.push(slot)
      }
      // Nearly always after a few leaves.
      if (2 * entries > node.router.features) return
    }
    node.router.keepOnly(new Set(slots.flatMap(slot => [...keys.row(slot).indices])))
  }

  /** Puts a memory where its key leads now. Nothing learns, so nothing can fail. */
  #settle(slot: number): void {
    const steps: Step[] = []
    const leaf = this.path(this.#parts.keys.at(slot), this.#root, steps)
    for (const { node } of steps) node.count++
    this.#add(leaf, slot)
  }

  #insertLeaf(leaf: Leaf, slot: number): void {
    this.#add(leaf, slot)
    const size = leaf.memories.length
    if (size <= leaf.patience || size <= this.#leafLimit()) return
    try {
      this.#split(leaf)
    } catch (error) {
      leaf.memories.pop()
      throw error
    }
  }

  /** c · log n, and never less than 1. */
  #leafLimit(): number {
    const { leafFactor, keys } = this.#parts
    return Math.max(1, leafFactor * this.#kernels.logRatio(keys.count - 1, 0))
  }

  /** The leaf becomes an inner node; its memories go through the new router one by one. */
  #split(leaf: Leaf): void {
    const inner = this.#newInner(leaf.parent)
    const [left, right] = [this.#newLeaf(inner), this.#newLeaf(inner)]
    Object.assign(inner, { left, right })
    try {
      for (const slot of leaf.memories) {
        const side = this.#teach(inner, this.#parts.keys.at(slot)) as Leaf // both children are leaves
        inner.count++
        this.#add(side, slot)
      }
    } catch (error) {
      this.#undoSplit(leaf, inner)
      throw error
    }
    if (left.memories.length > 0 && right.memories.length > 0) {
      this.#replace(leaf, inner)
      this.#nodes.delete(leaf.number)
    } else {
      this.#undoSplit(leaf, inner)
      leaf.patience = 2 * leaf.memories.length
    }
  }

  #undoSplit(leaf: Leaf, inner: Inner): void {
    for (const node of nodesBelow(inner)) this.#nodes.delete(node.number)
    inner.router.free()
    this.#claimMemories(leaf)
  }

  #dropEmpty(leaf: Leaf, parent: Inner): void {
    this.#replace(parent, parent.left === leaf ? parent.right : parent.left)
    this.#nodes.delete(leaf.number)
    this.#nodes.delete(parent.number)
    parent.router.free()
  }

  /** Puts `by` in the place of `node`. */
  #replace(node: TreeNode, by: TreeNode): void {
    const { parent } = node
    by.parent = parent
    if (!parent) this.#root = by
    else if (parent.left === node) parent.left = by
    else parent.right = by
  }

  #add(leaf: Leaf, slot: number): void {
    this.#put(slot, leaf, leaf.memories.length)
  }

  /** Says of all memories of a leaf that they are there. */
  #claimMemories(leaf: Leaf): void {
    for (const [place, slot] of leaf.memories.entries()) this.#put(slot, leaf, place)
  }

  #put(slot: number, leaf: Leaf, place: number): void {
    leaf.memories[place] = slot
    this.#leaves[slot] = leaf
    this.#places[slot] = place
  }

  #newLeaf(parent: Inner | undefined): Leaf {
    return this.#number({ number: this.#nextNumber, parent, memories: [], patience: 0 })
  }

  #newInner(parent: Inner | undefined): Inner {
    const router = new LinearModel(this.#parts.place, routerBits)
    // Children follow at once.
    return this.#number({ number: this.#nextNumber, parent, count: 0, router } as Inner)
  }

  #number<Node extends TreeNode>(node: Node): Node {
    this.#nodes.set(node.number, node)
    this.#nextNumber++
    return node
  }
}
