// Sparse directions, one word per weight. A direction is a row of words: first its scale (f32 bits, a power of two), then for each
// feature that has a weight the feature's number, and below it in the same word the weight as a whole multiple of the scale.
// Growing rounds the weights to such multiples (assembly/trees/weight-grid.ts), so packing loses nothing.
//
// Short directions are read from start to end, in the order of the features. Single features are looked up in long ones: their entries are
// in buckets by the last bits of the feature's number, about four in each.

import { floatBits } from '../kernels/float-bits.ts'
import type { Directions } from './grower.ts'

export interface PackedDirections {
  /** Where each direction's words begin, and where the last one's end. */
  readonly offsets: Uint32Array
  readonly words: Uint32Array
}

/** Gives the current directions: arrays in the arena are views, which any allocation may outdate. */
export type DirectionsHeld = () => PackedDirections

/** Directions with fewer weights are read from start to end just as fast. */
const leastBucketed = 512
const bucketEntries = 4

/** More bits would add nothing: weights are learned less precisely. */
const mostWeightBits = 16
/** Directions that lists by feature can name in the bits that a weight leaves. */
export const mostListed = 2 ** (32 - mostWeightBits)

/** Bits of a word that are the weight's: what the feature's number leaves. */
export function weightBits(dims: number): number {
  return Math.min(mostWeightBits, Math.clz32(dims - 1))
}

/** How many buckets a direction of this many weights has, a power of two; 0: its features ascend. */
export function bucketsOf(weights: number): number {
  return weights < leastBucketed ? 0 : 2 ** Math.floor(Math.log2(weights / bucketEntries))
}

/** Features ascend in `directions`. */
export function packDirections({ offsets, indices, values }: Directions, dims: number): PackedDirections {
  const bits = weightBits(dims)
  const count = offsets.length - 1
  const packed = { offsets: new Uint32Array(count + 1), words: new Uint32Array(offsets[count] + count) }
  for (let direction = 0; direction < count; direction++) {
    const [from, to] = [offsets[direction], offsets[direction + 1]]
    const at = packed.offsets[direction]
    const weights = values.subarray(from, to)
    const scale = scaleOf(weights, bits)
    packed.words[at] = floatBits(scale)
    const next = placesOf(indices.subarray(from, to), at + 1)
    for (let e = 0; e < weights.length; e++) {
      const weight = (weights[e] / scale) & (2 ** bits - 1)
      packed.words[next(indices[from + e])] = (indices[from + e] << bits) | weight
    }
    packed.offsets[direction + 1] = at + 1 + weights.length
  }
  return packed
}

/** Where the next entry goes, by its feature. */
function placesOf(features: Uint32Array, first: number): (feature: number) => number {
  const buckets = bucketsOf(features.length)
  let place = first
  if (buckets === 0) return () => place++
  const next = new Uint32Array(buckets + 1)
  fillBounds(next, first, features.length, e => features[e])
  return feature => next[feature & (buckets - 1)]++
}

/** Where each bucket of a direction begins, and the last one ends; `bounds` are zeros, one more than there are buckets. */
export function fillBounds(
  bounds: Uint32Array,
  first: number,
  weights: number,
  featureAt: (e: number) => number,
): void {
  const mask = bounds.length - 2
  for (let e = 0; e < weights; e++) bounds[(featureAt(e) & mask) + 1]++
  bounds[0] = first
  for (let bucket = 0; bucket <= mask; bucket++) bounds[bucket + 1] += bounds[bucket]
}

/** The scale that growing rounded to, or a smaller one that divides it. */
function scaleOf(weights: Float32Array, bits: number): number {
  let most = 0
  for (let e = 0; e < weights.length; e++) most = Math.max(most, Math.abs(weights[e]))
  const exponent = (floatBits(most) >>> 23) + 2 - bits
  const scale = scaleAt(Math.max(1, exponent) << 23)
  return most / scale < 2 ** (bits - 1) ? scale : 2 * scale
}

export function featureOf(word: number, bits: number): number {
  return word >>> bits
}

/** A weight without its scale. */
export function multipleOf(word: number, bits: number): number {
  return (word << (32 - bits)) >> (32 - bits)
}

const scratch = new Uint32Array(1)
const scratchFloat = new Float32Array(scratch.buffer)

/** The scale in a direction's first word. */
export function scaleAt(word: number): number {
  scratch[0] = word
  return scratchFloat[0]
}

export interface Term {
  readonly feature: number
  readonly weight: number
}

/** The features that have a weight in a direction, ascending: all, or those that are wanted. */
export function termsOf(
  { offsets, words }: PackedDirections,
  dims: number,
  direction: number,
  isWanted: (feature: number) => boolean = () => true,
): Term[] {
  const bits = weightBits(dims)
  const [from, to] = [offsets[direction], offsets[direction + 1]]
  const scale = scaleAt(words[from])
  const terms: Term[] = []
  for (let at = from + 1; at < to; at++) {
    const feature = featureOf(words[at], bits)
    if (isWanted(feature)) terms.push({ feature, weight: multipleOf(words[at], bits) * scale })
  }
  return terms.sort((a, b) => a.feature - b.feature)
}

/** What is wrong with directions of a file, in words; undefined if nothing is. Their offsets must ascend. */
export function packedFault({ offsets, words }: PackedDirections, dims: number): string | undefined {
  const bits = weightBits(dims)
  for (let direction = 0; direction + 1 < offsets.length; direction++) {
    const [from, to] = [offsets[direction] + 1, offsets[direction + 1]]
    const scale = scaleAt(words[from - 1])
    if (to < from || !(scale > 0 && scale < Infinity)) return 'a direction has no scale'
    const mask = Math.max(0, bucketsOf(to - from) - 1)
    for (let at = from; at < to; at++) {
      const feature = featureOf(words[at], bits)
      if (feature >= dims) return 'a direction names a dimension that does not exist'
      const before = at === from ? -1 : featureOf(words[at - 1], bits)
      const ascends = (feature & mask) - (before & mask) || feature - before
      if (at > from && ascends <= 0) return 'a direction is out of order'
    }
  }
  return undefined
}
