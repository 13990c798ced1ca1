// Growing one tree: the frame that all growers share. A range of the row order is a node; its grower chooses a split, the range
// is parted, and the left part is next. Rows that no grower can tell apart stay together in a leaf.

import { splitChronological } from './chronological'
import { classificationBytes, prepareClassification, splitClassification } from './classification'
import { projectRows, splitAlongDirection } from './directions'
import {
  chronologicalGrower, classificationGrower, directionsGrower, Growth, kdGrower, Node, pcaGrower, rowAt,
} from './grow-block'
import { splitKd } from './kd'
import { leafMark, nodeAt, setRight, setSplit } from './nodes'
import { splitPca } from './pca'
import { seedRandom } from './random'

// @ts-ignore: decorator
@inline
const nodeBytes: usize = 64
// A range still to be grown: from, count, level, parent (or none, for a left child and the root).
// @ts-ignore: decorator
@inline
const rangeBytes: usize = 16
// @ts-ignore: decorator
@inline
const noParent: u32 = 0xffffffff

/** The room a grower needs beside the frame's. */
function workBytes(block: Growth): usize {
  const kind = block.grower
  if (kind == directionsGrower) return (<usize>block.depth * <usize>block.rows) << 2
  if (kind == classificationGrower) return classificationBytes(block)
  return <usize>block.dims << 3
}

/** Bytes of scratch that growTree needs. */
export function growScratchBytes(block: Growth): usize {
  return nodeBytes + 16 + <usize>(block.depth + 2) * rangeBytes + (<usize>block.rows << 3) + workBytes(block) + 64
}

function chooseSplit(block: Growth, node: Node): bool {
  const kind = block.grower
  if (kind == kdGrower) return splitKd(block, node)
  if (kind == chronologicalGrower) return splitChronological(block, node)
  if (kind == directionsGrower) return splitAlongDirection(block, node)
  if (kind == pcaGrower) return splitPca(block, node)
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

/**
 * Grows tree number `tree`. `order` holds the rows' numbers and ends up in order of the leaves, leaf i's rows beginning at
 * leafStarts[i]; `directions` takes f32 [dims] a node where nodes have directions of their own. Returns the number of nodes.
 */
export function growTree(
  scratch: usize, block: Growth, tree: u32, seed: u32, order: usize, nodes: usize, leafStarts: usize, directions: usize,
): u32 {
  const node = changetype<Node>(scratch)
  const stack = scratch + nodeBytes + 16
  node.random = scratch + nodeBytes
  node.values = stack + <usize>(block.depth + 2) * rangeBytes
  node.spare = node.values + (<usize>block.rows << 2)
  node.work = (node.spare + (<usize>block.rows << 2) + 7) & ~7
  seedRandom(node.random, seed)
  const kind = block.grower
  if (kind == directionsGrower) projectRows(block, tree, node.work)
  if (kind == classificationGrower) prepareClassification(block, node.work)
  let made: u32 = 0
  let leaves: u32 = 0
  let height: u32 = 1
  push(stack, 0, 0, block.rows, 0, noParent)
  while (height > 0) {
    const range = stack + <usize>(--height) * rangeBytes
    const from = load<u32>(range)
    const parent = load<u32>(range, 12)
    node.count = load<u32>(range, 4)
    node.level = load<u32>(range, 8)
    node.rows = order + (<usize>from << 2)
    const self = made++
    const at = nodeAt(nodes, self)
    node.direction = directions + ((<usize>self * <usize>block.dims) << 2)
    if (parent != noParent) setRight(nodeAt(nodes, parent), self)
    let left: u32 = 0
    if (node.count > block.leafSize && node.level < block.depth && chooseSplit(block, node)) left = part(node)
    if (left == 0 || left == node.count) {
      setSplit(at, leafMark, 0)
      setRight(at, leaves)
      store<u32>(leafStarts + (<usize>(leaves++) << 2), from)
      continue
    }
    setSplit(at, kind == pcaGrower ? self : node.axis, node.threshold)
    // The left part is pushed last, so that it is grown next and becomes the next node.
    push(stack, height++, from + left, node.count - left, node.level + 1, self)
    push(stack, height++, from, left, node.level + 1, noParent)
  }
  store<u32>(leafStarts + (<usize>leaves << 2), block.rows)
  return made
}
