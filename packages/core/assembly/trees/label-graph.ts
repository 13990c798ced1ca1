// The graph of nearest neighbors in label space (paper 001, section 2), of the rows of one node: the k rows with the highest
// Σ 1 / (|y_i| |y_j|) over the labels they share, |y| being a row's number of labels. Only labels with fewer rows in the node than
// the tail threshold are looked at, through an inverted index, so that no label costs the square of a large node. If a row has no such
// label, each of its labels contributes that many random rows instead. Otherwise nodes with few, frequent labels (the root, in data sets
// with few labels) would have no edges to keep. A row's list is built on first use.

import { Growth } from '../blocks/growth'
import { keyAt, offer } from '../top-k'
import { Node, rowAt, spend } from './grower'
import { randomBelow } from './random'

// @ts-ignore: decorator
@inline
const flip: u32 = 0xffffffff
// @ts-ignore: decorator
@inline
const notMade: u32 = 0xffffffff

/** Of one node; rows are numbered within it. */
@unmanaged
export class LabelGraph {
  /** Pairs of u32 [labels]: where each label's rows begin, and how many there are; zeros between nodes. */
  starts: usize
  /** u32 [labels]: the labels of the node, in the order they were met. */
  met: usize
  metCount: u32
  /** u32: the rows of each label. */
  carriers: usize
  /** u32 [rows × k] and u32 [rows]: neighbors, and how many; `notMade` at first. */
  neighbors: usize
  counts: usize
  /** f32 [rows]: zeros between uses; u32 [rows]: the rows whose score is not. */
  scores: usize
  scored: usize
  /** u64 [k] */
  heap: usize
}

// @ts-ignore: decorator
@inline
function labelStart(block: Growth, row: u32): u32 {
  return load<u32>(block.labelOffsets + (<usize>row << 2))
}
// @ts-ignore: decorator
@inline
function labelEnd(block: Growth, row: u32): u32 {
  return load<u32>(block.labelOffsets + (<usize>row << 2), 4)
}
// @ts-ignore: decorator
@inline
function labelAt(block: Growth, e: u32): u32 {
  return load<u32>(block.labelIndices + (<usize>e << 2))
}

/** Labels a row has on average, rounded up. */
// @ts-ignore: decorator
@inline
export function meanLabels(block: Growth): u32 {
  return labelStart(block, block.rows) / block.rows + 1
}

/** Lays a graph out for the largest node; returns the end of its room. */
export function layGraph(block: Growth, graph: LabelGraph, at: usize): usize {
  const rows = <usize>block.rows
  const labels = <usize>block.labels
  graph.heap = at
  at += <usize>(block.graphNeighbors + 1) << 3
  graph.starts = at
  at += (labels + 2) << 3
  graph.met = at
  at += labels << 2
  graph.carriers = at
  at += <usize>(labelStart(block, block.rows) + 1) << 2
  graph.neighbors = at
  at += (rows * <usize>block.graphNeighbors) << 2
  graph.counts = at
  at += rows << 2
  graph.scores = at
  at += rows << 2
  graph.scored = at
  at += (rows + 1) << 2
  return (at + 15) & ~15
}

// A label has a pair of u32 at starts: where its rows begin, and how many there are.
// @ts-ignore: decorator
@inline
function listOf(graph: LabelGraph, label: u32): usize {
  return graph.starts + (<usize>label << 3)
}

// The inverted index of the node's labels is made in two passes over the rows. Each returns false when the budget is used up.

/** Counts the rows of each label, and makes room for them. */
export function countCarriers(block: Growth, node: Node, graph: LabelGraph): bool {
  if (node.cursor == 0) graph.metCount = 0
  const end = spend(node, node.count, meanLabels(block))
  for (let i = node.cursor; i < end; i++) {
    const row = rowAt(node, i)
    const end = labelEnd(block, row)
    for (let e = labelStart(block, row); e < end; e++) {
      const label = labelAt(block, e)
      const list = listOf(graph, label)
      const count = load<u32>(list, 4)
      if (count == 0) store<u32>(graph.met + (<usize>(graph.metCount++) << 2), label)
      store<u32>(list, count + 1, 4)
    }
  }
  node.cursor = end
  if (end < node.count) return false
  let next: u32 = 0
  for (let i: u32 = 0; i < graph.metCount; i++) {
    const list = listOf(graph, load<u32>(graph.met + (<usize>i << 2)))
    store<u32>(list, next)
    next += load<u32>(list, 4)
    store<u32>(list, 0, 4)
  }
  memory.fill(graph.counts, 0xff, <usize>node.count << 2)
  return true
}

/** Lists the rows of each label. */
export function listCarriers(block: Growth, node: Node, graph: LabelGraph): bool {
  const stop = spend(node, node.count, meanLabels(block))
  for (let i = node.cursor; i < stop; i++) {
    const row = rowAt(node, i)
    const end = labelEnd(block, row)
    for (let e = labelStart(block, row); e < end; e++) {
      const list = listOf(graph, labelAt(block, e))
      const count = load<u32>(list, 4)
      store<u32>(graph.carriers + (<usize>(load<u32>(list) + count) << 2), i)
      store<u32>(list, count + 1, 4)
    }
  }
  node.cursor = stop
  return stop == node.count
}

export function closeGraph(graph: LabelGraph): void {
  for (let i: u32 = 0; i < graph.metCount; i++) store<u64>(listOf(graph, load<u32>(graph.met + (<usize>i << 2))), 0)
  graph.metCount = 0
}

/** Adds a label shared with row `j`; returns how many rows have a score. */
// @ts-ignore: decorator
@inline
function share(block: Growth, node: Node, graph: LabelGraph, j: u32, scored: u32): u32 {
  const row = rowAt(node, j)
  const at = graph.scores + (<usize>j << 2)
  const before = load<f32>(at)
  store<u32>(graph.scored + (<usize>scored << 2), j)
  // |y_i| is the same for all j: leaving it out changes no order.
  store<f32>(at, before + <f32>1 / <f32>(labelEnd(block, row) - labelStart(block, row)))
  return scored + <u32>(before == 0)
}

/** Scores of the rows that share a tail label with row `i`. */
function shareTail(block: Growth, node: Node, graph: LabelGraph, i: u32): u32 {
  const row = rowAt(node, i)
  const end = labelEnd(block, row)
  let scored: u32 = 0
  for (let e = labelStart(block, row); e < end; e++) {
    const list = listOf(graph, labelAt(block, e))
    const count = load<u32>(list, 4)
    if (count >= block.tailThreshold) continue
    const carriers = graph.carriers + (<usize>load<u32>(list) << 2)
    for (let c: u32 = 0; c < count; c++) scored = share(block, node, graph, load<u32>(carriers + (<usize>c << 2)), scored)
  }
  return scored
}

/** Scores of rows drawn from those that share a frequent label. */
function shareSome(block: Growth, node: Node, graph: LabelGraph, i: u32): u32 {
  const row = rowAt(node, i)
  const end = labelEnd(block, row)
  let scored: u32 = 0
  for (let e = labelStart(block, row); e < end; e++) {
    const list = listOf(graph, labelAt(block, e))
    const count = load<u32>(list, 4)
    if (count < block.tailThreshold) continue
    const carriers = graph.carriers + (<usize>load<u32>(list) << 2)
    for (let draw: u32 = 0; draw < block.tailThreshold; draw++) {
      const c = randomBelow(node.random, count)
      scored = share(block, node, graph, load<u32>(carriers + (<usize>c << 2)), scored)
    }
  }
  return scored
}

/** Makes row `i`'s list. Ties are broken at random; otherwise the first rows would be everyone's neighbors. */
function makeList(block: Growth, node: Node, graph: LabelGraph, i: u32): u32 {
  const k = block.graphNeighbors
  let scored = shareTail(block, node, graph, i)
  if (scored <= 1) {
    store<f32>(graph.scores + (<usize>i << 2), 0)
    scored = shareSome(block, node, graph, i)
  }
  const salt = randomBelow(node.random, 0xffffffff)
  let size: u32 = 0
  for (let s: u32 = 0; s < scored; s++) {
    const j = load<u32>(graph.scored + (<usize>s << 2))
    const at = graph.scores + (<usize>j << 2)
    if (j != i) size = offer(graph.heap, size, k, flip, load<f32>(at), j ^ salt)
    store<f32>(at, 0)
  }
  const list = graph.neighbors + (<usize>(i * k) << 2)
  for (let n: u32 = 0; n < size; n++) store<u32>(list + (<usize>n << 2), <u32>keyAt(graph.heap, n) ^ salt)
  store<u32>(graph.counts + (<usize>i << 2), size)
  return size
}

/** How many neighbors row `i` has. */
// @ts-ignore: decorator
@inline
export function neighborCount(block: Growth, node: Node, graph: LabelGraph, i: u32): u32 {
  const count = load<u32>(graph.counts + (<usize>i << 2))
  return count == notMade ? makeList(block, node, graph, i) : count
}

// @ts-ignore: decorator
@inline
export function neighborAt(block: Growth, graph: LabelGraph, i: u32, n: u32): u32 {
  return load<u32>(graph.neighbors + (<usize>(i * block.graphNeighbors + n) << 2))
}
