// Ours. Lists are cut into layers of falling value. Layers are accumulated, cheapest first for what they take off the bound,
// until the rows not yet seen cannot matter and the rows seen are known closely enough; the few rows that can still be among the
// k best are then computed exactly. So the answer is exact, and most postings are never read.
//
// Accumulators are u16, in units of 1 / scale. Each posting adds its share rounded, plus one so that a touched row is never 0.
// Invariant, for a row with accumulator a and exact score s:  a − added ≤ s · scale ≤ a + missing.

import { offer, worstScore } from '../top-k'
import { allowed, f32At, flip, Index, Request, Scratch, similarity, spread, u32At } from './layout'

// @ts-ignore: decorator
@unmanaged
class Term {
  feature: u32
  /** The next layer, and the one behind the last. */
  layer: u32
  layers: u32
  /** Where the next layer begins. */
  position: u32
  weight: f32
  /** weight · maxValue · scale, rounded down. */
  step: u32
}
const termBytes: usize = 24

/** The largest sum of shares; a query of more terms than the rest of the u16 allows takes another way. */
const reach: f32 = 50000
export const maxTerms: u32 = 10000
const buckets: u32 = 4096
const bucketShift: u32 = 4

// @ts-ignore: decorator
@inline
function termAt(terms: usize, i: u32): Term {
  return changetype<Term>(terms + <usize>i * termBytes)
}

// @ts-ignore: decorator
@inline
function topOf(index: Index, term: Term): f32 {
  return term.layer < term.layers ? f32At(index.layerTops, term.layer) : 0
}

/** Bound taken off per posting read, if the term's next layer is read. */
// @ts-ignore: decorator
@inline
function gainOf(index: Index, term: Term): f32 {
  if (term.layer >= term.layers) return 0
  const next: f32 = term.layer + 1 < term.layers ? f32At(index.layerTops, term.layer + 1) : 0
  const size = u32At(index.layerEnds, term.layer) - term.position
  return (term.weight * (f32At(index.layerTops, term.layer) - next)) / <f32>size
}

/** One term for each query feature that has postings; returns how many. */
function openTerms(index: Index, request: Request, terms: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const weight = f32At(request.values, i)
    const position = u32At(index.listOffsets, feature)
    if (position == u32At(index.listOffsets, feature + 1) || weight == 0) continue
    const term = termAt(terms, count++)
    term.feature = feature
    term.layer = u32At(index.layerOffsets, feature)
    term.layers = u32At(index.layerOffsets, feature + 1)
    term.position = position
    term.weight = weight
  }
  return count
}

/** A score that k rows are known to reach: in one list alone, the k-th value or the smallest of its layer. */
function firstGuess(index: Index, terms: usize, count: u32, k: u32): f32 {
  let guess: f32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const term = termAt(terms, i)
    const last = u32At(index.listOffsets, term.feature) + k
    if (last > u32At(index.listOffsets, term.feature + 1)) continue
    let layer = term.layer
    while (u32At(index.layerEnds, layer) < last) layer++
    guess = max(guess, term.weight * f32At(index.layerFloors, layer))
  }
  return guess
}

function accumulate(index: Index, term: Term, scores: usize): void {
  const end = u32At(index.layerEnds, term.layer)
  const step = term.step
  for (let p = term.position; p < end; p++) {
    const at = scores + (<usize>u32At(index.impactRows, p) << 1)
    const share = (step * <u32>load<u16>(index.impactValues + (<usize>p << 1))) >> 16
    store<u16>(at, <u16>(<u32>load<u16>(at) + share + 1))
  }
  term.position = end
  term.layer++
}

/** The most a row can still gain: by the tops of the unread layers, or by the length of the unread part of the query. */
// @ts-ignore: decorator
@inline
function restOf(tops: f32, squares: f32, maxLength: f32): f32 {
  return min(max(tops, 0), sqrt<f32>(max(squares, 0)) * maxLength)
}

/** Reads layers, best gain first in halving steps, until the rest is at most `enough`; returns the rest. */
function readLayers(index: Index, terms: usize, count: u32, enough: f32, scores: usize): f32 {
  let tops: f32 = 0
  let squares: f32 = 0
  let gain: f32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const term = termAt(terms, i)
    tops += term.weight * topOf(index, term)
    squares += term.weight * term.weight
    gain = max(gain, gainOf(index, term))
  }
  while (gain > 0) {
    if (restOf(tops, squares, index.maxLength) <= enough) break
    gain *= 0.5
    let best: f32 = 0
    for (let i: u32 = 0; i < count; i++) {
      const term = termAt(terms, i)
      while (gainOf(index, term) >= gain && term.layer < term.layers) {
        const before = topOf(index, term)
        accumulate(index, term, scores)
        tops -= term.weight * (before - topOf(index, term))
        if (term.layer == term.layers) squares -= term.weight * term.weight
        if (restOf(tops, squares, index.maxLength) <= enough) break
      }
      best = max(best, gainOf(index, term))
    }
    if (best == 0) return 0
    gain = max(min(gain, best * 2), best)
  }
  return restOf(tops, squares, index.maxLength)
}

/** Lowest accumulator that the k-th best collected row is known to reach. */
function kthBest(histogram: usize, k: u32): i32 {
  let above: u32 = 0
  for (let bucket: u32 = buckets; bucket > 0; bucket--) {
    above += u32At(histogram, bucket - 1)
    if (above >= k) return <i32>((bucket - 1) << bucketShift)
  }
  return 0
}

/** Collects the rows whose accumulator is at least `cut`, which rises as k better ones are known, and clears; returns how many. */
function collect(index: Index, request: Request, scratch: Scratch, cut: i32, slack: i32): u32 {
  const zero = i64x2.splat(0)
  let size: u32 = 0
  let check: u32 = request.k + 64
  let least = i16x8.splat(<i16>max(cut, 1))
  for (let row: u32 = 0; row < index.rows; row += 32) {
    const at = scratch.scores + (<usize>row << 1)
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    const best = i16x8.max_u(i16x8.max_u(a, b), i16x8.max_u(c, d))
    v128.store(at, zero)
    v128.store(at, zero, 16)
    v128.store(at, zero, 32)
    v128.store(at, zero, 48)
    if (!v128.any_true(i16x8.ge_u(best, least))) continue
    size = keep(request.mask, scratch, row, i16x8.ge_u(a, least), a, size)
    size = keep(request.mask, scratch, row + 8, i16x8.ge_u(b, least), b, size)
    size = keep(request.mask, scratch, row + 16, i16x8.ge_u(c, least), c, size)
    size = keep(request.mask, scratch, row + 24, i16x8.ge_u(d, least), d, size)
    if (size >= check) {
      check = size + (size >> 1)
      cut = max(cut, kthBest(scratch.histogram, request.k) - slack)
      least = i16x8.splat(<i16>max(cut, 1))
    }
  }
  return size
}

/** Keeps the lanes of eight rows that the comparison let through. */
// @ts-ignore: decorator
@inline
function keep(mask: usize, scratch: Scratch, row: u32, through: v128, scores: v128, size: u32): u32 {
  let bits: u32 = i16x8.bitmask(through)
  if (bits == 0) return size
  v128.store(scratch.candidateScores + (<usize>size << 1), scores) // a place to read lanes from by number
  const lanes = scratch.candidateScores + (<usize>size << 1)
  let low = load<u64>(lanes)
  let high = load<u64>(lanes, 8)
  while (bits != 0) {
    const lane = ctz<u32>(bits)
    bits &= bits - 1
    const score = <u32>((lane < 4 ? low >> (<u64>lane << 4) : high >> (<u64>(lane - 4) << 4)) & 0xffff)
    if (!allowed(mask, row + lane)) continue
    store<u32>(scratch.candidates + (<usize>size << 2), row + lane)
    store<u16>(scratch.candidateScores + (<usize>size << 1), <u16>score)
    const bucket = scratch.histogram + (<usize>(score >> bucketShift) << 2)
    store<u32>(bucket, load<u32>(bucket) + 1)
    size++
  }
  return size
}

/** Computes candidates with an accumulator in [from, to) exactly; returns the heap's size. */
function verify(index: Index, request: Request, scratch: Scratch, count: u32, from: i32, to: i32, size: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const score = <i32>load<u16>(scratch.candidateScores + (<usize>i << 1))
    if (score < from || score >= to) continue
    const row = u32At(scratch.candidates, i)
    const exact = similarity(index, scratch.query, row)
    scratch.counted++
    if (exact > 0) size = offer(scratch.heap, size, request.k, flip, exact, row)
  }
  return size
}

export function impact(index: Index, request: Request, scratch: Scratch): u32 {
  const terms = scratch.terms
  const count = openTerms(index, request, terms)
  if (count == 0) return 0
  let bound: f32 = 0
  for (let i: u32 = 0; i < count; i++) bound += termAt(terms, i).weight * topOf(index, termAt(terms, i))
  const scale = reach / bound
  let missing: f32 = 4
  for (let i: u32 = 0; i < count; i++) {
    const term = termAt(terms, i)
    const step = term.weight * index.maxValue * scale
    term.step = <u32>step
    missing += 2 + step / 65536 // rounding of the value, of the step, of their product; the added one pays for the last
  }
  const guess = firstGuess(index, terms, count, request.k + request.masked) * <f32>0.9999
  const rest = readLayers(index, terms, count, guess * index.slack, scratch.scores)
  const slack = <i32>ceil(rest * scale + missing) + <i32>count
  const cut = <i32>(guess * scale) - slack
  const found = collect(index, request, scratch, cut, slack)
  const best = kthBest(scratch.histogram, request.k)
  memory.fill(scratch.histogram, 0, buckets << 2)
  spread(request, scratch.query, false)
  let size = verify(index, request, scratch, found, best, 65536, 0)
  const floor: f32 = size == request.k ? worstScore(scratch.heap, flip) : 0
  size = verify(index, request, scratch, found, max(<i32>(floor * scale) - slack, 0), best, size)
  spread(request, scratch.query, true)
  return size
}
