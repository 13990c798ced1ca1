// Growing one tree: the frame that all growers share. A node is a range of the row order; the grower chooses a split, the range is
// partitioned, and the left part is next. Rows that the grower cannot separate stay together in a leaf.

import { leafMark } from '../blocks/forest'
import { Growth, TreeOut } from '../blocks/growth'
import { charge, chooseSplit, leaf, Node, prepareTree, rowAt, split, unfinished, workBytes } from './grower'
import { askGrower } from './growers'
import { clearWeights, packWeights } from './node-weights'
import { nodeAt, setRight, setSplit } from './nodes'
import { seedRandom } from './random'
import { isSparse } from './rows'

// @ts-ignore: decorator
@inline
const nodeBytes: usize = 128
// @ts-ignore: decorator
@inline
const stateBytes: usize = 64
// A range still to be grown: from, count, level, parent (or none, for a left child and the root).
// @ts-ignore: decorator
@inline
const rangeBytes: usize = 16
// @ts-ignore: decorator
@inline
const noParent: u32 = 0xffffffff
// What one call of growTree may cost, in numbers touched: some milliseconds.
// @ts-ignore: decorator
@inline
const stepBudget: i32 = 1 << 21
// @ts-ignore: decorator
@inline
const callAgain: u32 = 0xffffffff

/** Bytes of the weights of a node of sparse rows. */
function weightBytes(block: Growth): usize {
  return isSparse(block) ? <usize>(block.dims + 4) * 20 : 0
}

/** Bytes of scratch that growTree needs; `room` is a dummy of roomBytes bytes. */
export function growScratchBytes(block: Growth, room: usize): usize {
  const frame = nodeBytes + stateBytes + 16 + <usize>(block.depth + 2) * rangeBytes + (<usize>block.rows << 3)
  return frame + weightBytes(block) + askGrower(workBytes, block, changetype<Node>(room)) + 64
}

/** Rows with values below the threshold first, both parts in their old order; returns how many there are. */
function part(node: Node): u32 {
  let left: u32 = 0
  let right: u32 = 0
  for (let i: u32 = 0; i < node.count; i++) {
    const row = rowAt(node, i)
    if (load<f32>(node.values + (<usize>i << 2)) < node.threshold) store<u32>(node.rows + (<usize>(left++) << 2), row)
    else store<u32>(node.spare + (<usize>(right++) << 2), row)
  }
  memory.copy(node.rows + (<usize>left << 2), node.spare, <usize>right << 2)
  return left
}

// @ts-ignore: decorator
@inline
function push(stack: usize, height: u32, from: u32, count: u32, level: u32, parent: u32): void {
  const range = stack + <usize>height * rangeBytes
  store<u32>(range, from)
  store<u32>(range, count, 4)
  store<u32>(range, level, 8)
  store<u32>(range, parent, 12)
}

/** How far a tree is, between the steps of growing it. */
@unmanaged
class TreeState {
  made: u32
  leaves: u32
  inner: u32
  weights: u32
  /** Ranges on the stack. */
  height: u32
  /** Whether the grower still prepares the tree; whether a node is being split, and where its rows begin. */
  preparing: bool
  splitting: bool
  from: u32
  /** The node's number. */
  self: u32
}

// @ts-ignore: decorator
@inline
function stateIn(scratch: usize): TreeState {
  return changetype<TreeState>(scratch + nodeBytes)
}

// @ts-ignore: decorator
@inline
function stackIn(scratch: usize): usize {
  return scratch + nodeBytes + stateBytes + 16
}

function layNode(block: Growth, scratch: usize): Node {
  const node = changetype<Node>(scratch)
  memory.fill(scratch, 0, nodeBytes + stateBytes)
  node.random = scratch + nodeBytes + stateBytes
  node.values = stackIn(scratch) + <usize>(block.depth + 2) * rangeBytes
  node.spare = node.values + (<usize>block.rows << 2)
  node.weights = (node.spare + (<usize>block.rows << 2) + 15) & ~15
  node.features = node.weights + (<usize>(block.dims + 4) << 4)
  node.work = (node.weights + weightBytes(block) + 15) & ~15
  memory.fill(node.weights, 0, weightBytes(block))
  return node
}

/** Begins a tree: one range, of all rows. */
function plant(block: Growth, scratch: usize, tree: u32, seed: u32): void {
  const node = layNode(block, scratch)
  node.tree = tree
  seedRandom(node.random, seed)
  push(stackIn(scratch), 0, 0, block.rows, 0, noParent)
  const state = stateIn(scratch)
  state.height = 1
  state.preparing = true
}

/** Pops the next range off the stack: it becomes a node. */
function openNode(block: Growth, scratch: usize, node: Node, out: TreeOut): void {
  const state = stateIn(scratch)
  const range = stackIn(scratch) + <usize>(--state.height) * rangeBytes
  const parent = load<u32>(range, 12)
  state.from = load<u32>(range)
  state.self = state.made++
  state.splitting = true
  node.count = load<u32>(range, 4)
  node.level = load<u32>(range, 8)
  node.rows = out.order + (<usize>state.from << 2)
  node.direction = out.directions + ((<usize>state.self * <usize>block.dims) << 2)
  node.axis = state.self
  node.stage = 0
  node.cursor = 0
  node.round = 0
  charge(node, node.count)
  if (parent != noParent) setRight(nodeAt(out.nodes, parent), state.self)
}

/** Partitions the node's rows; returns how many are on the left, 0 for a leaf. */
function partRows(node: Node, outcome: u32): u32 {
  const left = outcome == split ? part(node) : 0
  return left == node.count ? 0 : left
}

function addLeaf(state: TreeState, node: Node, out: TreeOut): void {
  const at = nodeAt(out.nodes, state.self)
  clearWeights(node)
  setSplit(at, leafMark, 0)
  setRight(at, state.leaves)
  store<u32>(out.leafStarts + (<usize>(state.leaves++) << 2), state.from)
}

/** Stores the split and pushes both parts; returns false if there is no room for its weights. */
function addSplit(block: Growth, scratch: usize, node: Node, out: TreeOut, left: u32): bool {
  const state = stateIn(scratch)
  setSplit(nodeAt(out.nodes, state.self), isSparse(block) ? state.inner : node.axis, node.threshold)
  if (isSparse(block)) {
    store<u32>(out.weightOffsets + (<usize>state.inner << 2), state.weights)
    state.weights = packWeights(node, out.weightIndices, out.weightValues, state.weights, out.weightRoom)
    if (state.weights > out.weightRoom) return false
    clearWeights(node)
    state.inner++
  }
  // The left part is pushed last, so that it is grown next and becomes the next node.
  const stack = stackIn(scratch)
  push(stack, state.height++, state.from + left, node.count - left, node.level + 1, state.self)
  push(stack, state.height++, state.from, left, node.level + 1, noParent)
  return true
}

/**
 * Grows tree number `tree`, a few milliseconds per call. `step` is 0 for the first call and increases by 1; all calls for a tree
 * use the same scratch, and no other tree uses it in between. Returns the number of nodes, 0 if its weights find no room, or
 * `callAgain`. Where the steps end does not change the tree.
 */
export function growTree(scratch: usize, block: Growth, tree: u32, seed: u32, out: TreeOut, step: u32): u32 {
  if (step == 0) plant(block, scratch, tree, seed)
  const node = changetype<Node>(scratch)
  const state = stateIn(scratch)
  node.budget = stepBudget
  if (state.preparing) {
    if (askGrower(prepareTree, block, node) == unfinished) return callAgain
    state.preparing = false
  }
  while (state.splitting || state.height > 0) {
    if (node.budget <= 0) return callAgain
    if (!state.splitting) openNode(block, scratch, node, out)
    const grows = node.count > block.leafSize && node.level < block.depth
    const outcome = grows ? <u32>askGrower(chooseSplit, block, node) : leaf
    if (outcome == unfinished) return callAgain
    state.splitting = false
    const left = partRows(node, outcome)
    if (left == 0) addLeaf(state, node, out)
    else if (!addSplit(block, scratch, node, out, left)) return 0
  }
  if (isSparse(block)) store<u32>(out.weightOffsets + (<usize>state.inner << 2), state.weights)
  store<u32>(out.leafStarts + (<usize>state.leaves << 2), block.rows)
  return state.made
}
