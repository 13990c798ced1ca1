// From scores to sets: thresholds chosen on scores of rows whose labels are known and that the model has not learned from
// (held out, or each left out in turn). A label is predicted if its score is at least its threshold.
// Scores are 0 or more. Thresholds are 32-bit numbers as scores are, so that a stored model decides the same.

import { checkNumbers } from '../matrix/checks.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import {
  checkBoolean,
  checkedLater,
  checkNumber,
  checkObject,
  checkOptions,
  checkWhole,
  checkWord,
  optionTable,
} from '../options.ts'
import { checkRankedParts } from './checks.ts'
import { groupByLabel, type LabelGroups } from './label-groups.ts'
import type { RankedLabels } from './predictions.ts'
import { checkRanked } from './ranking.ts'

/** The minimum scores of predicted labels. */
export interface Thresholds {
  /** The threshold of every label that has none of its own. */
  readonly single: number
  /** One per label, if labels have their own; labels past its end use the single one. */
  readonly byLabel?: Float32Array
}

/**
 * How thresholds are chosen. 'cardinality': one for all, so that as many labels are predicted as there are. 'steps': the
 * same in the two passes of the LCIF paper, to the nearest hundredth. 'priors': one per label, so that each is predicted
 * as often as it occurs. 'f1': one per label, the best for its F1, and closer to the single one the rarer the label is.
 */
export const thresholdKinds = ['cardinality', 'steps', 'priors', 'f1'] as const

/** How thresholds are chosen. */
export type ThresholdKind = (typeof thresholdKinds)[number]

export interface ThresholdOptions {
  /** Predict this many times as many labels as there are; above 0. Default 1. Below 1 lowers the Hamming loss. */
  readonly factor?: number
  /** For 'f1': with this many rows, a label's own best threshold and the single one weigh the same; 0 or more. Default 5. */
  readonly trust?: number
}

/** The defaults of `ThresholdOptions`. */
export const thresholdDefaults: Required<ThresholdOptions> = Object.freeze({ factor: 1, trust: 5 })

const thresholdOptions = optionTable<ThresholdOptions>({ factor: checkedLater, trust: checkedLater })

/** Chooses thresholds of a kind from ranked scores and the true labels of the same rows. */
export function chooseThresholds(
  kind: ThresholdKind,
  ranked: RankedLabels,
  truth: LabelMatrix,
  options: ThresholdOptions = {},
): Thresholds {
  checkWord('kind', kind, thresholdKinds)
  checkOptions(options, thresholdOptions)
  const { factor = thresholdDefaults.factor, trust = thresholdDefaults.trust } = options
  checkRanked(truth, ranked, 1)
  checkFactors(factor, trust)
  const scores = ascendingScores(ranked)
  const wanted = truth.entries * factor
  if (kind === 'steps') return { single: steppedThreshold(scores, wanted) }
  const single = exactThreshold(scores, wanted)
  if (kind === 'cardinality') return { single }
  const groups = groupByLabel(ranked, truth)
  const counts = truth.counts()
  const own =
    kind === 'priors' ? priorThresholds(groups, counts, factor, single) : f1Thresholds(groups, counts, trust, single)
  return { single, byLabel: own }
}

/** The single threshold under which `wanted` of the scores, which ascend, pass, or the nearest number that ties allow. */
export function exactThreshold(scores: Float32Array, wanted: number): number {
  const last = scores.length
  if (last === 0) return 0
  const at = Math.min(last - 1, Math.max(0, Math.round(last - wanted)))
  let from = at
  while (from > 0 && scores[from - 1] === scores[at]) from--
  let to = at + 1
  while (to < last && scores[to] === scores[at]) to++
  // All of the tied scores pass, or none; at least the best do.
  const none = to < last && Math.abs(last - to - wanted) < Math.abs(last - from - wanted)
  return none ? between(scores[to], scores[to - 1]) : between(scores[from], from > 0 ? scores[from - 1] : 0)
}

/** The paper's two passes over the scores, which ascend: tenths from 0 to 1, then hundredths around the best tenth. */
export function steppedThreshold(scores: Float32Array, wanted: number): number {
  const tenths = Array.from({ length: 11 }, (_, i) => i * 10)
  const coarse = nearestStep(scores, wanted, tenths)
  const hundredths = Array.from({ length: 11 }, (_, i) => coarse - 5 + i).filter(step => step >= 0 && step <= 100)
  return Math.fround(nearestStep(scores, wanted, hundredths) / 100)
}

function nearestStep(scores: Float32Array, wanted: number, steps: readonly number[]): number {
  const misses = steps.map(step => Math.abs(scores.length - firstAtLeast(scores, Math.fround(step / 100)) - wanted))
  return steps[misses.indexOf(Math.min(...misses))]
}

/** Each label passes as often as it occurs, times `factor`; a label that does not occur keeps the single threshold. */
function priorThresholds(groups: LabelGroups, counts: Float64Array, factor: number, single: number): Float32Array {
  return Float32Array.from(counts, (count, label) => {
    if (count === 0) return single
    const scores = groups.scores.subarray(groups.offsets[label], groups.offsets[label + 1])
    const rank = Math.max(1, Math.round(count * factor))
    return rank < scores.length ? between(scores[rank - 1], scores[rank]) : 0
  })
}

/** log t = h · log (best for F1) + (1 − h) · log single, h = n / (n + trust): rare labels hardly have evidence of their own. */
function f1Thresholds(groups: LabelGroups, counts: Float64Array, trust: number, single: number): Float32Array {
  return Float32Array.from(counts, (count, label) => {
    if (count === 0 || groups.offsets[label] === groups.offsets[label + 1]) return single
    const share = count / (count + trust)
    const best = Math.log(Math.max(bestForF1(groups, label, count), smallest))
    return Math.exp(share * best + (1 - share) * Math.log(Math.max(single, smallest)))
  })
}

const smallest = 1e-6

function bestForF1({ offsets, scores, hits }: LabelGroups, label: number, count: number): number {
  const [from, to] = [offsets[label], offsets[label + 1]]
  let [correct, best, cut] = [0, -1, from]
  for (let e = from; e < to; e++) {
    correct += hits[e]
    if (e + 1 < to && scores[e + 1] === scores[e]) continue
    const f1 = (2 * correct) / (e + 1 - from + count)
    if (f1 > best) [best, cut] = [f1, e]
  }
  return between(scores[cut], cut + 1 < to ? scores[cut + 1] : scores[cut])
}

/** The labels of each row that reach their threshold. If none does, the row keeps its best label, unless `allowEmpty` is true. */
export function applyThresholds(
  ranked: RankedLabels,
  thresholds: Thresholds,
  columns: number,
  allowEmpty = false,
): LabelMatrix {
  checkRankedParts(ranked)
  checkThresholds(thresholds)
  checkWhole('columns', columns, 0, 2 ** 32)
  checkBoolean('allowEmpty', allowEmpty)
  const offsets = new Float64Array(ranked.rows + 1)
  const indices = new Uint32Array(ranked.counts.reduce((sum, count) => sum + count, 0))
  let end = 0
  for (let row = 0; row < ranked.rows; row++) {
    const [from, to] = [row * ranked.top, row * ranked.top + ranked.counts[row]]
    for (let e = from; e < to; e++) {
      const label = ranked.labels[e]
      if (ranked.scores[e] >= thresholdOf(thresholds, label)) indices[end++] = label
    }
    if (end === offsets[row] && to > from && !allowEmpty) indices[end++] = ranked.labels[from]
    indices.subarray(offsets[row], end).sort()
    offsets[row + 1] = end
  }
  return new LabelMatrix(ranked.rows, columns, offsets, indices.slice(0, end))
}

function checkThresholds(thresholds: Thresholds): void {
  checkObject('thresholds', thresholds, 'an object with a single threshold')
  checkNumber('thresholds.single', thresholds.single, value => value >= 0, 'a number of at least 0')
  if (thresholds.byLabel !== undefined) checkNumbers('thresholds.byLabel', thresholds.byLabel, [Float32Array])
}

/** The threshold a label's score must reach. */
export function thresholdOf({ single, byLabel }: Thresholds, label: number): number {
  return byLabel && label < byLabel.length ? byLabel[label] : single
}

function ascendingScores({ rows, top, scores, counts }: RankedLabels): Float32Array {
  const all = new Float32Array(counts.reduce((sum, count) => sum + count, 0))
  let end = 0
  for (let row = 0; row < rows; row++) {
    all.set(scores.subarray(row * top, row * top + counts[row]), end)
    end += counts[row]
  }
  return all.sort()
}

/** The middle of two scores: `upper` passes it and `lower` does not, also after rounding to 32 bits. */
function between(upper: number, lower: number): number {
  const middle = Math.fround((upper + lower) / 2)
  return middle > lower ? middle : upper
}

function firstAtLeast(ascending: Float32Array, value: number): number {
  let [from, to] = [0, ascending.length]
  while (from < to) {
    const middle = (from + to) >>> 1
    if (ascending[middle] < value) from = middle + 1
    else to = middle
  }
  return from
}

function checkFactors(factor: number, trust: number): void {
  checkNumber('factor', factor, value => value > 0 && value < Number.POSITIVE_INFINITY, 'a number above 0')
  checkNumber('trust', trust, value => value >= 0 && value < Number.POSITIVE_INFINITY, 'a number of at least 0')
}
