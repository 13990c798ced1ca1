// The weights of a sparse direction are integer multiples of its scale, so that a feature and its weight fit one 32-bit word
// (src/trees/packed-directions.ts): routing is bound by memory, and half the memory is half the wait. Rows are split by the rounded
// weights, so that they reach their leaves again.

import { Growth } from '../blocks/growth'
import { Node } from './grower'
import { LocalRows, weightAt } from './local-rows'
import { entryOf, featureAt } from './node-weights'

/** Bits of a weight: what the feature number leaves free, at most 16 (src/trees/packed-directions.ts). */
// @ts-ignore: decorator
@inline
export function weightBits(dims: u32): u32 {
  return min<u32>(16, clz<u32>(dims - 1))
}

/** The smallest power of two that represents `most` within the bits of a weight. */
function scaleFor(most: f32, bits: u32): f32 {
  const exponent = <i32>(reinterpret<u32>(most) >> 23) + 2 - <i32>bits
  const scale = reinterpret<f32>(<u32>max<i32>(1, exponent) << 23)
  return nearest<f32>(most / scale) < <f32>(1 << (bits - 1)) ? scale : 2 * scale
}

// @ts-ignore: decorator
@inline
function round(at: usize, scale: f32): void {
  store<f32>(at, nearest<f32>(load<f32>(at) / scale) * scale)
}

/** Rounds the weights of a node's features. */
export function roundWeights(block: Growth, node: Node): void {
  let most: f32 = 0
  for (let i: u32 = 0; i < node.featureCount; i++) most = max<f32>(most, abs<f32>(load<f32>(entryOf(node, featureAt(node, i)))))
  if (most == 0) return
  const scale = scaleFor(most, weightBits(block.dims))
  for (let i: u32 = 0; i < node.featureCount; i++) round(entryOf(node, featureAt(node, i)), scale)
}

/** The same for weights that were learned beside the rows. */
export function roundLearned(block: Growth, local: LocalRows): void {
  let most: f32 = 0
  for (let i: u32 = 0; i < local.featureCount; i++) most = max<f32>(most, abs<f32>(load<f32>(weightAt(local, i))))
  if (most == 0) return
  const scale = scaleFor(most, weightBits(block.dims))
  for (let i: u32 = 0; i < local.featureCount; i++) round(weightAt(local, i), scale)
}
