// Ours. Short lists are accumulated, as ever. The entries of frequent features are in columns, a byte a row: one pass over the
// rows adds them up, 32 rows at a time, wherever that could lift a row over the cut. Hardly more than k rows have an estimate
// above the cut in the end, and only those are computed.

import { offer } from '../top-k'
import { Candidates, clear, compute, keep } from './candidates'
import { allowed, f32At, flip, Index, Request, similarity, spread } from './layout'
import { List, listAt, openTerms, Pair, pairBytes, Terms } from './query-terms'
import { Scratch } from './scratch'

/** Rows accumulated at a time: their accumulators stay in the second cache. */
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

/** Accumulators and the sums of columns; kept at `out`. */
// @ts-ignore: decorator
@inline
function total(at: usize, sums: v128, unit: v128, out: usize): v128 {
  const estimates = f32x4.add(v128.load(at), f32x4.mul(f32x4.convert_i32x4_s(sums), unit))
  v128.store(out, estimates)
  return estimates
}

// @ts-ignore: decorator
@inline
function largest(a: v128, b: v128, c: v128, d: v128): v128 {
  return f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d))
}

/**
 * Estimates 32 rows, whose accumulators are at `at`; returns the four largest estimates.
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
  const out = scratch.estimates
  a = total(at, a, unit, out)
  b = total(at + 16, b, unit, out + 16)
  c = total(at + 32, c, unit, out + 32)
  d = total(at + 48, d, unit, out + 48)
  e = total(at + 64, e, unit, out + 64)
  f = total(at + 80, f, unit, out + 80)
  g = total(at + 96, g, unit, out + 96)
  h = total(at + 112, h, unit, out + 112)
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

/** Which of sixteen scores reach the least, a bit each. */
// @ts-ignore: decorator
@inline
function reaching(at: usize, least: v128): u32 {
  const a = i32x4.bitmask(f32x4.ge(v128.load(at), least))
  const b = i32x4.bitmask(f32x4.ge(v128.load(at, 16), least))
  const c = i32x4.bitmask(f32x4.ge(v128.load(at, 32), least))
  const d = i32x4.bitmask(f32x4.ge(v128.load(at, 48), least))
  return a | (b << 4) | (c << 8) | (d << 12)
}

/** Keeps those of 32 estimated rows that reach the cut. */
function keepBest(request: Request, scratch: Scratch, candidates: Candidates, row: u32): void {
  const cut = f32x4.splat(candidates.cut)
  const at = scratch.estimates
  for (let lanes = reaching(at, cut) | (reaching(at + 64, cut) << 16); lanes != 0; lanes &= lanes - 1) {
    const lane = ctz<u32>(lanes)
    keep(scratch, candidates, request, row + lane, f32At(at, lane))
  }
}

/** Goes over the accumulators of rows [from, to), and clears them. Where columns can add little, most rows stay behind at once. */
function scan(request: Request, scratch: Scratch, terms: Terms, candidates: Candidates, from: u32, to: u32): void {
  let cut = f32x4.splat(candidates.cut)
  let least = f32x4.splat(candidates.cut - terms.rest)
  let at = scratch.scores
  for (let row = from; row < to; row += 32, at += 128) {
    if (reach(f32x4.pmax(largestAt(at), largestAt(at + 64)), least) && reach(estimate(scratch, terms, row, at), cut)) {
      keepBest(request, scratch, candidates, row)
      cut = f32x4.splat(candidates.cut)
      least = f32x4.splat(candidates.cut - terms.rest)
    }
    clearAt(at)
    clearAt(at + 64)
  }
}

/** Where numbers are too large or too small for estimates: all rows. */
function computeAll(index: Index, request: Request, scratch: Scratch): u32 {
  let size: u32 = 0
  spread(request, scratch.query, false)
  for (let row: u32 = 0; row < index.rows; row++) {
    if (!allowed(request.mask, row)) continue
    const score = similarity(index, scratch.query, row)
    if (score > 0) size = offer(scratch.heap, size, request.k, flip, score, row)
  }
  spread(request, scratch.query, true)
  scratch.counted += index.rows
  return size
}

export function listsAndColumns(index: Index, request: Request, scratch: Scratch): u32 {
  const terms = changetype<Terms>(scratch.parts)
  const candidates = changetype<Candidates>(scratch.parts + 64)
  openTerms(index, request, scratch, terms)
  if (terms.bound == 0) return 0
  if (!(terms.bound > <f32>1e-25 && terms.bound < <f32>1e25)) return computeAll(index, request, scratch)
  clear(candidates, terms.bound + terms.excess, terms.excess + 2 * terms.margin)
  for (let from: u32 = 0; from < index.rows; from += segmentRows) {
    const to = min<u32>(index.rows, from + segmentRows)
    const scores = scratch.scores - (<usize>from << 2)
    for (let i: u32 = 0; i < terms.lists; i++) {
      const list = listAt(scratch, i)
      if (to == index.rows) accumulateAll(list, scores)
      else accumulateTo(list, to, scores)
    }
    scan(request, scratch, terms, candidates, from, to)
  }
  return compute(index, request, scratch, candidates)
}
