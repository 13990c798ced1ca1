// Splits of sparse rows along a direction of the node's own, at the median: a random one, or the leading principal one of a
// sample. Directions have entries for only some of the sampled rows' features: every query is compared with what a node stores.

import { Growth } from '../../blocks/growth'
import { Node, rowAt } from '../grower'
import { medianSplit } from '../median'
import { entryOf, featureAt, weigh, weighRows } from '../node-weights'
import { randomBelow, randomSigned } from '../random'
import { indicesOf, rowLength, valuesOf } from '../rows'
import { meanOf, sampleFeatures, sampleStep } from './sample'
import { roundWeights } from '../weight-grid'

// Rounds of power iteration: enough for a direction to split along.
// @ts-ignore: decorator
@inline
const rounds: u32 = 8
// Entries of a principal direction that are kept at most: those that weigh most.
// @ts-ignore: decorator
@inline
const mostEntries: u32 = 128

/** Random weights for some of the sampled features. */
function randomWeights(block: Growth, node: Node): void {
  const count = node.featureCount
  const share = block.density > 0 ? block.density : <f32>1 / Mathf.sqrt(<f32>count)
  const entries = max<u32>(1, min<u32>(count, <u32>Mathf.round(share * <f32>count)))
  for (let i: u32 = 0; i < entries; i++) {
    const other = node.features + (<usize>(i + randomBelow(node.random, count - i)) << 2)
    const feature = load<u32>(other)
    store<u32>(other, featureAt(node, i))
    store<u32>(node.features + (<usize>i << 2), feature)
    store<f32>(entryOf(node, feature), randomSigned(node.random))
  }
}

/** next += (w·(x − mean)) · x for all sampled rows x; the means are subtracted at the end. `next` is the last field of the entries. */
function addProducts(block: Growth, node: Node, seen: u32): void {
  let shift: f32 = 0
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const feature = featureAt(node, i)
    shift += load<f32>(entryOf(node, feature)) * meanOf(node, feature, seen)
    store<f32>(entryOf(node, feature), 0, 12)
  }
  const step = sampleStep(block, node)
  let total: f32 = 0
  for (let i: u32 = 0; i < node.count; i += step) {
    const row = rowAt(node, i)
    const indices = indicesOf(block, row, 0)
    const values = valuesOf(block, row)
    const length = rowLength(block, row)
    const along = weigh(node, indices, values, length) - shift
    total += along
    for (let e: u32 = 0; e < length; e++) {
      const entry = entryOf(node, load<u32>(indices + (<usize>e << 2)))
      store<f32>(entry, load<f32>(entry, 12) + along * load<f32>(values + (<usize>e << 2)), 12)
    }
  }
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const feature = featureAt(node, i)
    const entry = entryOf(node, feature)
    store<f32>(entry, load<f32>(entry, 12) - total * meanOf(node, feature, seen), 12)
  }
}

/** Replaces the direction by the new one, scaled to length 1; false if its length is 0. */
function takeNext(node: Node): bool {
  let sum: f64 = 0
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const value = <f64>load<f32>(entryOf(node, featureAt(node, i)), 12)
    sum += value * value
  }
  const scale = sum > 0 ? <f32>(1 / Math.sqrt(sum)) : 0
  for (let i: u32 = 0; i < node.featureCount; i++) {
    const entry = entryOf(node, featureAt(node, i))
    store<f32>(entry, load<f32>(entry, 12) * scale)
  }
  return sum > 0
}

/** Sets the smallest weights to zero until the given number is left. */
function keepHeaviest(node: Node): void {
  for (let kept: u32 = 0; kept < node.featureCount; kept++) {
    if (kept >= mostEntries) {
      store<f32>(entryOf(node, featureAt(node, kept)), 0)
      continue
    }
    let best = kept
    for (let i = kept + 1; i < node.featureCount; i++) {
      const weight = Mathf.abs(load<f32>(entryOf(node, featureAt(node, i))))
      if (weight > Mathf.abs(load<f32>(entryOf(node, featureAt(node, best))))) best = i
    }
    const heaviest = featureAt(node, best)
    store<u32>(node.features + (<usize>best << 2), featureAt(node, kept))
    store<u32>(node.features + (<usize>kept << 2), heaviest)
  }
}

function splitAlong(block: Growth, node: Node): bool {
  roundWeights(block, node)
  weighRows(block, node)
  memory.copy(node.spare, node.values, <usize>node.count << 2)
  node.threshold = medianSplit(node.spare, node.count)
  return node.threshold == node.threshold
}

export function splitSparseRandom(block: Growth, node: Node): bool {
  sampleFeatures(block, node)
  if (node.featureCount == 0) return false
  randomWeights(block, node)
  return splitAlong(block, node)
}

export function splitSparsePca(block: Growth, node: Node): bool {
  const seen = sampleFeatures(block, node)
  for (let i: u32 = 0; i < node.featureCount; i++) store<f32>(entryOf(node, featureAt(node, i)), randomSigned(node.random))
  for (let round: u32 = 0; round < rounds; round++) {
    addProducts(block, node, seen)
    if (!takeNext(node)) return false
  }
  keepHeaviest(node)
  return splitAlong(block, node)
}
