// Splits between two centers, found by k-means on a sample of the node's rows. Which center is nearer is a matter of one product: the
// split's direction leads from one center to the other, and its threshold lies midway. If one side gets too few rows, the median along
// that direction is taken instead: cells of similar size.

import { sumLanes } from '../lanes'
import { Growth } from '../blocks/growth'
import { Node, rowAt } from './grower'
import { medianSplit } from './median'
import { randomBelow } from './random'

/** Rounds of k-means: two centers settle soon, and the next levels make up for the rest. */
// @ts-ignore: decorator
@inline
const rounds: u32 = 6
/** A side may have one row in this many, or more. */
// @ts-ignore: decorator
@inline
const leastShare: u32 = 4

/** Two centers, and the sums of their rows. */
export function cellsWorkBytes(block: Growth): usize {
  return <usize>block.dims << 4
}

// @ts-ignore: decorator
@inline
function rowOf(block: Growth, node: Node, i: u32): usize {
  return block.view + ((<usize>rowAt(node, i) * <usize>block.dims) << 2)
}

function squaredDistance(a: usize, b: usize, dims: u32): f32 {
  let sum: f32 = 0
  for (let j: u32 = 0; j < dims; j++) {
    const off = load<f32>(a + (<usize>j << 2)) - load<f32>(b + (<usize>j << 2))
    sum += off * off
  }
  return sum
}

/** Begins with a row drawn at random and the one farthest from it; false if all sampled rows are equal. */
function firstCenters(block: Growth, node: Node, step: u32, a: usize, b: usize): bool {
  const dims = block.dims
  const first = rowOf(block, node, randomBelow(node.random, node.count))
  let farthest = first
  let most: f32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = rowOf(block, node, i)
    const distance = squaredDistance(first, row, dims)
    if (distance > most) {
      most = distance
      farthest = row
    }
  }
  memory.copy(a, first, <usize>dims << 2)
  memory.copy(b, farthest, <usize>dims << 2)
  return most > 0
}

/** The direction from a to b into node.direction; returns the product of the point midway with it. */
function midway(node: Node, a: usize, b: usize, dims: u32): f32 {
  let sum: f32 = 0
  for (let j: u32 = 0; j < dims; j++) {
    const at = <usize>j << 2
    const off = load<f32>(b + at) - load<f32>(a + at)
    store<f32>(node.direction + at, off)
    sum += off * (load<f32>(a + at) + load<f32>(b + at))
  }
  return sum * 0.5
}

/** In the order in which queries are routed, so that rows reach their own leaves to the last bit. */
// @ts-ignore: decorator
@inline
function product(node: Node, row: usize, dims: u32): f32 {
  let sum = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const at = <usize>j << 2
    sum = f32x4.add(sum, f32x4.mul(v128.load(row + at), v128.load(node.direction + at)))
  }
  let total = sumLanes(sum)
  for (; j < dims; j++) {
    const at = <usize>j << 2
    total += load<f32>(row + at) * load<f32>(node.direction + at)
  }
  return total
}

/** One round of k-means over the sample: the centers become the means of the rows nearer to each. */
function moveCenters(block: Growth, node: Node, step: u32, a: usize, b: usize, sums: usize): void {
  const dims = block.dims
  const bytes = <usize>dims << 2
  const middle = midway(node, a, b, dims)
  memory.fill(sums, 0, bytes << 1)
  let inA: u32 = 0
  let inB: u32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = rowOf(block, node, i)
    const isB = product(node, row, dims) >= middle
    const sum = isB ? sums + bytes : sums
    inA += <u32>!isB
    inB += <u32>isB
    for (let j: u32 = 0; j < dims; j++) {
      const at = <usize>j << 2
      store<f32>(sum + at, load<f32>(sum + at) + load<f32>(row + at))
    }
  }
  if (inA == 0 || inB == 0) return
  for (let j: u32 = 0; j < dims; j++) {
    const at = <usize>j << 2
    store<f32>(a + at, load<f32>(sums + at) / <f32>inA)
    store<f32>(b + at, load<f32>(sums + bytes + at) / <f32>inB)
  }
}

/** False if it does not separate the rows: then they are equal, or nearly so. */
export function splitCells(block: Growth, node: Node): bool {
  const dims = block.dims
  const a = node.work
  const b = a + (<usize>dims << 2)
  const sums = b + (<usize>dims << 2)
  const step = max<u32>(1, node.count / block.sampleRows)
  if (!firstCenters(block, node, step, a, b)) return false
  for (let round: u32 = 0; round < rounds; round++) moveCenters(block, node, step, a, b, sums)
  const middle = midway(node, a, b, dims)
  let below: u32 = 0
  for (let i: u32 = 0; i < node.count; i++) {
    const value = product(node, rowOf(block, node, i), dims)
    store<f32>(node.values + (<usize>i << 2), value)
    store<f32>(node.spare + (<usize>i << 2), value)
    below += <u32>(value < middle)
  }
  const least = max<u32>(1, node.count / leastShare)
  node.threshold = below >= least && node.count - below >= least ? middle : medianSplit(node.spare, node.count)
  return node.threshold == node.threshold
}
