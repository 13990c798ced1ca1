// Which weighting suits the rows: none, chi², or learned. Weights learned from few rows may overfit, so
// they are cross-validated: a weighting replaces a simpler one only if its mean gain is larger than the standard error of that
// gain. Folds are added until the answer is clear. Large data needs none of this: learning holds some rows out by itself
// (label/weights/weight-rounds.ts), and chance plays no role.

import type { RankedLabels } from '../../evaluate/predictions.ts'
import { discountedGain, labelCount, sumHits } from '../../evaluate/ranking.ts'
import type { LongWork } from '../../long-work.ts'
import { inTurns } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import type { FitContext } from '../fit-context.ts'
import type { Weighting } from '../options.ts'
import { crossValidate, type Split } from '../tuning/splits.ts'
import { mixOf } from './model.ts'
import type { LcifSettings } from './options.ts'
import { type Features, Trial } from './trial.ts'

/** Simplest first. */
const candidates = ['none', 'chi2', 'learned'] as const satisfies readonly Weighting[]

/** With more rows weights are always learned. */
const manyRows = 20_000
/** At most this many rows are compared. Each fold learns weights from as many. */
const comparedRows = 5000
const folds = 5
/** No more folds after this many predicted rows: the spread is small then. */
const enoughRows = 2000
/** Nor when the best is ahead of all others by this many standard errors. */
const clearErrors = 2
/** Weightings are compared by nDCG at this cut. It emphasizes the first labels, with less spread than P@1. */
const cut = 5

export async function chooseWeighting(
  features: Features,
  labels: LabelMatrix,
  settings: LcifSettings,
  place: FitContext & LongWork,
): Promise<Weighting> {
  // Dense columns are scaled, not weighted.
  if (features instanceof DenseMatrix) return 'none'
  if (features.rows > manyRows) return 'learned'
  const random = new Random(settings.seed)
  const compared = random.sample(features.rows, Math.min(features.rows, comparedRows))
  const [rows, rowLabels] = [features.select(compared), labels.select(compared)]
  if (rows.rows < 2) return 'none'
  const comparison = new Comparison()
  for (const split of crossValidate(rows.rows, Math.min(folds, rows.rows), random)) {
    const values: Float64Array[] = []
    for (const weighting of candidates) {
      values.push(await rowValues(rows, rowLabels, split, { ...settings, weighting }, place))
    }
    comparison.add(values)
    if (comparison.rows >= enoughRows || comparison.isClear) break
  }
  return candidates[comparison.best]
}

/** The metric of each labeled row of the split, with the weighting of the settings. */
async function rowValues(
  features: SparseMatrix,
  labels: LabelMatrix,
  split: Split,
  settings: LcifSettings & { readonly weighting: Weighting },
  { engine, threads, signal }: FitContext & LongWork,
): Promise<Float64Array> {
  const { neighbors, featurePower, neighborPower } = settings
  const place = { engine, threads, ...(signal && { signal }) }
  const trial = await Trial.prepare(features, labels, [split], { settings, k: neighbors, ...place })
  const options = { neighbors, neighborPower, featurePower, mix: mixOf(settings) }
  const ranked = await inTurns(trial.rank(options, cut), { signal })
  return labeledValues(trial.truth, ranked)
}

function labeledValues(truth: LabelMatrix, ranked: RankedLabels): Float64Array {
  const values = new Float64Array(truth.rows)
  const gain = discountedGain(truth, cut)
  sumHits(truth, ranked, cut, (row, label, rank) => {
    values[row] += gain(row, label, rank)
    return 0
  })
  return values.filter((_, row) => labelCount(truth, row) > 0)
}

/** The metric on the same rows with several weightings, simplest first. */
export class Comparison {
  readonly #values: number[][] = []

  /** The metric of more rows, one list per weighting. */
  add(values: readonly Float64Array[]): void {
    values.forEach((list, candidate) => {
      this.#values[candidate] ??= []
      this.#values[candidate].push(...list)
    })
  }

  get rows(): number {
    return this.#values[0]?.length ?? 0
  }

  /** The candidate that no more complicated one beats by more than a standard error. */
  get best(): number {
    return this.#values.reduce((best, _, candidate) => {
      const { mean, error } = this.#gain(best, candidate)
      return mean > error ? candidate : best
    }, 0)
  }

  /** Whether more rows would hardly change the best. */
  get isClear(): boolean {
    const { best } = this
    return this.#values.every((_, candidate) => {
      if (candidate === best) return true
      const { mean, error } = this.#gain(candidate, best)
      return mean > clearErrors * error
    })
  }

  /** What the rows gain on average by the second candidate, and its standard error. */
  #gain(from: number, to: number): { mean: number; error: number } {
    const gains = this.#values[to].map((value, row) => value - this.#values[from][row])
    const mean = gains.reduce((sum, gain) => sum + gain, 0) / gains.length
    const squares = gains.reduce((sum, gain) => sum + (gain - mean) ** 2, 0)
    return { mean, error: Math.sqrt(squares / Math.max(1, gains.length - 1) / gains.length) }
  }
}
