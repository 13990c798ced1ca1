// Splits along the leading principal direction of the node's own rows, found by power iteration on a sample of them, at the
// median. Oblique and fitted to the node: the fewest candidates, the slowest routing.

import { Growth } from '../blocks/growth'
import { Node, rowAt } from './grower'
import { medianSplit } from './median'
import { randomSigned } from './random'
import { sumLanes } from '../lanes'

// Enough for a direction to split along; the median does the rest.
// @ts-ignore: decorator
@inline
const rounds: u32 = 12

/** Σ (row − mean) · direction, over `dims`. */
// @ts-ignore: decorator
@inline
function product(row: usize, mean: usize, direction: usize, dims: u32): f32 {
  let sum = f32x4.splat(0)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const at = <usize>j << 2
    const off = f32x4.sub(v128.load(row + at), v128.load(mean + at))
    sum = f32x4.add(sum, f32x4.mul(off, v128.load(direction + at)))
  }
  let total = sumLanes(sum)
  for (; j < dims; j++) {
    const at = <usize>j << 2
    total += (load<f32>(row + at) - load<f32>(mean + at)) * load<f32>(direction + at)
  }
  return total
}

/** out += alpha · (row − mean) */
// @ts-ignore: decorator
@inline
function addCentered(alpha: f32, row: usize, mean: usize, out: usize, dims: u32): void {
  const scale = f32x4.splat(alpha)
  let j: u32 = 0
  for (; j + 4 <= dims; j += 4) {
    const at = <usize>j << 2
    const off = f32x4.sub(v128.load(row + at), v128.load(mean + at))
    v128.store(out + at, f32x4.add(v128.load(out + at), f32x4.mul(scale, off)))
  }
  for (; j < dims; j++) {
    const at = <usize>j << 2
    store<f32>(out + at, load<f32>(out + at) + alpha * (load<f32>(row + at) - load<f32>(mean + at)))
  }
}

/** Scales to length 1; false if the length is 0. */
function toUnit(vector: usize, dims: u32): bool {
  let sum: f64 = 0
  for (let j: u32 = 0; j < dims; j++) {
    const value = <f64>load<f32>(vector + (<usize>j << 2))
    sum += value * value
  }
  if (!(sum > 0)) return false
  const scale = <f32>(1 / Math.sqrt(sum))
  for (let j: u32 = 0; j < dims; j++) store<f32>(vector + (<usize>j << 2), load<f32>(vector + (<usize>j << 2)) * scale)
  return true
}

// @ts-ignore: decorator
@inline
function sampled(block: Growth, node: Node, i: u32): usize {
  return block.view + ((<usize>rowAt(node, i) * <usize>block.dims) << 2)
}

/** Stores the direction at node.direction; false if the sampled rows are all equal. */
function leadingDirection(block: Growth, node: Node): bool {
  const dims = block.dims
  const step = max<u32>(1, node.count / block.sampleRows)
  const mean = node.work
  const next = mean + (<usize>dims << 2)
  memory.fill(mean, 0, <usize>dims << 2)
  let seen: u32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = sampled(block, node, i)
    for (let j: u32 = 0; j < dims; j++) {
      const at = <usize>j << 2
      store<f32>(mean + at, load<f32>(mean + at) + load<f32>(row + at))
    }
    seen++
  }
  for (let j: u32 = 0; j < dims; j++) store<f32>(mean + (<usize>j << 2), load<f32>(mean + (<usize>j << 2)) / <f32>seen)
  for (let j: u32 = 0; j < dims; j++) store<f32>(node.direction + (<usize>j << 2), randomSigned(node.random))
  if (!toUnit(node.direction, dims)) return false
  for (let round: u32 = 0; round < rounds; round++) {
    memory.fill(next, 0, <usize>dims << 2)
    for (let i: u32 = 0; i < node.count; i += step) {
      const row = sampled(block, node, i)
      addCentered(product(row, mean, node.direction, dims), row, mean, next, dims)
    }
    if (!toUnit(next, dims)) return false
    memory.copy(node.direction, next, <usize>dims << 2)
  }
  return true
}

/** False if it does not separate the rows: then they are equal, or nearly so. */
export function splitPca(block: Growth, node: Node): bool {
  if (!leadingDirection(block, node)) return false
  const dims = block.dims
  const zero = node.work
  memory.fill(zero, 0, <usize>dims << 2)
  for (let i: u32 = 0; i < node.count; i++) {
    const value = product(sampled(block, node, i), zero, node.direction, dims)
    store<f32>(node.values + (<usize>i << 2), value)
    store<f32>(node.spare + (<usize>i << 2), value)
  }
  const threshold = medianSplit(node.spare, node.count)
  if (threshold != threshold) return false
  node.threshold = threshold
  return true
}
