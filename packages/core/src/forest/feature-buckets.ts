// Long sparse directions as tables that are asked for single features: entries in buckets by the last bits of the feature's number,
// some four in each. See assembly/forest/sparse-query.ts.

import type { Allocator, Slice } from '../kernels/arena.ts'
import type { Directions } from '../trees/grower.ts'

export interface FeatureBuckets {
  /** u32 [directions]: where a direction's offsets begin, never at 0; 0 where it has none. */
  readonly starts: Slice<Uint32Array>
  /** Of each direction: the mask of its features' last bits, then where each bucket begins, and where the last one ends. */
  readonly offsets: Slice<Uint32Array>
  /** Pairs of a feature and its weight (f32 bits). */
  readonly entries: Slice<Uint32Array>
}

/** Shorter directions are gone through as quickly. */
const leastEntries = 64
const entriesPerBucket = 4

/** Buckets of all long directions from number `from` on. */
export function fillBuckets(keeper: Allocator, { offsets, indices, values }: Directions, from: number): FeatureBuckets {
  const count = offsets.length - 1
  const isLong = (direction: number) => offsets[direction + 1] - offsets[direction] >= leastEntries
  let [places, entryCount] = [1, 0]
  for (let direction = from; direction < count; direction++) {
    if (!isLong(direction)) continue
    places += bucketsOf(offsets[direction + 1] - offsets[direction]) + 2
    entryCount += offsets[direction + 1] - offsets[direction]
  }
  const starts = keeper.allocate(Uint32Array, count, 'directions')
  const bucketOffsets = keeper.allocate(Uint32Array, places, 'directions')
  const entries = keeper.allocate(Uint32Array, 2 * entryCount + 2, 'directions')
  const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
  let [start, at] = [1, 0]
  for (let direction = from; direction < count; direction++) {
    if (!isLong(direction)) continue
    const own = indices.subarray(offsets[direction], offsets[direction + 1])
    const buckets = bucketsOf(own.length)
    starts.array[direction] = start
    const table = bucketOffsets.array.subarray(start, start + buckets + 2)
    fillTable(table, own, bits.subarray(offsets[direction], offsets[direction + 1]), entries.array, at)
    start += buckets + 2
    at += own.length
  }
  return { starts, offsets: bucketOffsets, entries }
}

/** A power of two. */
function bucketsOf(entries: number): number {
  return 2 ** Math.floor(Math.log2(entries / entriesPerBucket))
}

/** One direction's table: its entries go to `entries` from place `first` on. */
function fillTable(
  table: Uint32Array,
  features: Uint32Array,
  bits: Uint32Array,
  entries: Uint32Array,
  first: number,
): void {
  const mask = table.length - 3
  table[0] = mask
  const ends = table.subarray(1)
  for (const feature of features) ends[(feature & mask) + 1]++
  ends[0] = first
  for (let bucket = 0; bucket <= mask; bucket++) ends[bucket + 1] += ends[bucket]
  const next = ends.slice()
  features.forEach((feature, i) => {
    const place = next[feature & mask]++
    entries[2 * place] = feature
    entries[2 * place + 1] = bits[i]
  })
}
