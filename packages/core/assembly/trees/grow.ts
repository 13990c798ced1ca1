// Growing one tree: the frame that all growers share. A range of the row order is a node; its grower chooses a split, the range
// is parted, and the left part is next. Rows that no grower can tell apart stay together in a leaf.

import { splitChronological } from './chronological'
import { classificationBytes, prepareClassification, splitClassification } from './classification'
import { projectRows, splitAlongDirection } from './directions'
import { graphWorkBytes, prepareGraph, splitGraph } from './graph'
import {
  chronologicalGrower, classificationGrower, directionsGrower, graphGrower, Growth, kdGrower, Node, pcaGrower, rowAt,
} from './grow-block'
import { splitKd } from './kd'
import { clearWeights, packWeights } from './node-weights'
import { leafMark, nodeAt, setRight, setSplit } from './nodes'
import { splitPca } from './pca'
import { seedRandom } from './random'
import { isSparse } from './rows'
import { splitSparsePca, splitSparseRandom } from './sparse-directions'
import { splitSparseKd } from './sparse-kd'

// @ts-ignore: decorator
@inline
const nodeBytes: usize = 128
// A range still to be grown: from, count, level, parent (or none, for a left child and the root).
// @ts-ignore: decorator
@inline
const rangeBytes: usize = 16
// @ts-ignore: decorator
@inline
const noParent: u32 = 0xffffffff

/** The room a grower needs beside the frame's; `room` is 64 bytes to work with. */
function workBytes(block: Growth, room: usize): usize {
  const kind = block.grower
  if (kind == graphGrower) return graphWorkBytes(block, room)
  if (kind == directionsGrower && !isSparse(block)) return (<usize>block.depth * <usize>block.rows) << 2
  if (kind == classificationGrower) return classificationBytes(block)
  return <usize>block.dims << 3
}

/** Of a node's weights, where they are looked for: an entry a feature, and the list of them. */
function weightBytes(block: Growth): usize {
  return isSparse(block) ? <usize>(block.dims + 4) * 20 : 0
}

/** Bytes of scratch that growTree needs; `room` is 64 bytes to work with. */
export function growScratchBytes(block: Growth, room: usize): usize {
  const frame = nodeBytes + 16 + <usize>(block.depth + 2) * rangeBytes + (<usize>block.rows << 3)
  return frame + weightBytes(block) + workBytes(block, room) + 64
}

function chooseSplit(block: Growth, node: Node): bool {
  const kind = block.grower
  if (kind == graphGrower) return splitGraph(block, node)
  if (isSparse(block)) return chooseSparseSplit(block, node)
  if (kind == kdGrower) return splitKd(block, node)
  if (kind == chronologicalGrower) return splitChronological(block, node)
  if (kind == directionsGrower) return splitAlongDirection(block, node)
  if (kind == pcaGrower) return splitPca(block, node)
  return splitClassification(block, node)
}

function chooseSparseSplit(block: Growth, node: Node): bool {
  const kind = block.grower
  if (kind == kdGrower) return splitSparseKd(block, node)
  if (kind == directionsGrower) return splitSparseRandom(block, node)
  if (kind == pcaGrower) return splitSparsePca(block, node)
  return splitClassification(block, node)
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

/** Where a tree goes. */
@unmanaged
export class TreeOut {
  /** The rows' numbers, u32 [rows]: ends up in order of the leaves, leaf i's rows beginning at leafStarts[i]. */
  order: usize
  nodes: usize
  leafStarts: usize
  /** Where nodes of dense rows have directions of their own: f32 [dims] a node. */
  directions: usize
  /** Of sparse rows, as CSR, a row an inner node: its direction. There is room for so many entries in all. */
  weightOffsets: usize
  weightIndices: usize
  weightValues: usize
  weightRoom: u32
}

function layNode(block: Growth, scratch: usize): Node {
  const node = changetype<Node>(scratch)
  node.random = scratch + nodeBytes
  node.values = node.random + 16 + <usize>(block.depth + 2) * rangeBytes
  node.spare = node.values + (<usize>block.rows << 2)
  node.weights = (node.spare + (<usize>block.rows << 2) + 15) & ~15
  node.features = node.weights + (<usize>(block.dims + 4) << 4)
  node.work = (node.weights + weightBytes(block) + 15) & ~15
  node.featureCount = 0
  memory.fill(node.weights, 0, weightBytes(block))
  return node
}

/** What a split node compares, in the place of its axis. */
function splitNumber(block: Growth, node: Node, self: u32, inner: u32): u32 {
  if (isSparse(block)) return inner
  return block.grower == pcaGrower || block.grower == graphGrower ? self : node.axis
}

/** Grows tree number `tree`; returns the number of nodes, or 0 where its weights find no room, or all is to stop. */
export function growTree(scratch: usize, block: Growth, tree: u32, seed: u32, out: TreeOut): u32 {
  const node = layNode(block, scratch)
  const stack = node.random + 16
  const sparse = isSparse(block)
  const kind = block.grower
  seedRandom(node.random, seed)
  if (kind == directionsGrower && !sparse) projectRows(block, tree, node.work)
  if (kind == classificationGrower) prepareClassification(block, node.work)
  if (kind == graphGrower) prepareGraph(block, node.work)
  let made: u32 = 0
  let leaves: u32 = 0
  let inner: u32 = 0
  let weights: u32 = 0
  let height: u32 = 1
  push(stack, 0, 0, block.rows, 0, noParent)
  while (height > 0) {
    if (load<u32>(block.stop) != 0) return 0
    const range = stack + <usize>(--height) * rangeBytes
    const from = load<u32>(range)
    const parent = load<u32>(range, 12)
    node.count = load<u32>(range, 4)
    node.level = load<u32>(range, 8)
    node.rows = out.order + (<usize>from << 2)
    const self = made++
    const at = nodeAt(out.nodes, self)
    node.direction = out.directions + ((<usize>self * <usize>block.dims) << 2)
    if (parent != noParent) setRight(nodeAt(out.nodes, parent), self)
    let left: u32 = 0
    if (node.count > block.leafSize && node.level < block.depth && chooseSplit(block, node)) left = part(node)
    if (left == 0 || left == node.count) {
      clearWeights(node)
      setSplit(at, leafMark, 0)
      setRight(at, leaves)
      store<u32>(out.leafStarts + (<usize>(leaves++) << 2), from)
      continue
    }
    setSplit(at, splitNumber(block, node, self, inner), node.threshold)
    if (sparse) {
      store<u32>(out.weightOffsets + (<usize>inner << 2), weights)
      weights = packWeights(node, out.weightIndices, out.weightValues, weights, out.weightRoom)
      if (weights > out.weightRoom) return 0
      clearWeights(node)
      inner++
    }
    // The left part is pushed last, so that it is grown next and becomes the next node.
    push(stack, height++, from + left, node.count - left, node.level + 1, self)
    push(stack, height++, from, left, node.level + 1, noParent)
  }
  if (sparse) store<u32>(out.weightOffsets + (<usize>inner << 2), weights)
  store<u32>(out.leafStarts + (<usize>leaves << 2), block.rows)
  return made
}
