// Randomized k-d split (Silpa-Anan and Hartley): one of the axes with the highest variance, at the median.

import { Growth, Node, rowAt } from './grow-block'
import { medianSplit } from './median'
import { randomBelow } from './random'
import { coordinate } from './rows'

/** The rows' values on one axis, and the median of them; false where all are equal. */
export function splitAtMedian(block: Growth, node: Node, axis: u32): bool {
  for (let i: u32 = 0; i < node.count; i++) {
    const value = coordinate(block, rowAt(node, i), axis)
    store<f32>(node.values + (<usize>i << 2), value)
    store<f32>(node.spare + (<usize>i << 2), value)
  }
  const threshold = medianSplit(node.spare, node.count)
  if (threshold != threshold) return false
  node.axis = axis
  node.threshold = threshold
  return true
}

/** Variances of all axes over an evenly spaced sample of the node's rows: f32 [dims] at `out`; sums need as much at `means`. */
export function axisVariances(block: Growth, node: Node, out: usize, means: usize): void {
  const dims = block.dims
  const step = max<u32>(1, node.count / block.sampleRows)
  memory.fill(out, 0, <usize>dims << 2)
  memory.fill(means, 0, <usize>dims << 2)
  let seen: u32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = block.view + ((<usize>rowAt(node, i) * <usize>dims) << 2)
    for (let j: u32 = 0; j < dims; j++) {
      const at = <usize>j << 2
      store<f32>(means + at, load<f32>(means + at) + load<f32>(row + at))
    }
    seen++
  }
  for (let j: u32 = 0; j < dims; j++) store<f32>(means + (<usize>j << 2), load<f32>(means + (<usize>j << 2)) / <f32>seen)
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = block.view + ((<usize>rowAt(node, i) * <usize>dims) << 2)
    for (let j: u32 = 0; j < dims; j++) {
      const at = <usize>j << 2
      const off = load<f32>(row + at) - load<f32>(means + at)
      store<f32>(out + at, load<f32>(out + at) + off * off)
    }
  }
}

/** The axis with the `place`-th highest variance, which is then set to -1: the next call finds the next one. */
export function takeHighest(variances: usize, dims: u32): u32 {
  let best: u32 = 0
  for (let j: u32 = 1; j < dims; j++) {
    if (load<f32>(variances + (<usize>j << 2)) > load<f32>(variances + (<usize>best << 2))) best = j
  }
  store<f32>(variances + (<usize>best << 2), -1)
  return best
}

/** Tries one of the widest axes at random, then all axes from the widest on: only rows that are all equal are not split. */
export function splitKd(block: Growth, node: Node): bool {
  const dims = block.dims
  const variances = node.work
  const means = variances + (<usize>dims << 2)
  axisVariances(block, node, variances, means)
  const place = randomBelow(node.random, min<u32>(block.axes, dims))
  const first = means
  for (let i: u32 = 0; i <= place; i++) store<u32>(first + (<usize>i << 2), takeHighest(variances, dims))
  if (splitAtMedian(block, node, load<u32>(first + (<usize>place << 2)))) return true
  for (let i: u32 = 0; i < place; i++) {
    if (splitAtMedian(block, node, load<u32>(first + (<usize>i << 2)))) return true
  }
  for (let i: u32 = place + 1; i < dims; i++) {
    if (splitAtMedian(block, node, takeHighest(variances, dims))) return true
  }
  return false
}
