// The leaves that a query reaches: one per tree and, optionally, more of them, nearest first, from splits that were nearly decided the
// other way (priority search; paper 000, footnote 3).

import { sumLanes } from '../lanes'
import { keyAt, orderOf, rise, scoreOf, replaceTop } from '../top-k'
import { axisOf, nodeAt, rightOf, thresholdOf } from '../trees/nodes'
import { axisSplits, Forest, leafMark, levelSplits, mostDetours, SparseQuery, sparseSplits } from '../blocks/forest'
import { nodeDirection, nodesOf } from './forest-nodes'
import { sparseProduct, sparseProducts, sumListed } from './sparse-query'

/** The query's values on the trees' shared directions: f32 [trees × levels] at `values`. Nothing to do for other splits. */
export function projectQuery(forest: Forest, view: usize, trees: u32, values: usize): void {
  if (forest.splits != levelSplits) return
  const count = trees * forest.levels
  const offsets = forest.levelOffsets
  for (let i: u32 = 0; i < count; i++) {
    const end = load<u32>(offsets + (<usize>i << 2), 4)
    let sum: f32 = 0
    for (let e = load<u32>(offsets + (<usize>i << 2)); e < end; e++) {
      const at = <usize>e << 2
      sum += load<f32>(forest.levelValues + at) * load<f32>(view + (<usize>load<u32>(forest.levelIndices + at) << 2))
    }
    store<f32>(values + (<usize>i << 2), sum)
  }
}

function product(a: usize, b: usize, dims: u32): f32 {
  let sum = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(a + (<usize>j << 2)), v128.load(b + (<usize>j << 2))))
  }
  let total = sumLanes(sum)
  for (; j < dims; j++) total += load<f32>(a + (<usize>j << 2)) * load<f32>(b + (<usize>j << 2))
  return total
}

/**
 * How far a value lies above a node's threshold; below 0 the query goes left. `values`: what the axes of this tree index. The view
 * of a forest with sparse splits is a SparseQuery.
 */
// @ts-ignore: decorator
@inline
function margin(forest: Forest, kind: u32, node: usize, view: usize, values: usize): f32 {
  if (kind == axisSplits || kind == levelSplits) return load<f32>(values + (<usize>axisOf(node) << 2)) - thresholdOf(node)
  if (kind == sparseSplits) return sparseProduct(forest, axisOf(node), changetype<SparseQuery>(view)) - thresholdOf(node)
  return product(view, nodeDirection(forest, axisOf(node)), forest.dims) - thresholdOf(node)
}

// @ts-ignore: decorator
@inline
function valuesOf(forest: Forest, kind: u32, tree: u32, view: usize, projected: usize): usize {
  return kind == levelSplits ? projected + (<usize>(tree * forest.levels) << 2) : view
}

/** One step of a walk towards its leaf; a walk that has arrived stays. */
// @ts-ignore: decorator
@inline
function step(nodes: usize, node: usize, values: usize): usize {
  const axis = axisOf(node)
  const arrived = axis == leafMark
  const value = load<f32>(values + (<usize>select<u32>(0, axis, arrived) << 2))
  const next = select<usize>(node + 12, nodeAt(nodes, rightOf(node)), value < thresholdOf(node))
  return select<usize>(node, next, arrived)
}

/**
 * Four trees at a time, without branches, so that their cache misses overlap. Same as: walk down each tree on its own.
 */
function routeFour(forest: Forest, kind: u32, view: usize, projected: usize, tree: u32, leaves: usize): void {
  const t0 = nodesOf(forest, tree)
  const t1 = nodesOf(forest, tree + 1)
  const t2 = nodesOf(forest, tree + 2)
  const t3 = nodesOf(forest, tree + 3)
  const v0 = valuesOf(forest, kind, tree, view, projected)
  const v1 = valuesOf(forest, kind, tree + 1, view, projected)
  const v2 = valuesOf(forest, kind, tree + 2, view, projected)
  const v3 = valuesOf(forest, kind, tree + 3, view, projected)
  let n0 = t0
  let n1 = t1
  let n2 = t2
  let n3 = t3
  while ((axisOf(n0) & axisOf(n1) & axisOf(n2) & axisOf(n3)) != leafMark) {
    n0 = step(t0, n0, v0)
    n1 = step(t1, n1, v1)
    n2 = step(t2, n2, v2)
    n3 = step(t3, n3, v3)
  }
  store<u32>(leaves, rightOf(n0))
  store<u32>(leaves, rightOf(n1), 4)
  store<u32>(leaves, rightOf(n2), 8)
  store<u32>(leaves, rightOf(n3), 12)
}

function routeOne(forest: Forest, kind: u32, view: usize, projected: usize, tree: u32): u32 {
  const nodes = nodesOf(forest, tree)
  return walkDown(forest, kind, view, valuesOf(forest, kind, tree, view, projected), nodes, nodes)
}

/** The leaf below a node. */
function walkDown(forest: Forest, kind: u32, view: usize, values: usize, nodes: usize, node: usize): u32 {
  while (axisOf(node) != leafMark) {
    node = margin(forest, kind, node, view, values) < 0 ? node + 12 : nodeAt(nodes, rightOf(node))
  }
  return rightOf(node)
}

/** Two trees with sparse splits at a time; same as walking down each. Uses the memory of the leaves for the products. */
function routeTwo(forest: Forest, query: SparseQuery, tree: u32, leaves: usize): void {
  const treeA = nodesOf(forest, tree)
  const treeB = nodesOf(forest, tree + 1)
  let a = treeA
  let b = treeB
  while (axisOf(a) != leafMark && axisOf(b) != leafMark) {
    sparseProducts(forest, axisOf(a), axisOf(b), query, leaves)
    a = load<f32>(leaves) < thresholdOf(a) ? a + 12 : nodeAt(treeA, rightOf(a))
    b = load<f32>(leaves, 4) < thresholdOf(b) ? b + 12 : nodeAt(treeB, rightOf(b))
  }
  store<u32>(leaves, walkDown(forest, sparseSplits, changetype<usize>(query), changetype<usize>(query), treeA, a))
  store<u32>(leaves, walkDown(forest, sparseSplits, changetype<usize>(query), changetype<usize>(query), treeB, b), 4)
}

/** The leaves of trees [tree, trees), u32, at their positions in `leaves`. */
export function routeQuery(forest: Forest, view: usize, projected: usize, tree: u32, trees: u32, leaves: usize): void {
  const kind = forest.splits
  if (kind == axisSplits || kind == levelSplits) {
    for (; tree + 4 <= trees; tree += 4) routeFour(forest, kind, view, projected, tree, leaves + (<usize>tree << 2))
  }
  if (kind == sparseSplits) {
    const query = changetype<SparseQuery>(view)
    for (; tree + 2 <= trees; tree += 2) routeTwo(forest, query, tree, leaves + (<usize>tree << 2))
  }
  for (; tree < trees; tree++) {
    store<u32>(leaves + (<usize>tree << 2), routeOne(forest, kind, view, projected, tree))
  }
}

// The detours are a heap of u64 keys, (order of the distance) << 32 | number, nearest on top, beside u32 pairs (tree, node). A
// detour's distance is the sum of the squared margins on its way, as in best-bin-first search.

/** Goes down from a node, noting at each split the side not taken; returns the leaf. */
function descend(
  forest: Forest, view: usize, projected: usize, tree: u32, from: u32, distance: f32, heap: usize, places: usize, count: usize,
): u32 {
  const kind = forest.splits
  const nodes = nodesOf(forest, tree)
  const values = valuesOf(forest, kind, tree, view, projected)
  let node = nodeAt(nodes, from)
  while (axisOf(node) != leafMark) {
    const off = margin(forest, kind, node, view, values)
    const left = node + 12
    const right = nodeAt(nodes, rightOf(node))
    const other = off < 0 ? right : left
    note(heap, places, count, distance + off * off, tree, <u32>((other - nodes) / 12))
    node = off < 0 ? left : right
  }
  return rightOf(node)
}

function note(heap: usize, places: usize, count: usize, distance: f32, tree: u32, node: u32): void {
  const size = load<u32>(count)
  const number = load<u32>(count, 4)
  if (number == mostDetours) return
  store<u32>(places + (<usize>number << 3), tree)
  store<u32>(places + (<usize>number << 3), node, 4)
  // The heap of top-k has its largest key on top, so orders are flipped.
  rise(heap, size, (<u64>(orderOf(distance) ^ 0xffffffff) << 32) | <u64>number)
  store<u32>(count, size + 1)
  store<u32>(count, number + 1, 4)
}

/**
 * Each tree's leaf, then `probes` more of any tree, nearest first: u32 pairs (tree, leaf) at `out`. `room` is 16 · mostDetours +
 * 8 bytes. Returns how many: fewer than asked for if the trees have no more leaves.
 */
export function probeQuery(
  forest: Forest, view: usize, projected: usize, trees: u32, probes: u32, room: usize, out: usize,
): u32 {
  const heap = room
  const places = heap + (<usize>mostDetours << 3)
  const count = places + (<usize>mostDetours << 3)
  store<u64>(count, 0)
  let found: u32 = 0
  for (let tree: u32 = 0; tree < trees; tree++) {
    store<u32>(out + (<usize>found << 3), tree)
    store<u32>(out + (<usize>found << 3), descend(forest, view, projected, tree, 0, 0, heap, places, count), 4)
    found++
  }
  const most = trees + probes
  while (found < most && load<u32>(count) > 0) {
    const size = load<u32>(count) - 1
    const key = keyAt(heap, 0)
    const distance = scoreOf(<u32>(key >> 32) ^ 0xffffffff)
    store<u32>(count, size)
    if (size > 0) replaceTop(heap, size, keyAt(heap, size))
    const place = places + (<usize>(<u32>key) << 3)
    const tree = load<u32>(place)
    const leaf = descend(forest, view, projected, tree, load<u32>(place, 4), distance, heap, places, count)
    store<u32>(out + (<usize>found << 3), tree)
    store<u32>(out + (<usize>found << 3), leaf, 4)
    found++
  }
  return found
}

/** The leaf of each tree for one point, f32 [dims]: u32 [trees] at `leaves`. `projected` is room for f32 [trees × levels]. */
export function denseLeaves(forest: Forest, view: usize, projected: usize, leaves: usize): void {
  projectQuery(forest, view, forest.trees, projected)
  routeQuery(forest, view, projected, 0, forest.trees, leaves)
}

/** The same for a forest with sparse splits; the query is scattered. */
export function sparseLeaves(forest: Forest, query: SparseQuery, leaves: usize): void {
  sumListed(forest, query)
  routeQuery(forest, changetype<usize>(query), 0, 0, forest.trees, leaves)
}
