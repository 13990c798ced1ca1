// Scores of labels for a run of queries: votes of the nearest rows, votes of the features, and the sum of both, as defined in
// src/label/scores/score-parts.ts (paper 003, Definitions 6, 8 and 9). Labels with a vote are listed, so that only those are ranked
// and cleared.

import { ScoreBatch, ScoreModel } from '../blocks/label-scores'
import { f32At, flip, numberOf, u32At, valueOf } from '../inverted/layout'
import { offer, unpack } from '../top-k'

/** One thread's scratch memory. Invariant between queries: `sums` are zero. */
// @ts-ignore: decorator
@unmanaged
class Scratch {
  /** Votes of rows and of features for each label, f32 [labels × 2]. */
  sums: usize
  /** Labels with nonzero sums, u32 [labels + 1]. */
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

/** Lists a label on its first nonzero vote (votes are never negative). Branch-free, because the branch would often be mispredicted. Returns
 *  how many are listed. */
// @ts-ignore: decorator
@inline
function touch(touched: usize, count: u32, label: u32, sums: usize, part: f32): u32 {
  store<u32>(touched + (<usize>count << 2), label)
  return count + (u32(load<u64>(sums) == 0) & u32(part > 0))
}

/**
 * Adds (similarity / the largest one) ^ power to every label of each neighbor; returns the sum of these votes. Summed in 32 bits and in the
 * same order as the labels' votes, so that no label's share exceeds 1.
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

/** Puts the `top` best labels into the heap and clears the sums; returns how many. */
function select(model: ScoreModel, scratch: Scratch, top: u32, rowShare: f64, featureShare: f64): u32 {
  let size: u32 = 0
  for (let i: u32 = 0; i < scratch.touchedCount; i++) {
    const label = u32At(scratch.touched, i)
    const sums = sumsOf(scratch.sums, label)
    const said = load<f32>(sums, 4)
    // Labels that occur only in rows have no scale.
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

/** Puts one query's best labels into the heap; returns how many. */
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
 * The best labels of queries [from, to), best first, ties by label: mix · rows' score + (1 − mix) · features' score; rows vote with
 * similarity ^ power. Scratch must be zero before the first call and is left ready for the next.
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

/** x ^ power, bit-identical on every machine; fast for the most common powers. */
export function powerOf(x: f64, power: f64): f64 {
  if (power == 1) return x
  if (power == 2) return x * x
  if (power == 0.5) return sqrt(x)
  return Math.pow(x, power)
}
