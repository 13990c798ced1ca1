// Rows that can still be among the k best, by estimated similarity. A histogram of the estimates always tells what estimate k rows have
// reached; rows that cannot reach it are dropped.
//
// Invariant: a row's estimate a and its similarity s keep  s − margin ≤ a ≤ s + excess + margin,  with slack = excess + 2 margin.

import { u32At } from './layout'
import { Scratch } from './scratch'

// @ts-ignore: decorator
@unmanaged
export class Candidates {
  size: u32
  /** A row with a smaller estimate cannot be among the k best. More than 0: rows that share nothing are never kept. */
  cut: f32
  slack: f32
  /** Buckets per unit of estimate. */
  scale: f32
  /** At least k counted rows are in or above this bucket (once there are k); and how many are above it. */
  bucket: u32
  above: u32
}
const buckets: u32 = 1024
/** Raise the cut only now and then: checking more often costs more than it saves. */
const lag: u32 = 16

/** `largest` is the largest possible estimate. */
export function clear(candidates: Candidates, largest: f32, slack: f32): void {
  candidates.size = 0
  candidates.cut = f32.MIN_VALUE
  candidates.slack = slack
  candidates.scale = <f32>buckets / largest
  candidates.bucket = 0
  candidates.above = 0
}

// @ts-ignore: decorator
@inline
function countOne(histogram: usize, bucket: u32): void {
  const count = histogram + (<usize>bucket << 2)
  store<u32>(count, load<u32>(count) + 1)
}

/** Counts the estimates of four rows. */
export function countFour(scratch: Scratch, candidates: Candidates, k: u32, estimates: v128): void {
  const scaled = i32x4.trunc_sat_f32x4_s(f32x4.mul(estimates, f32x4.splat(candidates.scale)))
  const places = i32x4.min_s(scaled, i32x4.splat(buckets - 1))
  countOne(scratch.histogram, i32x4.extract_lane(places, 0))
  countOne(scratch.histogram, i32x4.extract_lane(places, 1))
  countOne(scratch.histogram, i32x4.extract_lane(places, 2))
  countOne(scratch.histogram, i32x4.extract_lane(places, 3))
  candidates.above += popcnt<u32>(i32x4.bitmask(i32x4.gt_s(places, i32x4.splat(candidates.bucket))))
  if (candidates.above >= k + lag) raise(scratch, candidates, k)
}

/** Raises the cut as far as k counted rows allow. */
function raise(scratch: Scratch, candidates: Candidates, k: u32): void {
  while (candidates.above >= k) {
    candidates.bucket++
    candidates.above -= u32At(scratch.histogram, candidates.bucket)
  }
  candidates.cut = max(candidates.cut, <f32>candidates.bucket / candidates.scale - candidates.slack)
}

// @ts-ignore: decorator
@inline
export function keep(scratch: Scratch, candidates: Candidates, row: u32, estimate: f32): void {
  const at = scratch.candidates + (<usize>candidates.size << 3)
  store<u32>(at, row)
  store<f32>(at, estimate, 4)
  candidates.size++
}

/** Drops the candidates that cannot be among the k best, now that all are known. Clears the counts. */
export function narrow(scratch: Scratch, candidates: Candidates, k: u32): void {
  memory.fill(scratch.histogram, 0, buckets << 2)
  if (candidates.size <= k) return
  const end = scratch.candidates + (<usize>candidates.size << 3)
  for (let at = scratch.candidates; at < end; at += 8) {
    countOne(scratch.histogram, min<u32>(<u32>(load<f32>(at, 4) * candidates.scale), buckets - 1))
  }
  let bucket = buckets
  for (let above: u32 = 0; above < k; ) above += u32At(scratch.histogram, --bucket)
  candidates.cut = max(candidates.cut, <f32>bucket / candidates.scale - candidates.slack)
  memory.fill(scratch.histogram, 0, buckets << 2)
  compact(scratch, candidates)
}

function compact(scratch: Scratch, candidates: Candidates): void {
  let size: u32 = 0
  for (let i: u32 = 0; i < candidates.size; i++) {
    const candidate = load<u64>(scratch.candidates + (<usize>i << 3))
    store<u64>(scratch.candidates + (<usize>size << 3), candidate)
    size += u32(reinterpret<f32>(<u32>(candidate >> 32)) >= candidates.cut)
  }
  candidates.size = size
}
