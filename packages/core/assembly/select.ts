// The k best of an array of scores, ties by row. Sixteen scores that cannot beat the worst kept one cost one SIMD comparison.

import { offer, unpack, worstScore } from './top-k'

/** The score to beat, in all lanes. */
// @ts-ignore: decorator
@inline
function worstOf(heap: usize, flip: u32): v128 {
  return f32x4.splat(worstScore(heap, flip))
}

// @ts-ignore: decorator
@inline
function extreme(largest: bool, a: v128, b: v128): v128 {
  return largest ? f32x4.pmax(a, b) : f32x4.pmin(a, b)
}

// @ts-ignore: decorator
@inline
function select(
  largest: bool, scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  const flip: u32 = largest ? 0xffffffff : 0
  let size: u32 = 0
  let i: u32 = 0
  for (; i < count && size < k; i++) size = offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), i)
  if (k == 0) return 0
  let worst = worstOf(heap, flip)
  for (; i + 16 <= count; i += 16) {
    const at = scores + (<usize>i << 2)
    const best = extreme(
      largest,
      extreme(largest, v128.load(at), v128.load(at, 16)),
      extreme(largest, v128.load(at, 32), v128.load(at, 48)),
    )
    // A later row must be strictly better: on a tie the earlier row stays.
    if (!v128.any_true(largest ? f32x4.gt(best, worst) : f32x4.lt(best, worst))) continue
    for (let lane: u32 = 0; lane < 16; lane++) offer(heap, size, k, flip, load<f32>(at + (<usize>lane << 2)), i + lane)
    worst = worstOf(heap, flip)
  }
  for (; i < count; i++) offer(heap, size, k, flip, load<f32>(scores + (<usize>i << 2)), i)
  unpack(heap, size, flip, outRows, outScores)
  return size
}

/** The k smallest scores, ascending; `heap` is scratch of 8 · k bytes. Returns how many there are. */
export function selectSmallest(
  scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  return select(false, scores, count, k, heap, outRows, outScores)
}

/** The k largest scores, descending. */
export function selectLargest(
  scores: usize, count: u32, k: u32, heap: usize, outRows: usize, outScores: usize,
): u32 {
  return select(true, scores, count, k, heap, outRows, outScores)
}
