// Rows that can still be among the k best, going by estimates of their similarities. Estimates are counted in buckets, so that
// it is always known which estimate k rows have reached: rows that cannot come up to them are not kept.
//
// Invariant: a row's estimate a and its similarity s keep  s − margin ≤ a ≤ s + excess + margin,  with slack = excess + 2 margin.

import { offer } from '../top-k'
import { allowed, f32At, flip, Index, Request, spread, term, u32At } from './layout'
import { Scratch } from './scratch'

// @ts-ignore: decorator
@unmanaged
export class Candidates {
  size: u32
  /** A row with a smaller estimate cannot be among the k best. More than 0: rows that share nothing are never kept. */
  cut: f32
  slack: f32
  /** Buckets for each 1 of an estimate. */
  scale: f32
  /** At least k candidates are in this bucket or above it (once there are k); so many are above. */
  bucket: u32
  above: u32
}
const buckets: u32 = 1024
/** Looking for a higher cut only now and then costs less than it saves. */
const lag: u32 = 16

/** `largest` is the largest estimate there can be. */
export function clear(candidates: Candidates, largest: f32, slack: f32): void {
  candidates.size = 0
  candidates.cut = f32.MIN_VALUE
  candidates.slack = slack
  candidates.scale = <f32>buckets / largest
  candidates.bucket = 0
  candidates.above = 0
}

/** Keeps a row whose estimate reaches the cut. */
export function keep(scratch: Scratch, candidates: Candidates, request: Request, row: u32, estimate: f32): void {
  if (!allowed(request.mask, row)) return
  const at = scratch.candidates + (<usize>candidates.size << 3)
  store<u32>(at, row)
  store<f32>(at, estimate, 4)
  candidates.size++
  const bucket = min<u32>(<u32>(estimate * candidates.scale), buckets - 1)
  if (bucket <= candidates.bucket) return
  const count = scratch.histogram + (<usize>bucket << 2)
  store<u32>(count, load<u32>(count) + 1)
  if (++candidates.above >= request.k + lag) raise(scratch, candidates, request.k)
}

/** Raises the cut as far as k candidates allow. */
function raise(scratch: Scratch, candidates: Candidates, k: u32): void {
  while (candidates.above >= k) {
    candidates.bucket++
    candidates.above -= u32At(scratch.histogram, candidates.bucket)
  }
  candidates.cut = max(candidates.cut, <f32>candidates.bucket / candidates.scale - candidates.slack)
}

/** Leaves only the candidates that reach the cut. */
function compact(scratch: Scratch, candidates: Candidates): void {
  let size: u32 = 0
  for (let i: u32 = 0; i < candidates.size; i++) {
    const candidate = load<u64>(scratch.candidates + (<usize>i << 3))
    store<u64>(scratch.candidates + (<usize>size << 3), candidate)
    size += u32(reinterpret<f32>(<u32>(candidate >> 32)) >= candidates.cut)
  }
  candidates.size = size
}

/** Computes two rows at a time: while one sum waits for an addition, the other goes on. */
function computeTwo(index: Index, query: usize, first: u32, second: u32, out: usize): void {
  const pairs = index.rowPairs
  let p = pairs + (<usize>u32At(index.rowOffsets, first) << 3)
  let q = pairs + (<usize>u32At(index.rowOffsets, second) << 3)
  const endOfFirst = pairs + (<usize>u32At(index.rowOffsets, first + 1) << 3)
  const endOfSecond = pairs + (<usize>u32At(index.rowOffsets, second + 1) << 3)
  let sum: f32 = 0
  let other: f32 = 0
  for (const both = p + min(endOfFirst - p, endOfSecond - q); p < both; p += 8) {
    sum += term(query, p)
    other += term(query, q)
    q += 8
  }
  for (; p < endOfFirst; p += 8) sum += term(query, p)
  for (; q < endOfSecond; q += 8) other += term(query, q)
  store<f32>(out, sum)
  store<f32>(out, other, 4)
}

/** Computes the candidates that reach the cut; returns the heap's size. */
export function compute(index: Index, request: Request, scratch: Scratch, candidates: Candidates): u32 {
  raise(scratch, candidates, request.k)
  memory.fill(scratch.histogram, 0, buckets << 2)
  compact(scratch, candidates)
  spread(request, scratch.query, false)
  let size: u32 = 0
  for (let i: u32 = 0; i < candidates.size; i += 2) {
    const two = min<u32>(2, candidates.size - i)
    const first = scratch.candidates + (<usize>i << 3)
    computeTwo(index, scratch.query, load<u32>(first), load<u32>(first + ((<usize>two - 1) << 3)), scratch.estimates)
    for (let j: u32 = 0; j < two; j++) {
      const score = f32At(scratch.estimates, j)
      if (score > 0) size = offer(scratch.heap, size, request.k, flip, score, load<u32>(first + (<usize>j << 3)))
    }
  }
  spread(request, scratch.query, true)
  scratch.counted += candidates.size
  return size
}
