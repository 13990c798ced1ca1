// Term-at-a-time (paper 003, Algorithm 2): every posting of every query term is added to its row's accumulator; one pass then
// keeps the k best and clears.

import { InvertedLists } from '../blocks/sparse-search'
import { offer, worstScore } from '../top-k'
import { allowed, f32At, flip, Request, u32At } from './layout'
import { Scratch } from './scratch'

/** scores[row] += weight · value, over postings [from, to). */
// @ts-ignore: decorator
@inline
export function accumulate(pairs: usize, from: u32, to: u32, weight: f32, scores: usize): void {
  const end = pairs + (<usize>to << 3)
  for (let p = pairs + (<usize>from << 3); p < end; p += 8) {
    const at = scores + (<usize>load<u32>(p) << 2)
    store<f32>(at, load<f32>(at) + weight * load<f32>(p, 4))
  }
}

/** Offers every positive accumulator to the heap and clears it; returns the heap's size. */
function drain(index: InvertedLists, request: Request, scratch: Scratch, size: u32): u32 {
  const heap = scratch.heap
  const k = request.k
  const zero = f32x4.splat(0)
  let worst: f32 = size == k ? worstScore(heap, flip) : 0
  let counted: u32 = 0
  for (let row: u32 = 0; row < index.rows; row += 16) {
    const at = scratch.scores + (<usize>row << 2)
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    if (!v128.any_true(v128.or(v128.or(a, b), v128.or(c, d)))) continue
    counted += popcnt<u32>(i32x4.bitmask(f32x4.gt(a, zero))) + popcnt<u32>(i32x4.bitmask(f32x4.gt(b, zero)))
    counted += popcnt<u32>(i32x4.bitmask(f32x4.gt(c, zero))) + popcnt<u32>(i32x4.bitmask(f32x4.gt(d, zero)))
    // Not strictly above: in a second part, an earlier row may tie with a kept one.
    const best = f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d))
    if (v128.any_true(f32x4.ge(best, f32x4.splat(worst)))) {
      for (let lane: u32 = 0; lane < 16; lane++) {
        const score = load<f32>(at + (<usize>lane << 2))
        if (score > 0 && score >= worst && allowed(request.mask, row + lane)) {
          size = offer(heap, size, k, flip, score, row + lane)
          if (size == k) worst = worstScore(heap, flip)
        }
      }
    }
    v128.store(at, zero)
    v128.store(at, zero, 16)
    v128.store(at, zero, 32)
    v128.store(at, zero, 48)
  }
  scratch.counted += counted
  return size
}

/** The order of a list's postings does not matter here: every row meets the terms in the query's order. */
export function taat(index: InvertedLists, request: Request, scratch: Scratch): u32 {
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const from = u32At(index.listOffsets, feature)
    const to = u32At(index.listOffsets, feature + 1)
    accumulate(index.listPairs, from, to, f32At(request.values, i), scratch.scores)
  }
  return drain(index, request, scratch, 0)
}

/** The same over the first part of a partitioned index. */
export function taatFirstPart(index: InvertedLists, request: Request, scratch: Scratch): u32 {
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const from = u32At(index.listOffsets, feature)
    const to = u32At(index.partStarts, feature)
    accumulate(index.partPairs, from, to, f32At(request.values, i), scratch.scores)
  }
  return drain(index, request, scratch, 0)
}
