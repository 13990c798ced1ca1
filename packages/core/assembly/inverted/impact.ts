// Ours. Lists are cut into layers of falling value. Layers are accumulated, those first that take most off the bound for each
// posting read, until few rows are left that can be among the k best; those are then computed exactly. So the answer is
// exact, and most postings are never read.
//
// Invariant, for a row with accumulator a and exact score s:  a ≤ s ≤ a + rest  (both with a margin for rounding).

import { offer, worstScore } from '../top-k'
import { allowed, f32At, flip, Index, Request, similarity, spread, u32At } from './layout'
import { Scratch } from './scratch'
import { accumulate, taat } from './taat'

/** A query term: its next layer, the one behind the last, where the next layer begins, its weight. */
// @ts-ignore: decorator
@unmanaged
class Term {
  feature: u32
  layer: u32
  layers: u32
  position: u32
  weight: f32
}
const termBytes: usize = 20

/** Scores relative to the largest possible one, on a logarithmic scale: 128 steps an octave, eight octaves. */
const buckets: u32 = 1024
const firstBucket: u32 = (0x3f800000 >> 16) - buckets
/** A guess looks at some thousand rows, and is first worth its cost after some thousand postings. */
const sampleRows: u32 = 1024
const leastRead: u32 = 8192
/** Coarse steps let a list be read in few long runs. */
const stepDown: f32 = 0.125
/** A guess is taken a little lower than it is: where it was still too high, everything is read. */
const caution: f32 = 0.85
/** Sums are f32: this share more than covers their rounding. */
const margin: f32 = 0.0001

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
  return term.layer < term.layers ? term.weight * f32At(index.layerGains, term.layer) : 0
}

/** One term for each query feature that has postings; returns how many. */
function openTerms(index: Index, request: Request, terms: usize): u32 {
  let count: u32 = 0
  for (let i: u32 = 0; i < request.count; i++) {
    const feature = u32At(request.indices, i)
    const position = u32At(index.listOffsets, feature)
    if (position == u32At(index.listOffsets, feature + 1) || f32At(request.values, i) == 0) continue
    const term = termAt(terms, count++)
    term.feature = feature
    term.layer = u32At(index.layerOffsets, feature)
    term.layers = u32At(index.layerOffsets, feature + 1)
    term.position = position
    term.weight = f32At(request.values, i)
  }
  return count
}

/** A score that k rows are known to reach: in one list alone, the smallest value of the layer that holds the k-th posting. */
function reachedByOneList(index: Index, terms: usize, count: u32, k: u32): f32 {
  let reached: f32 = 0
  for (let i: u32 = 0; i < count; i++) {
    const term = termAt(terms, i)
    const last = u32At(index.listOffsets, term.feature) + k
    if (last > u32At(index.listOffsets, term.feature + 1)) continue
    let layer = term.layer
    while (u32At(index.layerEnds, layer) < last) layer++
    reached = max(reached, term.weight * f32At(index.layerFloors, layer))
  }
  return reached
}

// @ts-ignore: decorator
@inline
function bucketOf(score: f32, scale: f32): u32 {
  const step = <i32>(reinterpret<u32>(score * scale) >> 16) - <i32>firstBucket
  return step < 0 ? 0 : min<u32>(<u32>step, buckets - 1)
}

/** The smallest score in a bucket. */
// @ts-ignore: decorator
@inline
function floorOf(bucket: u32, scale: f32): f32 {
  return bucket == 0 ? 0 : reinterpret<f32>((bucket + firstBucket) << 16) / scale
}

// @ts-ignore: decorator
@inline
function countIn(histogram: usize, bucket: u32): void {
  const at = histogram + (<usize>bucket << 2)
  store<u32>(at, load<u32>(at) + 1)
}

/** The bucket of the k-th best of the counted scores. */
function kthBucket(histogram: usize, k: u32): u32 {
  let above: u32 = 0
  for (let bucket: u32 = buckets - 1; bucket > 0; bucket--) {
    above += u32At(histogram, bucket)
    if (above >= k) return bucket
  }
  return 0
}

/** Counts the accumulators of every `stride`-th group of sixteen rows; returns how many are not zero. */
function countSample(index: Index, scratch: Scratch, scale: f32, stride: u32): u32 {
  let seen: u32 = 0
  for (let row: u32 = 0; row < index.rows; row += 16 * stride) {
    const at = scratch.scores + (<usize>row << 2)
    const some = v128.or(v128.or(v128.load(at), v128.load(at, 16)), v128.or(v128.load(at, 32), v128.load(at, 48)))
    if (!v128.any_true(some)) continue
    for (let lane: u32 = 0; lane < 16; lane++) {
      const score = load<f32>(at + (<usize>lane << 2))
      if (score == 0) continue
      countIn(scratch.histogram, bucketOf(score, scale))
      seen++
    }
  }
  return seen
}

/**
 * How many rows would have to be computed exactly if reading stopped now, guessed from a sample of the rows. Only the work
 * to come depends on it, no answer.
 */
function guessCandidates(index: Index, request: Request, scratch: Scratch, scale: f32, rest: f32): u32 {
  // A sample that leaves sixteen of the k best, but not too many rows.
  const stride = max<u32>(1, min<u32>(index.rows / sampleRows, max<u32>(request.k >> 4, index.rows >> 16)))
  const k = max<u32>(1, request.k / stride)
  let candidates = countSample(index, scratch, scale, stride)
  scratch.guess = 0
  if (candidates >= k) {
    scratch.guess = floorOf(kthBucket(scratch.histogram, k), scale)
    const cut = scratch.guess - rest
    candidates = 0
    const last: u32 = cut > 0 ? bucketOf(cut, scale) : 0
    for (let bucket = last; bucket < buckets; bucket++) candidates += u32At(scratch.histogram, bucket)
  }
  memory.fill(scratch.histogram, 0, buckets << 2)
  return candidates * stride
}

/** The most a row can still gain: by the tops of the unread layers, or by the length of the unread part of the query. */
// @ts-ignore: decorator
@inline
function restOf(tops: f32, squares: f32, maxLength: f32): f32 {
  return min(max(tops, 0), sqrt<f32>(max(squares, 0)) * maxLength)
}

/** Reads the term's next layer. */
// @ts-ignore: decorator
@inline
function readLayer(index: Index, term: Term, scores: usize): u32 {
  const from = term.position
  const to = u32At(index.layerEnds, term.layer)
  accumulate(index.layeredPairs, from, to, term.weight, scores)
  term.position = to
  term.layer++
  return to - from
}

/** Reads layers, best gain first in large steps, until what is left to compute exactly is cheap; returns the rest. */
function readLayers(index: Index, request: Request, scratch: Scratch, terms: u32, bound: f32): f32 {
  const scale: f32 = 1 / bound
  let tops: f32 = 0
  let squares: f32 = 0
  let gain: f32 = 0
  for (let i: u32 = 0; i < terms; i++) {
    const term = termAt(scratch.terms, i)
    tops += term.weight * topOf(index, term)
    squares += term.weight * term.weight
    gain = max(gain, gainOf(index, term))
  }
  let read: u32 = 0
  let nextGuess: u32 = leastRead
  while (gain > 0) {
    gain *= stepDown
    let best: f32 = 0
    for (let i: u32 = 0; i < terms; i++) {
      const term = termAt(scratch.terms, i)
      let own = gainOf(index, term)
      while (own >= gain && own > 0) {
        const before = topOf(index, term)
        read += readLayer(index, term, scratch.scores)
        tops -= term.weight * (before - topOf(index, term))
        if (term.layer == term.layers) squares -= term.weight * term.weight
        own = gainOf(index, term)
      }
      best = max(best, own)
    }
    gain = min(gain, best / stepDown)
    if (read < nextGuess && best > 0) continue
    nextGuess = 2 * read
    const rest = best > 0 ? restOf(tops, squares, index.maxLength) : 0
    const candidates = guessCandidates(index, request, scratch, scale, rest)
    if (<f32>candidates * index.rowCost < <f32>read || best == 0) return rest
  }
  return 0
}

/** Keeps those of sixteen rows whose accumulator is at least `cut`; returns how many are kept in all. */
function keep(request: Request, scratch: Scratch, row: u32, cut: f32, scale: f32, size: u32): u32 {
  for (let lane: u32 = 0; lane < 16; lane++) {
    const score = load<f32>(scratch.scores + (<usize>(row + lane) << 2))
    if (score < cut || score == 0 || !allowed(request.mask, row + lane)) continue
    store<u32>(scratch.candidates + (<usize>size << 2), row + lane)
    store<f32>(scratch.candidateScores + (<usize>size << 2), score)
    countIn(scratch.histogram, bucketOf(score, scale))
    size++
  }
  return size
}

/** Keeps the rows with an accumulator of at least `cut`, and clears all. The cut rises as k better rows are met. */
function collect(index: Index, request: Request, scratch: Scratch, cut: f32, rest: f32, scale: f32): u32 {
  const zero = f32x4.splat(0)
  let size: u32 = 0
  let check: u32 = 2 * request.k + 64
  for (let row: u32 = 0; row < index.rows; row += 16) {
    const at = scratch.scores + (<usize>row << 2)
    const a = v128.load(at)
    const b = v128.load(at, 16)
    const c = v128.load(at, 32)
    const d = v128.load(at, 48)
    const best = f32x4.pmax(f32x4.pmax(a, b), f32x4.pmax(c, d))
    if (v128.any_true(f32x4.ge(best, f32x4.splat(cut)))) {
      size = keep(request, scratch, row, cut, scale, size)
      if (size >= check) {
        check = size + (size >> 1)
        cut = max(cut, floorOf(kthBucket(scratch.histogram, request.k), scale) - rest)
      }
    }
    v128.store(at, zero)
    v128.store(at, zero, 16)
    v128.store(at, zero, 32)
    v128.store(at, zero, 48)
  }
  return size
}

/** Computes candidates with an accumulator in [from, to) exactly; returns the heap's size. */
function verify(index: Index, request: Request, scratch: Scratch, count: u32, from: f32, to: f32, size: u32): u32 {
  for (let i: u32 = 0; i < count; i++) {
    const score = f32At(scratch.candidateScores, i)
    if (score < from || score >= to) continue
    const row = u32At(scratch.candidates, i)
    scratch.counted++
    size = offer(scratch.heap, size, request.k, flip, similarity(index, scratch.query, row), row)
  }
  return size
}

export function impact(index: Index, request: Request, scratch: Scratch): u32 {
  const terms = openTerms(index, request, scratch.terms)
  let tops: f32 = 0
  let squares: f32 = 0
  for (let i: u32 = 0; i < terms; i++) {
    const term = termAt(scratch.terms, i)
    tops += term.weight * topOf(index, term)
    squares += term.weight * term.weight
  }
  const bound = restOf(tops, squares, index.maxLength)
  if (!(bound > <f32>1e-25 && bound < <f32>1e25)) return taat(index, request, scratch)
  const reached = reachedByOneList(index, scratch.terms, terms, request.k + request.masked)
  const rest = readLayers(index, request, scratch, terms, bound) + bound * margin
  const cut = max(max(reached, request.mask == 0 ? scratch.guess * caution : 0) - rest, <f32>1e-45)
  const found = collect(index, request, scratch, cut, rest, 1 / bound)
  const best = floorOf(kthBucket(scratch.histogram, request.k), 1 / bound)
  memory.fill(scratch.histogram, 0, buckets << 2)
  // The guess was too high: rows below the cut might matter.
  if (best - rest < cut && cut > reached - rest && cut > <f32>1e-45) return taat(index, request, scratch)
  spread(request, scratch.query, false)
  let size = verify(index, request, scratch, found, best, Infinity, 0)
  const floor: f32 = size == request.k ? worstScore(scratch.heap, flip) - rest : 0
  size = verify(index, request, scratch, found, floor, best, size)
  spread(request, scratch.query, true)
  return size
}
