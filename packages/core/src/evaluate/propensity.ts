// Measures in which rare labels weigh more: each hit counts 1 / p, with p the label's propensity, the modeled chance that a
// true label was noticed and written down (Jain, Prabhu, Varma 2016). As in the extreme classification repository's
// scripts, the sum over the rows is divided by the best sum any ranking could have on them: a perfect ranking gives 1.

import { EngineError } from '../errors.ts'
import { checkNumbers } from '../matrix/checks.ts'
import type { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkFunction, checkNumber, checkObject, checkOptions, checkWhole, optionTable } from '../options.ts'
import type { RankedLabels } from './predictions.ts'
import { checkRanked, discountedGain, type Gain, sumHits } from './ranking.ts'

/** How a label's frequency becomes its propensity. */
export interface PropensityOptions {
  /** How fast propensity grows with a label's frequency: A in the paper. Default 0.55; for Amazon 0.6, Wikipedia 0.5. */
  readonly exponent?: number
  /** Added to each frequency: B in the paper. Default 1.5; for Amazon 2.6, Wikipedia 0.4. */
  readonly shift?: number
}

/** The defaults of `PropensityOptions`. */
export const propensityDefaults: Required<PropensityOptions> = Object.freeze({ exponent: 0.55, shift: 1.5 })

const propensityOptions = optionTable<PropensityOptions>({ exponent: checkAboveZero, shift: checkAboveZero })

/** What propensities are computed from: the number of training rows, and how many have each label. */
export type LabelFrequencies = Pick<LabelMatrix, 'rows' | 'counts'>

/** One propensity per label, from the labels of the training rows: 1 / (1 + C (n + B)^−A), C = (ln rows − 1) (B + 1)^A. */
export function labelPropensities(training: LabelFrequencies, options: PropensityOptions = {}): Float64Array {
  checkOptions(options, propensityOptions)
  const { exponent = propensityDefaults.exponent, shift = propensityDefaults.shift } = options
  checkObject('training', training, 'the labels of the training rows')
  checkWhole('training.rows', training.rows, 0, Number.MAX_SAFE_INTEGER)
  checkFunction('training.counts', training.counts)
  const missing = propensitiesMissing(training.rows)
  if (missing !== undefined) throw new EngineError('EMPTY_DATA', missing)
  const scale = (Math.log(training.rows) - 1) * (shift + 1) ** exponent
  return training.counts().map(count => 1 / (1 + scale * (count + shift) ** -exponent))
}

/** Why this many training rows are too few to compute propensities: below e rows the model's C is negative. */
export function propensitiesMissing(rows: number): string | undefined {
  return rows < 3 ? `propensities need at least 3 training rows, got ${rows}` : undefined
}

/** PSP@k. With equal propensities it is P@k over the best P@k these rows allow. */
export function propensityPrecisionAt(
  truth: LabelMatrix,
  ranked: RankedLabels,
  k: number,
  propensities: Float64Array,
): number {
  return shareOfBest(truth, ranked, k, propensities, () => 1)
}

/** PSnDCG@k: nDCG@k with propensity-weighted gains. */
export function propensityNdcgAt(
  truth: LabelMatrix,
  ranked: RankedLabels,
  k: number,
  propensities: Float64Array,
): number {
  checkRanked(truth, ranked, k)
  return shareOfBest(truth, ranked, k, propensities, discountedGain(truth, k))
}

function shareOfBest(
  truth: LabelMatrix,
  ranked: RankedLabels,
  k: number,
  propensities: Float64Array,
  gain: Gain,
): number {
  checkRanked(truth, ranked, k)
  checkPropensities(truth, propensities)
  const weighted: Gain = (row, label, rank) => gain(row, label, rank) / propensities[label]
  const best = sumHits(truth, bestRanking(truth, k, propensities), k, weighted)
  return best === 0 ? 0 : sumHits(truth, ranked, k, weighted) / best
}

/** The true labels themselves, the rarest first. */
function bestRanking(truth: LabelMatrix, k: number, propensities: Float64Array): RankedLabels {
  const { rows } = truth
  const labels = new Uint32Array(rows * k)
  const counts = new Uint32Array(rows)
  for (let row = 0; row < rows; row++) {
    const best = truth
      .row(row)
      .slice()
      .sort((a, b) => propensities[a] - propensities[b])
      .subarray(0, k)
    labels.set(best, row * k)
    counts[row] = best.length
  }
  return { rows, top: k, labels, scores: new Float32Array(rows * k), counts }
}

function checkPropensities(truth: LabelMatrix, propensities: Float64Array): void {
  checkNumbers('propensities', propensities, [Float64Array])
  if (propensities.length !== truth.columns) {
    const message = `${propensities.length} propensities for ${truth.columns} labels`
    throw new EngineError('DIMENSION_MISMATCH', message, {
      hint: 'Number the labels the same way for training and test.',
    })
  }
  const bad = propensities.findIndex(propensity => !(propensity > 0 && propensity <= 1))
  if (bad >= 0) throw new EngineError('BAD_DATA', `label ${bad} has propensity ${propensities[bad]}, expected (0, 1]`)
}

function checkAboveZero(name: string, value: unknown): void {
  checkNumber(name, value, number => number > 0 && number < Number.POSITIVE_INFINITY, 'a finite number above 0')
}
