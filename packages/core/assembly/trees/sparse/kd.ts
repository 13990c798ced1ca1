// Randomized k-d split of sparse rows: one of the features with the highest variance, at the median; if most rows lack the feature, that
// separates those that have it from those that do not.

import { Growth } from '../../blocks/growth'
import { Node } from '../grower'
import { splitAtMedian } from '../kd'
import { clearWeights, featureAt, setWeight } from '../node-weights'
import { randomBelow } from '../random'
import { sampleFeatures, spreadOf } from './sample'

/** Moves the widest of the features from position `from` on to `from`. */
function takeWidest(node: Node, from: u32, seen: u32): void {
  let best = from
  for (let i = from + 1; i < node.featureCount; i++) {
    if (spreadOf(node, featureAt(node, i), seen) > spreadOf(node, featureAt(node, best), seen)) best = i
  }
  const widest = featureAt(node, best)
  store<u32>(node.features + (<usize>best << 2), featureAt(node, from))
  store<u32>(node.features + (<usize>from << 2), widest)
}

/** Tries one of the widest features at random, then the others of them, the widest first. */
function chooseFeature(block: Growth, node: Node): bool {
  const seen = sampleFeatures(block, node)
  const choices = min<u32>(block.axes, node.featureCount)
  if (choices == 0) return false
  for (let i: u32 = 0; i < choices; i++) takeWidest(node, i, seen)
  if (splitAtMedian(block, node, featureAt(node, randomBelow(node.random, choices)))) return true
  for (let i: u32 = 0; i < choices; i++) if (splitAtMedian(block, node, featureAt(node, i))) return true
  return false
}

export function splitSparseKd(block: Growth, node: Node): bool {
  const found = chooseFeature(block, node)
  clearWeights(node)
  if (found) setWeight(node, node.axis, 1)
  return found
}
