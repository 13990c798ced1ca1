// Feature weights by gradient. Each row is labeled by its nearest other rows, with votes of similarity ^ sharpness; the weights
// w = exp(v) and the sharpness move so that the row's own labels get more of the vote. The loss of a row with labels Y is
// −1/|Y| Σ log((P + ε) / Z) over Y: P is a label's share of the votes, Z = Σ (P + ε) over the labels voted for and those of Y.
// Single-threaded, with AssemblyScript's own logarithm and exponential: bit-identical on every machine.

import { Candidate, Learning, Moving } from '../blocks/weights'
import { numberOf, u32At, valueOf } from '../inverted/layout'
import { candidateAt, featureAt, movingAt } from './learning'

/** Rows per Adam step. */
const batchRows: u32 = 32
/** ε: the share of a label without a vote. */
const doubt: f64 = 1e-3
/** Gives every candidate some vote. */
const leastSimilarity: f64 = 1e-4
/** Avoids lengths of 0. */
const leastLength: f64 = 1e-12
const leastWeight: f64 = 1e-6
/** A weight stays within e^±5 times its start. */
const reach: f64 = 5
const startSharpness: f64 = 4
/** The sharpness stays within e^−1 and e^4. */
const leastLogSharpness: f64 = -1
const mostLogSharpness: f64 = 4

// @ts-ignore: decorator
@inline
function f64At(array: usize, i: u32): f64 {
  return load<f64>(array + (<usize>i << 3))
}

// @ts-ignore: decorator
@inline
function setF64(array: usize, i: u32, value: f64): void {
  store<f64>(array + (<usize>i << 3), value)
}

// @ts-ignore: decorator
@inline
function labelCount(work: Learning, row: u32): f64 {
  return <f64>(u32At(work.labelOffsets, row + 1) - u32At(work.labelOffsets, row))
}

/** Puts the current row into the columns, or removes it; returns the square of its weighted length. */
function spreadRow(work: Learning, present: bool): f64 {
  let squares: f64 = 0
  const end = u32At(work.rowOffsets, work.row + 1)
  for (let e = u32At(work.rowOffsets, work.row); e < end; e++) {
    const feature = featureAt(work, numberOf(work.rowPairs, e))
    const value = valueOf(work.rowPairs, e)
    feature.shared = present ? feature.square * value : 0
    squares += <f64>(feature.square * value) * <f64>value
  }
  return squares
}

/** A candidate's similarity to the current row, and its vote. */
// @ts-ignore: decorator
@inline
function measure(work: Learning, candidate: Candidate, row: u32): void {
  let squares: f32 = 0
  let product: f32 = 0
  const end = u32At(work.rowOffsets, row + 1)
  for (let e = u32At(work.rowOffsets, row); e < end; e++) {
    const feature = featureAt(work, numberOf(work.rowPairs, e))
    const value = valueOf(work.rowPairs, e)
    squares += feature.square * value * value
    product += feature.shared * value
  }
  candidate.length = sqrt<f64>(squares) + leastLength
  candidate.similarity = min<f64>(1, max<f64>(leastSimilarity, <f64>product / (work.length * candidate.length)))
  candidate.logarithm = Math.log(candidate.similarity)
  candidate.vote = Math.exp(work.sharpness * candidate.logarithm)
}

/** Gives a share of the vote to the labels of `row`; returns how many of them had none before. */
// @ts-ignore: decorator
@inline
function share(work: Learning, row: u32, part: f64): u32 {
  let fresh: u32 = 0
  const end = u32At(work.labelOffsets, row + 1)
  for (let e = u32At(work.labelOffsets, row); e < end; e++) {
    const label = u32At(work.rowLabels, e)
    const before = f64At(work.shares, label)
    if (before == 0) fresh++
    setF64(work.shares, label, before + part)
  }
  return fresh
}

/** The candidates vote. Sets `votes`, `shareSum` and the shares; returns how many labels were voted for. */
function castVotes(work: Learning): u32 {
  work.votes = 0
  for (let c: u32 = 0; c < work.count; c++) {
    const candidate = candidateAt(work, c)
    measure(work, candidate, u32At(work.neighbors, c))
    work.votes += candidate.vote
  }
  let voted: u32 = 0
  work.shareSum = 0
  for (let c: u32 = 0; c < work.count; c++) {
    const neighbor = u32At(work.neighbors, c)
    const part = candidateAt(work, c).vote / work.votes
    voted += share(work, neighbor, part)
    work.shareSum += part * labelCount(work, neighbor)
  }
  return voted
}

/**
 * The loss, and its slope along the shares: 1/Z for every label voted for, less a pull of 1 / (|Y| (P + ε)) for the own ones.
 * Sets `total`, `mean` and the pulls.
 */
function pullOwnLabels(work: Learning, voted: u32): f64 {
  const from = u32At(work.labelOffsets, work.row)
  const to = u32At(work.labelOffsets, work.row + 1)
  for (let e = from; e < to; e++) if (f64At(work.shares, u32At(work.rowLabels, e)) == 0) voted++
  work.total = work.shareSum + doubt * <f64>voted
  work.mean = work.shareSum / work.total
  let logarithms: f64 = 0
  for (let e = from; e < to; e++) {
    const label = u32At(work.rowLabels, e)
    const part = f64At(work.shares, label)
    const pull = 1 / (<f64>(to - from) * (part + doubt))
    setF64(work.pulls, label, pull)
    work.mean -= pull * part
    logarithms += Math.log(part + doubt)
  }
  return Math.log(work.total) - logarithms / <f64>(to - from)
}

/** How strongly the labels of `row` pull together; takes their shares back. */
// @ts-ignore: decorator
@inline
function takePulls(work: Learning, row: u32): f64 {
  let sum: f64 = 0
  const end = u32At(work.labelOffsets, row + 1)
  for (let e = u32At(work.labelOffsets, row); e < end; e++) {
    const label = u32At(work.rowLabels, e)
    sum += f64At(work.pulls, label)
    setF64(work.shares, label, 0)
  }
  return sum
}

/** Whether the label with the largest share (ties by label) is one of the row's own. */
function firstIsOwn(work: Learning): bool {
  let first: u32 = 0
  let largest: f64 = 0
  for (let c: u32 = 0; c < work.count; c++) {
    const neighbor = u32At(work.neighbors, c)
    const end = u32At(work.labelOffsets, neighbor + 1)
    for (let e = u32At(work.labelOffsets, neighbor); e < end; e++) {
      const label = u32At(work.rowLabels, e)
      const part = f64At(work.shares, label)
      if (part < largest || (part == largest && label >= first)) continue
      first = label
      largest = part
    }
  }
  return largest > 0 && f64At(work.pulls, first) > 0
}

/** Evaluates the row's vote without learning. */
function judge(work: Learning): void {
  if (firstIsOwn(work)) work.hits++
  for (let c: u32 = 0; c < work.count; c++) takePulls(work, u32At(work.neighbors, c))
}

// @ts-ignore: decorator
@inline
function addGradient(work: Learning, index: u32, gradient: f32): void {
  const feature = featureAt(work, index)
  feature.gradient += gradient
  if (feature.changed) return
  feature.changed = 1
  store<u32>(work.changed + (<usize>work.changedCount << 2), index)
  work.changedCount++
}

/** Along a candidate's features: `slope`, that of its similarity s, times 2u·x·x' / (n·n') − s·u·x'² / n'², with u = w². */
// @ts-ignore: decorator
@inline
function descendCandidate(work: Learning, candidate: Candidate, row: u32, slope: f64): void {
  const toward = <f32>(2 * slope / (work.length * candidate.length))
  const away = <f32>(slope * candidate.similarity / (candidate.length * candidate.length))
  const end = u32At(work.rowOffsets, row + 1)
  for (let e = u32At(work.rowOffsets, row); e < end; e++) {
    const index = numberOf(work.rowPairs, e)
    const feature = featureAt(work, index)
    const value = valueOf(work.rowPairs, e)
    addGradient(work, index, value * (toward * feature.shared - away * feature.square * value))
  }
}

/**
 * Adds the gradients of the row's loss. A similarity at the lower bound has a vote, but no slope. The row's own length has none either: it
 * scales all similarities and votes equally, which does not change the shares.
 */
function descend(work: Learning): void {
  for (let c: u32 = 0; c < work.count; c++) {
    const neighbor = u32At(work.neighbors, c)
    const candidate = candidateAt(work, c)
    const voteSlope = (labelCount(work, neighbor) / work.total - takePulls(work, neighbor) - work.mean) / work.votes
    const slope = voteSlope * work.sharpness * candidate.vote
    work.gradient += slope * candidate.logarithm
    if (candidate.similarity <= leastSimilarity) continue
    descendCandidate(work, candidate, neighbor, slope / candidate.similarity)
  }
}

/** One row's loss; adds its gradients if learning. */
function visitRow(work: Learning, place: u32, learn: bool): f64 {
  work.row = u32At(work.sampled, place)
  work.count = u32At(work.counts, place)
  work.neighbors = work.candidates + ((<usize>place * <usize>work.k) << 2)
  if (work.count == 0) return 0
  work.length = sqrt<f64>(spreadRow(work, true)) + leastLength
  const loss = pullOwnLabels(work, castVotes(work))
  if (learn) descend(work)
  else judge(work)
  spreadRow(work, false)
  const end = u32At(work.labelOffsets, work.row + 1)
  for (let e = u32At(work.labelOffsets, work.row); e < end; e++) setF64(work.pulls, u32At(work.rowLabels, e), 0)
  return loss
}

/** Adam (Kingma and Ba, 2015); decays count only the steps of this parameter. */
// @ts-ignore: decorator
@inline
function adam(moving: Moving, gradient: f64, rate: f64, least: f64, most: f64): void {
  moving.meanDecay *= 0.9
  moving.squareDecay *= 0.999
  moving.mean = 0.9 * moving.mean + 0.1 * gradient
  moving.square = 0.999 * moving.square + 0.001 * gradient * gradient
  const mean = moving.mean / (1 - moving.meanDecay)
  const square = moving.square / (1 - moving.squareDecay)
  moving.value = min(most, max(least, moving.value - rate * moving.pace * mean / (sqrt(square) + 1e-8)))
}

/** Updates the features the batch touched; those without a gradient do not change. */
function step(work: Learning, rows: u32, rate: f64): void {
  const scale: f64 = 1 / <f64>rows
  for (let i: u32 = 0; i < work.changedCount; i++) {
    const index = u32At(work.changed, i)
    const feature = featureAt(work, index)
    const moving = movingAt(work, index)
    adam(moving, <f64>feature.gradient * scale, rate, moving.start - reach, moving.start + reach)
    feature.square = <f32>Math.exp(2 * moving.value)
    feature.gradient = 0
    feature.changed = 0
  }
  work.changedCount = 0
  const sharpness = movingAt(work, work.features)
  adam(sharpness, work.gradient * scale, rate, leastLogSharpness, mostLogSharpness)
  work.sharpness = Math.exp(sharpness.value)
  work.gradient = 0
}

function startMoving(moving: Moving, value: f64): void {
  moving.value = value
  moving.start = value
  moving.mean = 0
  moving.square = 0
  moving.meanDecay = 1
  moving.squareDecay = 1
  moving.pace = 1
}

/** Begins with these weights, f32 [features], and with full paces. */
export function weightsStart(learning: usize, weights: usize): void {
  const work = changetype<Learning>(learning)
  for (let i: u32 = 0; i < work.features; i++) {
    const weight = max<f64>(leastWeight, <f64>load<f32>(weights + (<usize>i << 2)))
    startMoving(movingAt(work, i), Math.log(weight))
    featureAt(work, i).square = <f32>(weight * weight)
  }
  startMoving(movingAt(work, work.features), Math.log(startSharpness))
  work.sharpness = startSharpness
}

/** Learns from the rows at [from, to) of `order`, a step every 32 rows; returns the sum of their losses. */
export function weightsLearn(learning: usize, from: u32, to: u32, rate: f64): f64 {
  const work = changetype<Learning>(learning)
  let loss: f64 = 0
  for (let start = from; start < to; start += batchRows) {
    const end = min(start + batchRows, to)
    for (let i = start; i < end; i++) loss += visitRow(work, u32At(work.order, i), true)
    step(work, end - start, rate)
  }
  return loss
}

/** The sum of the losses of the rows at [from, to) of `order` with this sharpness; counts hits and learns nothing. */
export function weightsLoss(learning: usize, from: u32, to: u32, sharpness: f64): f64 {
  const work = changetype<Learning>(learning)
  const learned = work.sharpness
  work.sharpness = sharpness
  let loss: f64 = 0
  for (let i = from; i < to; i++) loss += visitRow(work, u32At(work.order, i), false)
  work.sharpness = learned
  return loss
}

/** Writes the weights as they are now, f32 [features]; returns the sharpness. */
export function weightsNow(learning: usize, out: usize): f64 {
  const work = changetype<Learning>(learning)
  for (let i: u32 = 0; i < work.features; i++) store<f32>(out + (<usize>i << 2), <f32>Math.exp(movingAt(work, i).value))
  return work.sharpness
}

/** out[i] = log(values[i]) + shift: f64 in, f32 out. */
export function logarithms(values: usize, count: u32, shift: f64, out: usize): void {
  for (let i: u32 = 0; i < count; i++) store<f32>(out + (<usize>i << 2), <f32>(Math.log(f64At(values, i)) + shift))
}
