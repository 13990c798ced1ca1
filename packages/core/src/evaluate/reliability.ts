// Whether scores mean what they seem to: suggestions grouped by their score, and the share of each group that is right.

import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkWhole } from '../options.ts'
import { checkLabelMatrix, checkRankedParts, checkSameCount } from './checks.ts'
import type { RankedLabels } from './predictions.ts'

/** Suggestions whose scores are alike. */
export interface ReliabilityBin {
  /** Scores from here on … */
  readonly from: number
  /** … to below this; the last bin includes it. */
  readonly to: number
  /** How many suggestions there are. */
  readonly count: number
  readonly meanScore: number
  /** The share of them that is right. If scores are probabilities, it is near `meanScore`. */
  readonly right: number
}

/** Every ranked label counts. Bins are equally wide, from 0 to 1 or as far as the scores reach; empty ones are left out. */
export function reliabilityBins(truth: LabelMatrix, ranked: RankedLabels, bins = 10): ReliabilityBin[] {
  checkLabelMatrix('truth', truth)
  checkRankedParts(ranked)
  checkSameCount('rows', truth.rows, ranked.rows)
  checkWhole('bins', bins, 1, 1000)
  const [low, high] = scoreRange(ranked)
  const sums = Array.from({ length: bins }, () => ({ count: 0, scores: 0, right: 0 }))
  forEachSuggestion(ranked, (row, label, score) => {
    const bin = Math.min(bins - 1, Math.floor(((score - low) / (high - low)) * bins))
    const sum = sums[bin]
    sum.count++
    sum.scores += score
    if (truth.row(row).includes(label)) sum.right++
  })
  const edge = (bin: number) => low + ((high - low) * bin) / bins
  return sums.flatMap(({ count, scores, right }, bin) => {
    if (count === 0) return []
    return [{ from: edge(bin), to: edge(bin + 1), count, meanScore: scores / count, right: right / count }]
  })
}

function scoreRange(ranked: RankedLabels): [low: number, high: number] {
  let [low, high] = [0, 1]
  forEachSuggestion(ranked, (_row, _label, score) => {
    low = Math.min(low, score)
    high = Math.max(high, score)
  })
  return [low, high]
}

function forEachSuggestion(
  { rows, top, labels, scores, counts }: RankedLabels,
  visit: (row: number, label: number, score: number) => void,
): void {
  for (let row = 0; row < rows; row++) {
    for (let at = row * top; at < row * top + counts[row]; at++) visit(row, labels[at], scores[at])
  }
}
