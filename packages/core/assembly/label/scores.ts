// Scores of labels for a run of queries (paper 003, Definitions 6, 8 and 9): what the nearest rows say, what the features say,
// and the sum of both. Labels that somebody speaks for are listed; only those are looked at in the end, and cleared.

import { ScoreBatch, ScoreModel } from '../blocks/label-scores'
import { f32At, flip, numberOf, u32At, valueOf } from '../inverted/layout'
import { offer, unpack } from '../top-k'

/** One thread's working memory. Invariant between queries: `sums` are zero. */
// @ts-ignore: decorator
@unmanaged
class Scratch {
  /** For each label what rows and what features say of it, f32 [labels × 2]. */
  sums: usize
  /** Labels whose sums are not zero, u32 [labels], and room for one more. */
  touched: usize
  touchedCount: u32
  /** u64 [top] */
  heap: usize
}

// @ts-ignore: decorator
@inline
const blockBytes: usize = 64

// @ts-ignore: decorator
@inline
function sumsOf(all: usize, label: u32): usize {
  return all + (<usize>label << 3)
}

/** Lists a label that gets more than nothing for the first time; what is added is never negative. No branch: it would often be
 *  mispredicted. Returns how many are listed. */
// @ts-ignore: decorator
@inline
function touch(touched: usize, count: u32, label: u32, sums: usize, part: f32): u32 {
  store<u32>(touched + (<usize>count << 2), label)
  return count + (u32(load<u64>(sums) == 0) & u32(part > 0))
}

/**
 * Adds (similarity / the largest one) ^ power to every label of each neighbor; returns the sum of these votes. It is summed as those of
 * the labels are, in 32 bits and in the same order: then no label has more than all, and no share is above 1.
 */
function addRows(model: ScoreModel, scratch: Scratch, rows: usize, similarities: usize, count: u32, power: f64): f64 {
  let largest: f32 = 0
  for (let n: u32 = 0; n < count; n++) largest = max(largest, f32At(similarities, n))
  let votes: f32 = 0
  let touched = scratch.touchedCount
  const list = scratch.touched
  const all = scratch.sums
  for (let n: u32 = 0; n < count; n++) {
    const similarity = f32At(similarities, n)
    if (similarity <= 0) continue
    const vote = <f32>powerOf(<f64>similarity / <f64>largest, power)
    votes += vote
    const row = u32At(rows, n)
    const end = u32At(model.rowOffsets, row + 1)
    for (let e = u32At(model.rowOffsets, row); e < end; e++) {
      const label = u32At(model.rowLabels, e)
      const sums = sumsOf(all, label)
      touched = touch(list, touched, label, sums, vote)
      store<f32>(sums, load<f32>(sums) + vote)
    }
  }
  scratch.touchedCount = touched
  return <f64>votes
}

/** Adds value · strength to every label of each feature; returns the sum of the values. */
function addFeatures(model: ScoreModel, scratch: Scratch, indices: usize, values: usize, count: u32): f64 {
  let total: f64 = 0
  let touched = scratch.touchedCount
  const list = scratch.touched
  const all = scratch.sums
  for (let i: u32 = 0; i < count; i++) {
    const feature = u32At(indices, i)
    total += <f64>f32At(values, i)
    const value = f32At(values, i) * f32At(model.featureScales, feature)
    const pairs = model.pairs + (<usize>u32At(model.pairStarts, feature) << 3)
    const length = u32At(model.pairCounts, feature)
    for (let e: u32 = 0; e < length; e++) {
      const label = numberOf(pairs, e)
      const part = value * valueOf(pairs, e)
      const sums = sumsOf(all, label)
      touched = touch(list, touched, label, sums, part)
      store<f32>(sums, load<f32>(sums, 4) + part, 4)
    }
  }
  scratch.touchedCount = touched
  return total
}

/** The `top` best labels into the heap; clears their sums. Returns how many there are. */
function select(model: ScoreModel, scratch: Scratch, top: u32, rowShare: f64, featureShare: f64): u32 {
  let size: u32 = 0
  for (let i: u32 = 0; i < scratch.touchedCount; i++) {
    const label = u32At(scratch.touched, i)
    const sums = sumsOf(scratch.sums, label)
    const said = load<f32>(sums, 4)
    // A label that only rows know of has no scale.
    const fromFeatures = said > 0 ? featureShare * <f64>said * <f64>f32At(model.labelScales, label) : 0
    const score = <f32>(rowShare * <f64>load<f32>(sums) + fromFeatures)
    store<u64>(sums, 0)
    if (score > 0 && top > 0) size = offer(scratch.heap, size, top, flip, score, label)
  }
  scratch.touchedCount = 0
  return size
}

// @ts-ignore: decorator
@inline
function share(part: f64, total: f64): f64 {
  return total > 0 ? part / total : 0
}

/** One query's best labels into the heap; returns how many. */
function score(model: ScoreModel, scratch: Scratch, batch: ScoreBatch, query: u32, power: f64, mix: f64): u32 {
  let votes: f64 = 0
  let values: f64 = 0
  if (mix > 0) {
    const near = <usize>query * <usize>batch.k << 2
    votes = addRows(model, scratch, batch.neighbors + near, batch.similarities + near, u32At(batch.counts, query), power)
  }
  if (mix < 1) {
    const start = u32At(batch.offsets, query)
    const from = <usize>start << 2
    const count = u32At(batch.offsets, query + 1) - start
    values = addFeatures(model, scratch, batch.indices + from, batch.values + from, count)
  }
  return select(model, scratch, batch.top, share(mix, votes), share(1 - mix, values))
}

/** Bytes of scratch that `labelScores` needs. */
export function labelScratchBytes(labels: u32, top: u32): usize {
  return blockBytes + <usize>labels * 12 + 8 + (<usize>top << 3)
}

/**
 * The best labels of queries [from, to), best first, ties by label: mix · rows' score + (1 − mix) · features' score, where the
 * rows vote with similarity ^ power. The scratch is zeros at first, and is left ready for the next call.
 */
export function labelScores(
  scratchBlock: usize, modelBlock: usize, batchBlock: usize, from: u32, to: u32, power: f64, mix: f64,
): void {
  const model = changetype<ScoreModel>(modelBlock)
  const batch = changetype<ScoreBatch>(batchBlock)
  const scratch = changetype<Scratch>(scratchBlock)
  scratch.sums = scratchBlock + blockBytes
  scratch.heap = scratch.sums + (<usize>model.labels << 3)
  scratch.touched = scratch.heap + (<usize>batch.top << 3)
  for (let query = from; query < to; query++) {
    const size = score(model, scratch, batch, query, power, mix)
    const out = <usize>query * <usize>batch.top << 2
    unpack(scratch.heap, size, flip, batch.outLabels + out, batch.outScores + out)
    store<u32>(batch.outCounts + (<usize>query << 2), size)
  }
}

/** x ^ power, the same bits on every machine; quick for the powers that are used most. */
export function powerOf(x: f64, power: f64): f64 {
  if (power == 1) return x
  if (power == 2) return x * x
  if (power == 0.5) return sqrt(x)
  return Math.pow(x, power)
}
