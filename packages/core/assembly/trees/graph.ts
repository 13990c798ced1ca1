// The split of a graph partitioning tree (paper 001): the hyperplane that cuts the fewest edges between rows with similar labels. Left is
// w·x > 0. If all rows are on one side, splits at the median of w·x; if no feature separates them (L1 has left no weight), the node is a
// leaf.

import { Growth } from '../blocks/growth'
import { leaf, nextStage, Node, spend, split, unfinished } from './grower'
import { learnHyperplane, weigh } from './hyperplane'
import { closeGraph, countCarriers, LabelGraph, layGraph, listCarriers } from './label-graph'
import { closeRows, layLocalRows, LocalRows, meanEntries, openRows, weightAt } from './local-rows'
import { medianSplit } from './median'
import { setWeight } from './node-weights'
import { isSparse } from './rows'
import { roundLearned } from './weight-grid'

// @ts-ignore: decorator
@inline
const headBytes: usize = 64
// Of a split: two passes over the labels, the copy of the rows, learning, and the rows' sides.
// @ts-ignore: decorator
@inline
const stages: u32 = 5

// The grower's own room: the heads of the graph and of the rows, the order of visits u32 [rows], the indices of dense rows u32
// [dims], the graph, the rows.
// @ts-ignore: decorator
@inline
function localIn(work: usize): LocalRows {
  return changetype<LocalRows>(work + headBytes)
}
// @ts-ignore: decorator
@inline
function orderIn(work: usize): usize {
  return work + 2 * headBytes
}
// @ts-ignore: decorator
@inline
function identityIn(block: Growth, work: usize): usize {
  return orderIn(work) + (<usize>block.rows << 2)
}
// @ts-ignore: decorator
@inline
function partsIn(block: Growth, work: usize): usize {
  return (identityIn(block, work) + (<usize>block.dims << 2) + 15) & ~15
}

/** `room` is a dummy of roomBytes bytes. */
export function graphWorkBytes(block: Growth, room: usize): usize {
  const graphEnd = layGraph(block, changetype<LabelGraph>(room), partsIn(block, 0))
  return layLocalRows(block, changetype<LocalRows>(room), graphEnd)
}

/** Once per tree. */
export function prepareGraph(block: Growth, work: usize): void {
  const graph = changetype<LabelGraph>(work)
  const local = localIn(work)
  layLocalRows(block, local, layGraph(block, graph, partsIn(block, work)))
  memory.fill(graph.starts, 0, <usize>(block.labels + 2) << 3)
  memory.fill(graph.scores, 0, <usize>block.rows << 2)
  memory.fill(local.numbers, 0, <usize>block.dims << 2)
  if (isSparse(block)) return
  const identity = identityIn(block, work)
  for (let j: u32 = 0; j < block.dims; j++) store<u32>(identity + (<usize>j << 2), j)
}

/** −w·x of all rows at node.values, as left is what is smaller; node.round counts these. Returns false when the budget is used up. */
function weighRows(block: Growth, node: Node, local: LocalRows): bool {
  const end = spend(node, node.count, meanEntries(block))
  for (let i = node.cursor; i < end; i++) {
    const value = -weigh(local, i)
    store<f32>(node.values + (<usize>i << 2), value)
    node.round += <u32>(value < 0)
  }
  node.cursor = end
  return end == node.count
}

/** The direction is −w, scaled as the rows were. A node of dense rows keeps it itself. */
function keepDirection(block: Growth, node: Node, local: LocalRows): void {
  if (!isSparse(block)) memory.fill(node.direction, 0, <usize>block.dims << 2)
  for (let i: u32 = 0; i < local.featureCount; i++) {
    const feature = load<u32>(local.features + (<usize>i << 2))
    const weight = block.scale * load<f32>(weightAt(local, i))
    if (weight == 0) continue
    if (isSparse(block)) setWeight(node, feature, -weight)
    else store<f32>(node.direction + (<usize>feature << 2), -weight)
  }
}

/** One stage of a split after the other, as far as the budget goes; returns whether all are done. */
function advance(block: Growth, node: Node, graph: LabelGraph, local: LocalRows): bool {
  let done = true
  while (done && node.stage < stages) {
    if (node.budget <= 0) return false
    if (node.stage == 0) done = countCarriers(block, node, graph)
    else if (node.stage == 1) done = listCarriers(block, node, graph)
    else if (node.stage == 2) done = openRows(block, node, local, identityIn(block, node.work))
    else if (node.stage == 3) done = learnHyperplane(block, node, graph, local, orderIn(node.work))
    else done = weighRows(block, node, local)
    if (!done) return false
    if (node.stage == 3) {
      if (isSparse(block)) roundLearned(block, local)
      node.round = 0
    }
    nextStage(node)
  }
  return true
}

export function splitGraph(block: Growth, node: Node): u32 {
  const graph = changetype<LabelGraph>(node.work)
  const local = localIn(node.work)
  if (!advance(block, node, graph, local)) return unfinished
  keepDirection(block, node, local)
  closeGraph(graph)
  closeRows(local)
  node.threshold = 0
  if (node.round > 0 && node.round < node.count) return split
  memory.copy(node.spare, node.values, <usize>node.count << 2)
  node.threshold = medianSplit(node.spare, node.count)
  return node.threshold == node.threshold ? split : leaf
}
