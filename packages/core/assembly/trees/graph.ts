// The split of a graph partitioning tree (paper 001): the hyperplane that cuts the fewest edges between rows with like labels.
// Left is w·x > 0. Where all rows are on one side the median of w·x parts them; where no feature tells them apart (L1 has left no
// weight), the node is a leaf.

import { Growth, Node } from './grow-block'
import { learnHyperplane } from './hyperplane'
import { closeGraph, LabelGraph, layGraph, openGraph } from './label-graph'
import { medianSplit } from './median'
import { clearWeights, entryOf, weighRows } from './node-weights'
import { isSparse } from './rows'

// @ts-ignore: decorator
@inline
const graphBytes: usize = 64

// The grower's own room: the graph's head, the order of visits u32 [rows], the indices of dense rows u32 [dims], the graph.
// @ts-ignore: decorator
@inline
function orderIn(work: usize): usize {
  return work + graphBytes
}
// @ts-ignore: decorator
@inline
function identityIn(block: Growth, work: usize): usize {
  return orderIn(work) + (<usize>block.rows << 2)
}
// @ts-ignore: decorator
@inline
function graphIn(block: Growth, work: usize): usize {
  return (identityIn(block, work) + (<usize>block.dims << 2) + 15) & ~15
}

/** `room` is 64 bytes to work with. */
export function graphWorkBytes(block: Growth, room: usize): usize {
  return layGraph(block, changetype<LabelGraph>(room), graphIn(block, 0))
}

/** Once a tree. */
export function prepareGraph(block: Growth, work: usize): void {
  const graph = changetype<LabelGraph>(work)
  layGraph(block, graph, graphIn(block, work))
  memory.fill(graph.starts, 0, <usize>(block.labels + 2) << 3)
  memory.fill(graph.scores, 0, <usize>block.rows << 2)
  if (isSparse(block)) return
  const identity = identityIn(block, work)
  for (let j: u32 = 0; j < block.dims; j++) store<u32>(identity + (<usize>j << 2), j)
}

/** Whether rows fall on both sides of 0. */
function partsRows(node: Node): bool {
  let left: u32 = 0
  for (let i: u32 = 0; i < node.count; i++) left += <u32>(load<f32>(node.values + (<usize>i << 2)) < 0)
  return left > 0 && left < node.count
}

/** A dense node keeps its direction itself: −w, as left is what is smaller. */
function keepDirection(block: Growth, node: Node): void {
  for (let j: u32 = 0; j < block.dims; j++) {
    store<f32>(node.direction + (<usize>j << 2), -load<f32>(entryOf(node, j)))
  }
  clearWeights(node)
}

export function splitGraph(block: Growth, node: Node): bool {
  const graph = changetype<LabelGraph>(node.work)
  const identity = identityIn(block, node.work)
  openGraph(block, node, graph)
  learnHyperplane(block, node, graph, orderIn(node.work), identity)
  closeGraph(graph)
  weighRows(block, node, identity, -1)
  if (!isSparse(block)) keepDirection(block, node)
  node.threshold = 0
  if (partsRows(node)) return true
  memory.copy(node.spare, node.values, <usize>node.count << 2)
  node.threshold = medianSplit(node.spare, node.count)
  return node.threshold == node.threshold
}
