// The hyperplane that keeps neighbors together (paper 001, section 2). Row by row, with c the side a row is on now, one step
// uphill for each term of Σ log σ(c w·x_j) over its neighbors + Σ log σ(−c w·x_j) over rows drawn at random − λ |w|₁: neighbors
// come to its own side, others go to the other one, so that neither side gets all. Steps are FTRL-Proximal's with AdaGrad's rates
// (McMahan 2011; Duchi and others 2011), one rate a feature.
//
// A feature's entry: its weight w, z (the sum of gradients, less what its rates have taken back), and the root of the sum of
// squared gradients.

import { Growth, Node, rowAt } from './grow-block'
import { LabelGraph, neighborAt, neighborCount } from './label-graph'
import { entryOf, listFeature, weigh } from './node-weights'
import { randomBelow } from './random'
import { indicesOf, rowLength, valuesOf } from './rows'

/**
 * Four features' steps against their gradients g: their entries are turned into one vector each of weights, sums and roots, and
 * back. Three times as fast as one by one.
 */
// @ts-ignore: decorator
@inline
function stepFour(node: Node, indices: usize, g: v128, l1: v128, rate: v128, perRate: v128): void {
  const a = entryOf(node, load<u32>(indices))
  const b = entryOf(node, load<u32>(indices, 4))
  const c = entryOf(node, load<u32>(indices, 8))
  const d = entryOf(node, load<u32>(indices, 12))
  const ea = v128.load(a)
  const eb = v128.load(b)
  const ec = v128.load(c)
  const ed = v128.load(d)
  const wzAB = v128.shuffle<f32>(ea, eb, 0, 4, 1, 5)
  const wzCD = v128.shuffle<f32>(ec, ed, 0, 4, 1, 5)
  const rAB = v128.shuffle<f32>(ea, eb, 2, 6, 2, 6)
  const rCD = v128.shuffle<f32>(ec, ed, 2, 6, 2, 6)
  const w = v128.shuffle<f32>(wzAB, wzCD, 0, 1, 4, 5)
  const zOld = v128.shuffle<f32>(wzAB, wzCD, 2, 3, 6, 7)
  const root = v128.shuffle<f32>(rAB, rCD, 0, 1, 4, 5)
  const grown = f32x4.sqrt(f32x4.add(f32x4.mul(root, root), f32x4.mul(g, g)))
  const z = f32x4.sub(f32x4.add(zOld, g), f32x4.mul(f32x4.mul(f32x4.sub(grown, root), perRate), w))
  const beyond = f32x4.max(f32x4.sub(f32x4.abs(z), l1), f32x4.splat(0))
  const size = f32x4.div(f32x4.mul(beyond, rate), grown)
  // Against the sign of z; nothing where no gradient was seen yet (0 / 0).
  const signed = v128.or(size, v128.andnot(f32x4.splat(-0.0), z))
  const weight = v128.and(signed, f32x4.gt(beyond, f32x4.splat(0)))
  const nAB = v128.shuffle<f32>(weight, z, 0, 4, 1, 5)
  const nCD = v128.shuffle<f32>(weight, z, 2, 6, 3, 7)
  v128.store(a, v128.shuffle<f32>(nAB, grown, 0, 1, 4, 4))
  v128.store(b, v128.shuffle<f32>(nAB, grown, 2, 3, 5, 5))
  v128.store(c, v128.shuffle<f32>(nCD, grown, 0, 1, 6, 6))
  v128.store(d, v128.shuffle<f32>(nCD, grown, 2, 3, 7, 7))
  if (v128.any_true(f32x4.eq(root, f32x4.splat(0)))) {
    listNew(node, indices, root, grown)
  }
}

/** Lists the features that have their first gradient. */
function listNew(node: Node, indices: usize, root: v128, grown: v128): void {
  const isNew = i32x4.bitmask(v128.and(f32x4.eq(root, f32x4.splat(0)), f32x4.gt(grown, f32x4.splat(0))))
  for (let lane: u32 = 0; lane < 4; lane++) {
    if ((isNew >> lane) & 1) listFeature(node, load<u32>(indices + (<usize>lane << 2)))
  }
}

/** The product of a row and the weights; in another order than `weigh`, and sooner done. */
// @ts-ignore: decorator
@inline
function quickWeigh(node: Node, indices: usize, values: usize, length: u32): f32 {
  let even: f32 = 0
  let odd: f32 = 0
  let e: u32 = 0
  for (; e + 2 <= length; e += 2) {
    const at = <usize>e << 2
    even += load<f32>(entryOf(node, load<u32>(indices + at))) * load<f32>(values + at)
    odd += load<f32>(entryOf(node, load<u32>(indices + at, 4))) * load<f32>(values + at, 4)
  }
  if (e < length) even += load<f32>(entryOf(node, load<u32>(indices + (<usize>e << 2)))) * load<f32>(values + (<usize>e << 2))
  return even + odd
}

/** The slope of −log σ(side · w·x) along w·x, for one row. */
function slopeOf(block: Growth, node: Node, row: u32, side: f32, identity: usize): f32 {
  const product = quickWeigh(node, indicesOf(block, row, identity), valuesOf(block, row), rowLength(block, row))
  return -side / (<f32>1 + Mathf.exp(side * product))
}

/** One row's step down a slope. */
function descend(block: Growth, node: Node, row: u32, slope: f32, identity: usize): void {
  const indices = indicesOf(block, row, identity)
  const values = valuesOf(block, row)
  const length = rowLength(block, row)
  const rate = block.learningRate
  const slopes = f32x4.splat(slope)
  const l1s = f32x4.splat(block.l1)
  const rates = f32x4.splat(rate)
  const perRates = f32x4.splat(<f32>1 / rate)
  let e: u32 = 0
  for (; e + 4 <= length; e += 4) {
    const at = <usize>e << 2
    stepFour(node, indices + at, f32x4.mul(slopes, v128.load(values + at)), l1s, rates, perRates)
  }
  if (e == length) return
  // The last ones, filled up with a feature that no row has.
  const rest = node.rest
  for (let lane: u32 = 0; lane < 4; lane++) {
    const at = <usize>(e + lane) << 2
    const isThere = e + lane < length
    store<u32>(rest + (<usize>lane << 2), isThere ? load<u32>(indices + at) : block.dims)
    store<f32>(rest + (<usize>lane << 2), isThere ? load<f32>(values + at) : 0, 16)
  }
  stepFour(node, rest, f32x4.mul(slopes, v128.load(rest, 16)), l1s, rates, perRates)
}

/** The side a row is on; by lot where it is on the hyperplane, as all rows are at first. */
function sideOf(block: Growth, node: Node, row: u32, identity: usize): f32 {
  const value = weigh(node, indicesOf(block, row, identity), valuesOf(block, row), rowLength(block, row))
  if (value == 0) return randomBelow(node.random, 2) == 0 ? -1 : 1
  return value > 0 ? 1 : -1
}

/**
 * One row's terms, a neighbor and a row of the other side at a time: the slopes of both are taken before either step, which lets
 * the processor do them side by side.
 */
function visit(block: Growth, node: Node, graph: LabelGraph, i: u32, identity: usize): void {
  const side = sideOf(block, node, rowAt(node, i), identity)
  const neighbors = neighborCount(block, node, graph, i)
  const terms = max<u32>(neighbors, block.opposites)
  for (let n: u32 = 0; n < terms; n++) {
    const near = n < neighbors ? rowAt(node, neighborAt(block, graph, i, n)) : 0
    const other = n < block.opposites ? rowAt(node, randomBelow(node.random, node.count)) : 0
    const nearSlope: f32 = n < neighbors ? slopeOf(block, node, near, side, identity) : 0
    const otherSlope: f32 = n < block.opposites ? slopeOf(block, node, other, -side, identity) : 0
    if (n < neighbors) descend(block, node, near, nearSlope, identity)
    if (n < block.opposites) descend(block, node, other, otherSlope, identity)
  }
}

/**
 * Leaves the weights in the node's entries. Each epoch visits all rows in an order of its own; of more than `epochRows`, so many.
 * `order` is u32 [rows of the node], to work with.
 */
export function learnHyperplane(block: Growth, node: Node, graph: LabelGraph, order: usize, identity: usize): void {
  const count = node.count
  const visits = min<u32>(count, block.epochRows)
  for (let i: u32 = 0; i < count; i++) store<u32>(order + (<usize>i << 2), i)
  for (let epoch: u32 = 0; epoch < block.epochs; epoch++) {
    for (let i: u32 = 0; i < visits; i++) {
      const other = order + (<usize>(i + randomBelow(node.random, count - i)) << 2)
      const next = load<u32>(other)
      store<u32>(other, load<u32>(order + (<usize>i << 2)))
      store<u32>(order + (<usize>i << 2), next)
      visit(block, node, graph, next, identity)
    }
  }
}
