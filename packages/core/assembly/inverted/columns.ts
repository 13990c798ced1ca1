// Our own algorithm. Short lists are accumulated as usual. The entries of frequent features are in columns, one byte per row: one pass adds
// them up, 32 rows at a time, wherever that could lift a row over the cut. In the end hardly more than k rows have an estimate above the
// cut, and only those are computed exactly.

import { InvertedLists } from '../blocks/sparse-search'
import { Candidates, clear, countFour, keep, narrow } from './candidates'
import { computeBest } from './exact'
import { allowed, f32At, Request } from './layout'
import { List, listAt, openTerms, Pair, pairBytes, Terms } from './query-terms'
import { Scratch } from './scratch'

/** Rows accumulated at a time: their accumulators stay in the L2 cache. */
const segmentRows: u32 = 32768

/** scores[row] += weight · value, over a list's postings before row `to`. */
// @ts-ignore: decorator
@inline
function accumulateTo(list: List, to: u32, scores: usize): void {
  const end = list.end
  const weight = list.weight
  let p = list.next
  while (p < end) {
    const row = load<u32>(p)
    if (row >= to) break
    const at = scores + (<usize>row << 2)
    store<f32>(at, load<f32>(at) + weight * load<f32>(p, 4))
    p += 8
  }
  list.next = p
}

/** The same to the list's end. */
// @ts-ignore: decorator
@inline
function accumulateAll(list: List, scores: usize): void {
  const end = list.end
  const weight = list.weight
  for (let p = list.next; p < end; p += 8) {
    const at = scores + (<usize>load<u32>(p) << 2)
    store<f32>(at, load<f32>(at) + weight * load<f32>(p, 4))
  }
}

// @ts-ignore: decorator
@inline
function sideBySideLow(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
}

// @ts-ignore: decorator
@inline
function sideBySideHigh(a: v128, b: v128): v128 {
  return i8x16.shuffle(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
}

/** Adds the sums of columns to the accumulators. */
// @ts-ignore: decorator
@inline
function total(at: usize, sums: v128, unit: v128): v128 {
  const estimates = f32x4.add(v128.load(at), f32x4.mul(f32x4.convert_i32x4_s(sums), unit))
  v128.store(at, estimates)
  return estimates
}

// @ts-ignore: decorator
@inline
function largest(a: v128, b: v128, c: v128, d: v128): v128 {
  return f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d))
}

/**
 * Makes the accumulators of 32 rows, at `at`, estimates; returns the largest of each of four groups of rows.
 * Same as: for each column and row: sum[row] += weight[column] · byte[column][row].
 */
function estimate(scratch: Scratch, terms: Terms, row: usize, at: usize): v128 {
  let a = i32x4.splat(0)
  let b = a
  let c = a
  let d = a
  let e = a
  let f = a
  let g = a
  let h = a
  const end = terms.endOfPairs
  for (let p = scratch.pairs; p < end; p += pairBytes) {
    const pair = changetype<Pair>(p)
    const first = pair.first + row
    const second = pair.second + row
    const weights = i32x4.splat(pair.weights)
    let low = sideBySideLow(v128.load(first), v128.load(second))
    let high = sideBySideHigh(v128.load(first), v128.load(second))
    a = i32x4.add(a, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(low), weights))
    b = i32x4.add(b, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(low), weights))
    c = i32x4.add(c, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(high), weights))
    d = i32x4.add(d, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(high), weights))
    low = sideBySideLow(v128.load(first, 16), v128.load(second, 16))
    high = sideBySideHigh(v128.load(first, 16), v128.load(second, 16))
    e = i32x4.add(e, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(low), weights))
    f = i32x4.add(f, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(low), weights))
    g = i32x4.add(g, i32x4.dot_i16x8_s(i16x8.extend_low_i8x16_u(high), weights))
    h = i32x4.add(h, i32x4.dot_i16x8_s(i16x8.extend_high_i8x16_u(high), weights))
  }
  const unit = f32x4.splat(terms.unit)
  a = total(at, a, unit)
  b = total(at + 16, b, unit)
  c = total(at + 32, c, unit)
  d = total(at + 48, d, unit)
  e = total(at + 64, e, unit)
  f = total(at + 80, f, unit)
  g = total(at + 96, g, unit)
  h = total(at + 112, h, unit)
  return f32x4.pmax(largest(a, b, c, d), largest(e, f, g, h))
}

// @ts-ignore: decorator
@inline
function largestAt(at: usize): v128 {
  return largest(v128.load(at), v128.load(at, 16), v128.load(at, 32), v128.load(at, 48))
}

// @ts-ignore: decorator
@inline
function clearAt(at: usize): void {
  const zero = f32x4.splat(0)
  v128.store(at, zero)
  v128.store(at, zero, 16)
  v128.store(at, zero, 32)
  v128.store(at, zero, 48)
}

// @ts-ignore: decorator
@inline
function reach(scores: v128, least: v128): bool {
  return v128.any_true(f32x4.ge(scores, least))
}

/** Which of sixteen scores reach `least`, as bits. */
// @ts-ignore: decorator
@inline
function reaching(at: usize, least: v128): u32 {
  const a = i32x4.bitmask(f32x4.ge(v128.load(at), least))
  const b = i32x4.bitmask(f32x4.ge(v128.load(at, 16), least))
  const c = i32x4.bitmask(f32x4.ge(v128.load(at, 32), least))
  const d = i32x4.bitmask(f32x4.ge(v128.load(at, 48), least))
  return a | (b << 4) | (c << 8) | (d << 12)
}

/** Zeroes the estimates of excluded rows; returns the largest of each group, as `estimate` does. */
function hide(mask: usize, at: usize): v128 {
  let best = f32x4.splat(0)
  for (let end = at + 128; at < end; at += 16, mask += 4) {
    const bytes = i32x4.extend_low_i16x8_u(i16x8.extend_low_i8x16_u(v128.load32_zero(mask)))
    const left = v128.and(v128.load(at), i32x4.ne(bytes, i32x4.splat(0)))
    v128.store(at, left)
    best = f32x4.pmax(best, left)
  }
  return best
}

/** Estimates rows [from, to) wherever columns could lift one over the cut, and counts the best: the cut rises on the way. */
function scan(request: Request, scratch: Scratch, terms: Terms, candidates: Candidates, from: u32, to: u32): void {
  let cut = f32x4.splat(candidates.cut)
  let least = f32x4.splat(candidates.cut - terms.rest)
  let at = scratch.scores
  let largest = scratch.largest
  for (let row = from; row < to; row += 32, at += 128, largest += 16) {
    let best = f32x4.splat(0)
    if (reach(f32x4.pmax(largestAt(at), largestAt(at + 64)), least)) {
      best = estimate(scratch, terms, row, at)
      if (request.mask != 0) best = hide(request.mask + row, at)
      if (reach(best, cut)) {
        countFour(scratch, candidates, request.k, best)
        cut = f32x4.splat(candidates.cut)
        least = f32x4.splat(candidates.cut - terms.rest)
      }
    } else {
      clearAt(at)
      clearAt(at + 64)
    }
    v128.store(largest, best)
  }
}

/** Keeps the rows of [from, to) that reach the cut, and clears the accumulators that `scan` left: groups with a nonzero largest. */
function gather(scratch: Scratch, candidates: Candidates, from: u32, to: u32): void {
  const cut = f32x4.splat(candidates.cut)
  let at = scratch.scores
  let largest = scratch.largest
  for (let row = from; row < to; row += 32, at += 128, largest += 16) {
    const best = v128.load(largest)
    if (!v128.any_true(best)) continue
    if (reach(best, cut)) {
      for (let lanes = reaching(at, cut) | (reaching(at + 64, cut) << 16); lanes != 0; lanes &= lanes - 1) {
        const lane = ctz<u32>(lanes)
        keep(scratch, candidates, row + lane, f32At(at, lane))
      }
    }
    clearAt(at)
    clearAt(at + 64)
  }
}

/** If numbers are too large or too small for estimates, all rows are candidates. */
function keepAll(index: InvertedLists, request: Request, scratch: Scratch, candidates: Candidates): void {
  for (let row: u32 = 0; row < index.rows; row++) {
    if (allowed(request.mask, row)) keep(scratch, candidates, row, 0)
  }
}

/** Writes the keys to the heap's memory, sorted, best first; returns how many. */
export function listsAndColumns(index: InvertedLists, request: Request, scratch: Scratch): u32 {
  const terms = changetype<Terms>(scratch.parts)
  const candidates = changetype<Candidates>(scratch.parts + 64)
  openTerms(index, request, scratch, terms)
  if (terms.bound == 0) return 0
  clear(candidates, terms.bound + terms.excess, terms.excess + 2 * terms.margin)
  if (!(terms.bound > <f32>1e-25 && terms.bound < <f32>1e25)) {
    keepAll(index, request, scratch, candidates)
    return computeBest(index, request, scratch, candidates.size)
  }
  for (let from: u32 = 0; from < index.rows; from += segmentRows) {
    const to = min<u32>(index.rows, from + segmentRows)
    const scores = scratch.scores - (<usize>from << 2)
    for (let i: u32 = 0; i < terms.lists; i++) {
      const list = listAt(scratch, i)
      if (to == index.rows) accumulateAll(list, scores)
      else accumulateTo(list, to, scores)
    }
    scan(request, scratch, terms, candidates, from, to)
    gather(scratch, candidates, from, to)
  }
  narrow(scratch, candidates, request.k)
  return computeBest(index, request, scratch, candidates.size)
}
