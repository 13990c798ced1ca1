// The last step of a search by estimates: computes the candidates exactly and sorts the k best.

import { InvertedLists } from '../blocks/sparse-search'
import { orderOf } from '../top-k'
import { f32At, flip, Request, spread, term, u32At } from './layout'
import { Scratch } from './scratch'
import { sortKeys } from './sort-keys'

/** Computes four rows at a time: while one sum waits for an addition or for memory, the others continue. */
function computeFour(index: InvertedLists, query: usize, candidates: usize, out: usize): void {
  const pairs = index.rowPairs
  const a = load<u32>(candidates)
  const b = load<u32>(candidates, 8)
  const c = load<u32>(candidates, 16)
  const d = load<u32>(candidates, 24)
  let p = pairs + (<usize>u32At(index.rowOffsets, a) << 3)
  let q = pairs + (<usize>u32At(index.rowOffsets, b) << 3)
  let r = pairs + (<usize>u32At(index.rowOffsets, c) << 3)
  let s = pairs + (<usize>u32At(index.rowOffsets, d) << 3)
  const endOfA = pairs + (<usize>u32At(index.rowOffsets, a + 1) << 3)
  const endOfB = pairs + (<usize>u32At(index.rowOffsets, b + 1) << 3)
  const endOfC = pairs + (<usize>u32At(index.rowOffsets, c + 1) << 3)
  const endOfD = pairs + (<usize>u32At(index.rowOffsets, d + 1) << 3)
  let sumOfA: f32 = 0
  let sumOfB: f32 = 0
  let sumOfC: f32 = 0
  let sumOfD: f32 = 0
  for (const end = p + min(min(endOfA - p, endOfB - q), min(endOfC - r, endOfD - s)); p < end; p += 8) {
    sumOfA += term(query, p)
    sumOfB += term(query, q)
    sumOfC += term(query, r)
    sumOfD += term(query, s)
    q += 8
    r += 8
    s += 8
  }
  for (; p < endOfA; p += 8) sumOfA += term(query, p)
  for (; q < endOfB; q += 8) sumOfB += term(query, q)
  for (; r < endOfC; r += 8) sumOfC += term(query, r)
  for (; s < endOfD; s += 8) sumOfD += term(query, s)
  store<f32>(out, sumOfA)
  store<f32>(out, sumOfB, 4)
  store<f32>(out, sumOfC, 8)
  store<f32>(out, sumOfD, 12)
}

/**
 * Prefetches the candidates' rows: reads one number per cache line, with no dependencies, so that cache misses overlap. Stores the sum in
 * `scratch.four`, so that the compiler does not remove the loop.
 */
function readAhead(index: InvertedLists, scratch: Scratch, count: u32): void {
  let sum: u32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const row = load<u32>(scratch.candidates + (<usize>i << 3))
    const end = index.rowPairs + (<usize>u32At(index.rowOffsets, row + 1) << 3)
    for (let at = index.rowPairs + (<usize>u32At(index.rowOffsets, row) << 3); at < end; at += 64) sum += load<u32>(at)
  }
  store<u32>(scratch.four, sum)
}

/** Replaces the candidates by their keys, in the same order; returns how many have a similarity. */
export function computeKeys(index: InvertedLists, scratch: Scratch, count: u32): u32 {
  // The last four may reach past the end; any row will do there.
  memory.fill(scratch.candidates + (<usize>count << 3), 0, 24)
  readAhead(index, scratch, count)
  let size: u32 = 0
  for (let i: u32 = 0; i < count; i += 4) {
    const four = scratch.candidates + (<usize>i << 3)
    computeFour(index, scratch.query, four, scratch.four)
    for (let j: u32 = 0; j < min<u32>(4, count - i); j++) {
      const score = f32At(scratch.four, j)
      const key = (<u64>(orderOf(score) ^ flip) << 32) | <u64>load<u32>(four + (<usize>j << 3))
      store<u64>(scratch.candidates + (<usize>size << 3), key)
      size += u32(score > 0)
    }
  }
  return size
}

/** Writes the keys of the best of `count` candidates to the heap's memory, best first; returns how many. */
export function computeBest(index: InvertedLists, request: Request, scratch: Scratch, count: u32): u32 {
  spread(request, scratch.query, false)
  const found = computeKeys(index, scratch, count)
  spread(request, scratch.query, true)
  scratch.counted += count
  const size = min(found, request.k)
  memory.copy(scratch.heap, sortKeys(scratch.candidates, scratch.spare, scratch.histogram, found), <usize>size << 3)
  return size
}
