// The hyperplane that keeps neighbors together (paper 001, section 2). Row by row, with c the side a row is on now, one step
// uphill for each term of Σ log σ(c w·x_j) over its neighbors + Σ log σ(−c w·x_j) over rows drawn at random − λ |w|₁: neighbors move to its
// own side, others to the other one, so that neither side gets all rows. Steps are FTRL-Proximal's with AdaGrad's rates
// (McMahan 2011; Duchi and others 2011), one rate per feature.
//
// What is learned of a feature: its weight w, z (the sum of gradients, minus what its rates have taken back), and the root of the sum of
// squared gradients; the fourth field is unused.

import { Growth } from '../blocks/growth'
import { expOf } from '../exp'
import { Node, spend } from './grower'
import { LabelGraph, meanLabels, neighborAt, neighborCount } from './label-graph'
import { entriesOf, LocalRows, meanEntries, weightAt } from './local-rows'
import { randomBelow } from './random'

/**
 * The steps of four features against their gradients g: transposes their state into vectors of weights, sums and roots, and back. Much
 * faster than one by one.
 */
// @ts-ignore: decorator
@inline
function stepFour(a: usize, b: usize, c: usize, d: usize, g: v128, l1: v128, rate: v128, perRate: v128): void {
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
  // Against the sign of z; 0 if there was no gradient yet (0 / 0).
  const signed = v128.or(size, v128.andnot(f32x4.splat(-0.0), z))
  const weight = v128.and(signed, v128.and(f32x4.gt(beyond, f32x4.splat(0)), f32x4.gt(grown, f32x4.splat(0))))
  const nAB = v128.shuffle<f32>(weight, z, 0, 4, 1, 5)
  const nCD = v128.shuffle<f32>(weight, z, 2, 6, 3, 7)
  v128.store(a, v128.shuffle<f32>(nAB, grown, 0, 1, 4, 4))
  v128.store(b, v128.shuffle<f32>(nAB, grown, 2, 3, 5, 5))
  v128.store(c, v128.shuffle<f32>(nCD, grown, 0, 1, 6, 6))
  v128.store(d, v128.shuffle<f32>(nCD, grown, 2, 3, 7, 7))
}

// @ts-ignore: decorator
@inline
function termAt(local: LocalRows, entry: usize): f32 {
  return load<f32>(weightAt(local, load<u32>(entry))) * load<f32>(entry, 4)
}

/** The product of a row and the weights, in the order that queries are routed in. */
export function weigh(local: LocalRows, row: u32): f32 {
  const end = entriesOf(local, row + 1)
  let sum: f32 = 0
  for (let entry = entriesOf(local, row); entry < end; entry += 8) sum += termAt(local, entry)
  return sum
}

/** The slope of −log σ(side · w·x) along w·x, for one row. Two interleaved sums are faster than one. */
function slopeOf(local: LocalRows, row: u32, side: f32): f32 {
  const end = entriesOf(local, row + 1)
  let entry = entriesOf(local, row)
  let even: f32 = 0
  let odd: f32 = 0
  for (; entry + 16 <= end; entry += 16) {
    even += termAt(local, entry)
    odd += termAt(local, entry + 8)
  }
  if (entry < end) even += termAt(local, entry)
  return -side / (<f32>1 + expOf(side * (even + odd)))
}

/** One row's step down a slope. */
function descend(block: Growth, local: LocalRows, row: u32, slope: f32): void {
  const rate = block.learningRate
  const slopes = f32x4.splat(slope)
  const l1 = f32x4.splat(block.l1)
  const rates = f32x4.splat(rate)
  const perRate = f32x4.splat(<f32>1 / rate)
  const end = entriesOf(local, row + 1)
  let entry = entriesOf(local, row)
  for (; entry + 32 <= end; entry += 32) {
    const values = v128.shuffle<f32>(v128.load(entry), v128.load(entry, 16), 1, 3, 5, 7)
    stepFour(
      weightAt(local, load<u32>(entry)), weightAt(local, load<u32>(entry, 8)), weightAt(local, load<u32>(entry, 16)),
      weightAt(local, load<u32>(entry, 24)), f32x4.mul(slopes, values), l1, rates, perRate,
    )
  }
  const left = <u32>((end - entry) >> 3)
  if (left == 0) return
  // The rest, padded with a feature that no row has.
  const none = weightAt(local, local.featureCount)
  let values = f32x4.splat(0)
  values = f32x4.replace_lane(values, 0, load<f32>(entry, 4))
  if (left > 1) values = f32x4.replace_lane(values, 1, load<f32>(entry, 12))
  if (left > 2) values = f32x4.replace_lane(values, 2, load<f32>(entry, 20))
  stepFour(
    weightAt(local, load<u32>(entry)), left > 1 ? weightAt(local, load<u32>(entry, 8)) : none,
    left > 2 ? weightAt(local, load<u32>(entry, 16)) : none, none, f32x4.mul(slopes, values), l1, rates, perRate,
  )
}

/** The side a row is on; random if it is on the hyperplane, as all rows are at first. */
function sideOf(node: Node, local: LocalRows, row: u32): f32 {
  const value = weigh(local, row)
  if (value == 0) return randomBelow(node.random, 2) == 0 ? -1 : 1
  return value > 0 ? 1 : -1
}

/**
 * One row's terms, a neighbor and a row of the other side at a time: computes both slopes before either step, so that the processor can
 * overlap them.
 */
function visit(block: Growth, node: Node, graph: LabelGraph, local: LocalRows, i: u32): void {
  const neighbors = neighborCount(block, node, graph, i)
  const negatives = block.negatives
  const side = sideOf(node, local, i)
  const most = max<u32>(neighbors, negatives)
  for (let n: u32 = 0; n < most; n++) {
    const near = n < neighbors ? neighborAt(block, graph, i, n) : 0
    const other = n < negatives ? randomBelow(node.random, node.count) : 0
    const nearSlope: f32 = n < neighbors ? slopeOf(local, near, side) : 0
    const otherSlope: f32 = n < negatives ? slopeOf(local, other, -side) : 0
    if (n < neighbors) descend(block, local, near, nearSlope)
    if (n < negatives) descend(block, local, other, otherSlope)
  }
}

/** What one visit costs: the steps of its terms, and the making of its list. */
function visitCost(block: Growth): u32 {
  const terms = (block.graphNeighbors + block.negatives) * 4 * meanEntries(block)
  return terms + meanLabels(block) * min<u32>(block.tailThreshold, block.rows)
}

/**
 * Leaves the weights with the local rows; returns false when the budget is used up. Each epoch visits all rows, or `epochRows` of them if
 * there are more, in a new order. `order` is scratch, u32 [rows of the node]; node.round counts the epochs.
 */
export function learnHyperplane(block: Growth, node: Node, graph: LabelGraph, local: LocalRows, order: usize): bool {
  const count = node.count
  const visits = min<u32>(count, block.epochRows)
  const cost = visitCost(block)
  if (node.round == 0 && node.cursor == 0) {
    for (let i: u32 = 0; i < count; i++) store<u32>(order + (<usize>i << 2), i)
  }
  for (; node.round < block.epochs; node.round++) {
    const end = spend(node, visits, cost)
    for (let i = node.cursor; i < end; i++) {
      const other = order + (<usize>(i + randomBelow(node.random, count - i)) << 2)
      const next = load<u32>(other)
      store<u32>(other, load<u32>(order + (<usize>i << 2)))
      store<u32>(order + (<usize>i << 2), next)
      visit(block, node, graph, local, next)
    }
    node.cursor = end
    if (end < visits) return false
    node.cursor = 0
    if (node.budget <= 0) {
      node.round++
      return node.round == block.epochs
    }
  }
  return true
}
