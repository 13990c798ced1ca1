// Randomized k-d split (Silpa-Anan and Hartley): one of the axes with the highest variance, at the median.

import { Growth } from '../blocks/growth'
import { charge, leaf, nextStage, Node, rowAt, split, unfinished } from './grower'
import { medianSplit } from './median'
import { randomBelow } from './random'
import { coordinate } from './rows'

/** The rows' values on one axis, and their median; false if all are equal. */
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

/** Variances of all axes over an evenly spaced sample of the node's rows: f32 [dims] at `out`; `means` is scratch of the same size. */
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

/** The next axis to try: one of the widest at random, then all from the widest on. node.round is the place of the first. */
function nextAxis(block: Growth, node: Node, variances: usize, widest: usize): u32 {
  const attempt = node.cursor++
  if (attempt == 0) return load<u32>(widest + (<usize>node.round << 2))
  if (attempt <= node.round) return load<u32>(widest + (<usize>(attempt - 1) << 2))
  return takeHighest(variances, block.dims)
}

/** Only rows that are all equal are not split. */
export function splitKd(block: Growth, node: Node): u32 {
  const dims = block.dims
  const variances = node.work
  const widest = variances + (<usize>dims << 2)
  if (node.stage == 0) {
    axisVariances(block, node, variances, widest)
    node.round = randomBelow(node.random, min<u32>(block.axes, dims))
    for (let i: u32 = 0; i <= node.round; i++) store<u32>(widest + (<usize>i << 2), takeHighest(variances, dims))
    nextStage(node)
    charge(node, <u64>block.sampleRows * <u64>dims)
  }
  while (node.cursor < dims) {
    if (splitAtMedian(block, node, nextAxis(block, node, variances, widest))) return split
    charge(node, node.count + dims)
    if (node.budget <= 0 && node.cursor < dims) return unfinished
  }
  return leaf
}
