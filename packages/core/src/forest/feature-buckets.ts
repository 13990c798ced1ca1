// Where the buckets of long sparse directions begin (src/trees/packed-directions.ts), so that routing can ask them for single
// features. See assembly/forest/sparse-query.ts.

import type { Allocator, Slice } from '../kernels/arena.ts'
import {
  bucketsOf,
  type DirectionsHeld,
  featureOf,
  fillBounds,
  type PackedDirections,
  weightBits,
} from '../trees/packed-directions.ts'

export interface FeatureBuckets {
  /** u32 [directions]: where a direction's bounds begin, never at 0; 0 if it has none. */
  readonly starts: Slice<Uint32Array>
  /** Of each long direction: the mask of its features' last bits, then the word each bucket begins at, and the last one's end. */
  readonly bounds: Slice<Uint32Array>
}

/** Buckets of all long directions from number `from` on. */
export function findBuckets(keeper: Allocator, directions: DirectionsHeld, from: number, dims: number): FeatureBuckets {
  const bits = weightBits(dims)
  const { count, places } = roomFor(directions(), from)
  const starts = keeper.allocate(Uint32Array, count, 'directions')
  const bounds = keeper.allocate(Uint32Array, places, 'directions')
  const { offsets, words } = directions()
  let start = 1
  for (let direction = from; direction < count; direction++) {
    const buckets = bucketsAt(offsets, direction)
    if (buckets === 0) continue
    starts.array[direction] = start
    bounds.array[start] = buckets - 1
    const first = offsets[direction] + 1
    const own = bounds.array.subarray(start + 1, start + buckets + 2)
    fillBounds(own, first, offsets[direction + 1] - first, e => featureOf(words[first + e], bits))
    start += buckets + 2
  }
  return { starts, bounds }
}

/** How many directions there are, and how many places their bounds take. */
function roomFor({ offsets }: PackedDirections, from: number): { count: number; places: number } {
  const count = offsets.length - 1
  let places = 1
  for (let direction = from; direction < count; direction++) {
    const buckets = bucketsAt(offsets, direction)
    if (buckets > 0) places += buckets + 2
  }
  return { count, places }
}

function bucketsAt(offsets: Uint32Array, direction: number): number {
  return bucketsOf(offsets[direction + 1] - offsets[direction] - 1)
}
