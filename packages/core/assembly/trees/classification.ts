// A classification tree's split (paper 000, section 8): of a few random axes and all midpoints of a sample of the rows, the one
// with the highest multinomial log-likelihood of the labels under the pick-all-labels reduction. With left and right counts of
// each label it is Σ c log c − C log C over both sides, updated row by row as rows go from right to left in order of the axis.

import { Growth } from '../blocks/growth'
import { charge, leaf, Node, rowAt, split, unfinished } from './grower'
import { between } from './median'
import { clearWeights, featureAt, setWeight } from './node-weights'
import { randomBelow } from './random'
import { coordinate, isSparse } from './rows'
import { listFeatures } from './sparse/sample'

// Places in the grower's own room: x log x, counts left and right of all labels, the sampled rows, their values and order, axes.
// @ts-ignore: decorator
@inline
function tableLength(block: Growth): u32 {
  return block.sampleRows * max<u32>(1, block.mostLabels) + 2
}
// @ts-ignore: decorator
@inline
function leftCounts(block: Growth, work: usize): usize {
  return work + (<usize>tableLength(block) << 3)
}
// @ts-ignore: decorator
@inline
function rightCounts(block: Growth, work: usize): usize {
  return leftCounts(block, work) + (<usize>block.labels << 2)
}
// @ts-ignore: decorator
@inline
function sampleKeys(block: Growth, work: usize): usize {
  return (rightCounts(block, work) + (<usize>block.labels << 2) + 7) & ~7
}
// @ts-ignore: decorator
@inline
function sampleAt(block: Growth, work: usize): usize {
  return sampleKeys(block, work) + (<usize>block.sampleRows << 3)
}
// @ts-ignore: decorator
@inline
function axesAt(block: Growth, work: usize): usize {
  return sampleAt(block, work) + (<usize>block.sampleRows << 2)
}

export function classificationBytes(block: Growth): usize {
  return axesAt(block, 0) + (<usize>block.dims << 2)
}

/** Once per tree: the table, zero counts, and the axes in order. For sparse rows, each node lists its axes. */
export function prepareClassification(block: Growth, work: usize): void {
  const length = tableLength(block)
  store<f64>(work, 0)
  for (let x: u32 = 1; x < length; x++) store<f64>(work + (<usize>x << 3), <f64>x * Math.log(<f64>x))
  memory.fill(leftCounts(block, work), 0, <usize>block.labels << 3)
  for (let j: u32 = 0; j < block.dims; j++) store<u32>(axesAt(block, work) + (<usize>j << 2), j)
}

// @ts-ignore: decorator
@inline
function entropyTerm(work: usize, count: u32): f64 {
  return load<f64>(work + (<usize>count << 3))
}

/** Moves one row's labels from right to left; returns the change of Σ c log c. */
function moveLeft(block: Growth, work: usize, row: u32): f64 {
  const left = leftCounts(block, work)
  const right = rightCounts(block, work)
  const from = load<u32>(block.labelOffsets + (<usize>row << 2))
  const to = load<u32>(block.labelOffsets + (<usize>row << 2), 4)
  let change: f64 = 0
  for (let e: u32 = from; e < to; e++) {
    const label = <usize>load<u32>(block.labelIndices + (<usize>e << 2)) << 2
    const l = load<u32>(left + label)
    const r = load<u32>(right + label)
    change += entropyTerm(work, l + 1) - entropyTerm(work, l) + entropyTerm(work, r - 1) - entropyTerm(work, r)
    store<u32>(left + label, l + 1)
    store<u32>(right + label, r - 1)
  }
  return change
}

/** Counts of all sampled rows on the right, none on the left; returns how many (row, label) pairs there are. */
function resetCounts(block: Growth, work: usize, size: u32, clear: bool): u32 {
  const left = leftCounts(block, work)
  const right = rightCounts(block, work)
  let pairs: u32 = 0
  for (let pass: u32 = 0; pass < 2; pass++) {
    for (let i: u32 = 0; i < size; i++) {
      const row = load<u32>(sampleAt(block, work) + (<usize>i << 2))
      const from = load<u32>(block.labelOffsets + (<usize>row << 2))
      const to = load<u32>(block.labelOffsets + (<usize>row << 2), 4)
      if (pass == 0) pairs += to - from
      for (let e: u32 = from; e < to; e++) {
        const label = <usize>load<u32>(block.labelIndices + (<usize>e << 2)) << 2
        if (pass == 0) {
          store<u32>(left + label, 0)
          store<u32>(right + label, 0)
        } else if (!clear) store<u32>(right + label, load<u32>(right + label) + 1)
      }
    }
  }
  return pairs
}

/** The place of a value in ascending order, as a u32. */
// @ts-ignore: decorator
@inline
function orderOf(value: f32): u32 {
  const bits = reinterpret<u32>(value + 0)
  return bits ^ (<u32>(<i32>bits >> 31) | 0x80000000)
}

/** keys: u64 (order of the value) << 32 | place in the sample, ascending (Shell's sort: samples are small). */
function sortSample(block: Growth, work: usize, size: u32, axis: u32): void {
  const keys = sampleKeys(block, work)
  for (let i: u32 = 0; i < size; i++) {
    const row = load<u32>(sampleAt(block, work) + (<usize>i << 2))
    store<u64>(keys + (<usize>i << 3), (<u64>orderOf(coordinate(block, row, axis)) << 32) | <u64>i)
  }
  for (let gap = size >> 1; gap > 0; gap >>= 1) {
    for (let i: u32 = gap; i < size; i++) {
      const key = load<u64>(keys + (<usize>i << 3))
      let j = i
      for (; j >= gap && load<u64>(keys + (<usize>(j - gap) << 3)) > key; j -= gap) {
        store<u64>(keys + (<usize>j << 3), load<u64>(keys + (<usize>(j - gap) << 3)))
      }
      store<u64>(keys + (<usize>j << 3), key)
    }
  }
}

// @ts-ignore: decorator
@inline
function sampleRowAt(block: Growth, work: usize, key: u32): u32 {
  const place = <u32>load<u64>(sampleKeys(block, work) + (<usize>key << 3))
  return load<u32>(sampleAt(block, work) + (<usize>place << 2))
}

/** The best threshold on one axis, if it beats `best`; the gain is left in it. Counts begin and end all on the right. */
function tryAxis(block: Growth, node: Node, axis: u32, size: u32, best: f64): f64 {
  const work = node.work
  sortSample(block, work, size, axis)
  let right = resetCounts(block, work, size, false)
  let left: u32 = 0
  let terms: f64 = 0
  for (let i: u32 = 0; i + 1 < size; i++) {
    const row = sampleRowAt(block, work, i)
    const next = sampleRowAt(block, work, i + 1)
    const labels = load<u32>(block.labelOffsets + (<usize>row << 2), 4) - load<u32>(block.labelOffsets + (<usize>row << 2))
    terms += moveLeft(block, work, row)
    left += labels
    right -= labels
    const low = coordinate(block, row, axis)
    const high = coordinate(block, next, axis)
    if (low == high) continue
    const gain = terms - entropyTerm(work, left) - entropyTerm(work, right)
    if (gain <= best) continue
    best = gain
    node.axis = axis
    node.threshold = between(low, high)
  }
  return best
}

/** Whether all sampled rows have the same labels, so that there is nothing to split. */
function isPure(block: Growth, work: usize, size: u32): bool {
  const pairs = resetCounts(block, work, size, false)
  const row = load<u32>(sampleAt(block, work))
  const from = load<u32>(block.labelOffsets + (<usize>row << 2))
  const to = load<u32>(block.labelOffsets + (<usize>row << 2), 4)
  if (pairs != size * (to - from)) return false
  for (let e: u32 = from; e < to; e++) {
    const label = <usize>load<u32>(block.labelIndices + (<usize>e << 2)) << 2
    if (load<u32>(rightCounts(block, work) + label) != size) return false
  }
  return true
}

function takeSample(block: Growth, node: Node): u32 {
  const size = min<u32>(block.sampleRows, node.count)
  const out = sampleAt(block, node.work)
  if (size == node.count) memory.copy(out, node.rows, <usize>size << 2)
  else {
    for (let i: u32 = 0; i < size; i++) store<u32>(out + (<usize>i << 2), rowAt(node, randomBelow(node.random, node.count)))
  }
  return size
}

/** The axes that a node chooses from, and how many there are: of sparse rows, the features that the sampled ones have. */
function listAxes(block: Growth, node: Node, size: u32): u32 {
  if (!isSparse(block)) return block.dims
  listFeatures(block, node, sampleAt(block, node.work), size)
  const found = node.featureCount
  for (let i: u32 = 0; i < found; i++) store<u32>(axesAt(block, node.work) + (<usize>i << 2), featureAt(node, i))
  clearWeights(node)
  return found
}

/** Samples the node's rows; false if their labels are all the same. node.round: the sample's size; node.stage: 1 + its axes. */
function beginChoice(block: Growth, node: Node): bool {
  const size = takeSample(block, node)
  node.round = size
  node.gain = -f64.MAX_VALUE
  if (isPure(block, node.work, size)) return false
  node.stage = 1 + listAxes(block, node, size)
  return true
}

/** A random axis that this node has not tried yet; the first `tried` have been. */
function drawAxis(axes: usize, node: Node, tried: u32, dims: u32): u32 {
  const other = tried + randomBelow(node.random, dims - tried)
  const axis = load<u32>(axes + (<usize>other << 2))
  store<u32>(axes + (<usize>other << 2), load<u32>(axes + (<usize>tried << 2)))
  store<u32>(axes + (<usize>tried << 2), axis)
  return axis
}

/** A leaf if no axis tried separates the sampled rows, or if their labels are all the same. */
export function splitClassification(block: Growth, node: Node): u32 {
  const pure = node.stage == 0 && !beginChoice(block, node)
  const size = node.round
  const dims = pure ? 0 : node.stage - 1
  const choices = min<u32>(block.axes, dims)
  for (; node.cursor < choices; node.cursor++) {
    if (node.budget <= 0) return unfinished
    charge(node, <u64>size << 4)
    const axis = drawAxis(axesAt(block, node.work), node, node.cursor, dims)
    node.gain = tryAxis(block, node, axis, size, node.gain)
  }
  resetCounts(block, node.work, size, true)
  if (node.gain == -f64.MAX_VALUE) return leaf
  for (let i: u32 = 0; i < node.count; i++) {
    store<f32>(node.values + (<usize>i << 2), coordinate(block, rowAt(node, i), node.axis))
  }
  if (isSparse(block)) setWeight(node, node.axis, 1)
  return split
}
