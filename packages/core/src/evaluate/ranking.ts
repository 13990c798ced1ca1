// Measures of ranked labels at a cut k, as the extreme classification repository's scripts count them: each is a mean over
// all rows; missing predictions are misses; a row without true labels counts as 0.

import { EngineError } from '../errors.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkCut, checkLabelMatrix, checkRankedParts, checkSameCount } from './checks.ts'
import type { RankedLabels } from './predictions.ts'

/** P@k: the share of the first k predictions that are true labels. */
export function precisionAt(truth: LabelMatrix, ranked: RankedLabels, k: number): number {
  checkRanked(truth, ranked, k)
  return sumHits(truth, ranked, k, () => 1) / (k * truth.rows)
}

/** Recall@k: the share of a row's true labels among its first k predictions. */
export function recallAt(truth: LabelMatrix, ranked: RankedLabels, k: number): number {
  checkRanked(truth, ranked, k)
  return sumHits(truth, ranked, k, row => 1 / labelCount(truth, row)) / truth.rows
}

/** nDCG@k: a true label at rank r gains 1 / log2(r + 1), relative to the best possible sum of that row. */
export function ndcgAt(truth: LabelMatrix, ranked: RankedLabels, k: number): number {
  checkRanked(truth, ranked, k)
  return sumHits(truth, ranked, k, discountedGain(truth, k)) / truth.rows
}

/** Coverage@k: of the labels in `truth`, the share predicted correctly at least once among the first k. */
export function coverageAt(truth: LabelMatrix, ranked: RankedLabels, k: number): number {
  checkRanked(truth, ranked, k)
  const found = new Set<number>()
  forEachHit(truth, ranked, k, (_row, label) => found.add(label))
  const occurring = new Set(truth.indices).size
  return occurring === 0 ? 0 : found.size / occurring
}

/** What a true label at a place adds to a measure; ranks count from 0. */
export type Gain = (row: number, label: number, rank: number) => number

/** The gain of nDCG@k: the discount of a rank, over the row's best possible sum of discounts. */
export function discountedGain(truth: LabelMatrix, k: number): Gain {
  const discounts = Float64Array.from({ length: k }, (_, rank) => 1 / Math.log2(rank + 2))
  const best = new Float64Array(k + 1)
  for (let i = 0; i < k; i++) best[i + 1] = best[i] + discounts[i]
  return (row, _label, rank) => discounts[rank] / best[Math.min(k, labelCount(truth, row))]
}

/** The gains of all true labels on the first k places of all rows. */
export function sumHits(truth: LabelMatrix, ranked: RankedLabels, k: number, gain: Gain): number {
  let sum = 0
  forEachHit(truth, ranked, k, (row, label, rank) => {
    sum += gain(row, label, rank)
  })
  return sum
}

function forEachHit(
  truth: LabelMatrix,
  ranked: RankedLabels,
  k: number,
  visit: (...hit: Parameters<Gain>) => void,
): void {
  for (let row = 0; row < truth.rows; row++) {
    const places = Math.min(k, ranked.counts[row])
    for (let rank = 0; rank < places; rank++) {
      const label = ranked.labels[row * ranked.top + rank]
      if (carries(truth, row, label)) visit(row, label, rank)
    }
  }
}

/** Refuses rankings that cannot be those of the rows of `truth`, or that were cut before k. */
export function checkRanked(truth: LabelMatrix, ranked: RankedLabels, k: number): void {
  checkCut(k)
  checkLabelMatrix('truth', truth)
  checkRankedParts(ranked)
  checkSameCount('rows', truth.rows, ranked.rows)
  if (ranked.top < Math.min(k, truth.columns)) {
    const message = `the rankings hold ${ranked.top} labels per row, but a measure at ${k} needs ${k}`
    throw new EngineError('DIMENSION_MISMATCH', message, { hint: `Predict with top: ${k} or more.` })
  }
  const { rows, top, labels, counts } = ranked
  if (counts.length !== rows || labels.length < rows * top || counts.some(count => count > top)) {
    const given = `${counts.length} counts and ${labels.length} labels`
    throw new EngineError('DIMENSION_MISMATCH', `${rows} rankings of up to ${top} labels do not fit ${given}`)
  }
  for (let row = 0; row < rows; row++) checkLabels(truth, row, labels.subarray(row * top, row * top + counts[row]))
}

function checkLabels(truth: LabelMatrix, row: number, labels: Uint32Array): void {
  for (const label of labels) {
    if (label < truth.columns) continue
    const message = `row ${row} has the predicted label ${label}, but the truth has labels 0 to ${truth.columns - 1}`
    throw new EngineError('DIMENSION_MISMATCH', message, { hint: 'Number the labels the same way in both.' })
  }
}

/** How many labels a row has. */
export function labelCount({ offsets }: LabelMatrix, row: number): number {
  return offsets[row + 1] - offsets[row]
}

/** Whether the row has the label: a binary search, as labels ascend. */
function carries({ offsets, indices }: LabelMatrix, row: number, label: number): boolean {
  let from = offsets[row]
  let to = offsets[row + 1]
  while (from < to) {
    const middle = Math.floor((from + to) / 2)
    if (indices[middle] < label) from = middle + 1
    else to = middle
  }
  return from < offsets[row + 1] && indices[from] === label
}
