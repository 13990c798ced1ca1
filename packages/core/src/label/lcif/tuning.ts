// Finds the options that suit the data by one measure, on the training rows alone: rows are asked about as if the model had
// never seen them (see trial.ts), and options are tried one at a time (see tuning-plan.ts), in two passes.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { EngineError } from '../../errors.ts'
import { checkMetricName, type MetricName } from '../../evaluate/metrics.ts'
import { defaultEngine } from '../../kernels/engine.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { checkedLater, checkWhole, optionTable } from '../../options.ts'
import { Random } from '../../random.ts'
import { type FitOptions, fitChecks } from '../options.ts'
import { refuseDenseOptions, refuseSparseOptions } from '../reading/vector-options.ts'
import { readTraining } from '../training-data.ts'
import type { TuningResult } from '../tuning/result.ts'
import { crossValidate, holdOut, leaveOneOut, type Split } from '../tuning/splits.ts'
import { type LcifOptions, type LcifSettings, resolveLcifOptions } from './options.ts'
import { LcifTuner } from './tuner.ts'
import { checkGrid, type LcifGrid } from './tuning-grid.ts'
import { densePowers } from './tuning-plan.ts'

/** Options of `LcifClassifier.tune`. Options you set are kept; the others are tuned. */
export interface LcifTuningOptions extends LcifOptions, FitOptions {
  /** What to improve. */
  readonly metric: MetricName
  /** How many rows to evaluate on. Default 5,000. Time grows with it; with too few, chance decides. */
  readonly sample?: number
  /**
   * Hold out every row once, in this many folds. Default: 10 below 1,000 rows; 4 up to 20,000 rows if weights may be
   * learned, because these fit their own rows too well; without learning, each row is left out in turn. Above 20,000 rows a
   * sample is held out once.
   */
  readonly folds?: number
  /**
   * For macroF1Mulan: how many rows the sets will be measured on later. That measure counts a label that is neither true nor
   * predicted as found, so it depends on how many rows there are. Default: as many as are asked about.
   */
  readonly scoredRows?: number
  /** Values to try, by option, instead of ours. `lcifPaperGrid` has those of the LCIF paper. */
  readonly grid?: LcifGrid
}

const tuningOptions = optionTable<Omit<LcifTuningOptions, keyof LcifOptions>>({
  ...{ metric: checkedLater, sample: checkedLater, folds: checkedLater, scoredRows: checkedLater },
  grid: checkedLater,
  ...fitChecks,
})
const defaultSample = 5000
/** With fewer rows, more folds. */
const fewRows = 1000
const manyFolds = 10
const fewFolds = 4
/** With more rows, a sample is held out once. */
const manyRows = 20_000

export async function tuneLcif(items: LabeledItems, options: LcifTuningOptions): Promise<TuningResult<LcifOptions>> {
  const resolved = resolveLcifOptions(options, tuningOptions)
  const { metric, sample, folds, scoredRows, grid: given = {}, threads, engine, signal, onProgress, ...fixed } = options
  const dataset = await labeledInTurns(items, options)
  const checked = checkMetricName(metric)
  checkCounts({ sample, folds, scoredRows })
  checkGrid(given, fixed)
  const work = { signal, onProgress }
  const data = await readTraining(dataset, resolved.text, work)
  const dense = data.features instanceof DenseMatrix
  if (dense) refuseSparseOptions({ ...fixed })
  else refuseDenseOptions(resolved)
  const settings = dense ? { ...resolved, ...denseSettings(fixed, given) } : resolved
  const grid = dense && fixed.neighborPower === undefined ? { neighborPower: densePowers, ...given } : given
  const learns = !dense && ['auto', 'learned'].includes(resolved.weighting)
  const splits = splitRows(data.features.rows, { sample: sample ?? defaultSample, folds, learns, seed: settings.seed })
  const place = { engine: engine ?? defaultEngine(), threads }
  return new LcifTuner({ data, splits, fixed, settings, grid, metric: checked, scoredRows, place, work }).run()
}

/** As `fit` has them: the feature score counts only if requested. */
function denseSettings({ mix }: LcifOptions, grid: LcifGrid): Pick<LcifSettings, 'mix' | 'weighting'> {
  return { mix: mix ?? Math.min(1, ...(grid.mix ?? [])), weighting: 'none' }
}

interface SplitPlan {
  readonly sample: number
  readonly folds: number | undefined
  /** Whether weights may be learned. If so, rows must not be evaluated with weights learned from them. */
  readonly learns: boolean
  readonly seed: number
}

function splitRows(rows: number, { sample, folds, learns, seed }: SplitPlan): Split[] {
  if (rows < 2) throw new EngineError('EMPTY_DATA', `tuning needs at least 2 rows, got ${rows}`)
  const random = new Random(seed)
  if (folds !== undefined) return crossValidate(rows, Math.min(folds, rows), random)
  if (rows > manyRows) return holdOut(rows, sample, random)
  if (rows < fewRows) return crossValidate(rows, Math.min(manyFolds, rows), random)
  return learns ? crossValidate(rows, fewFolds, random) : leaveOneOut(rows, sample, random)
}

function checkCounts(counts: Record<string, number | undefined>): void {
  for (const [name, value] of Object.entries(counts)) {
    if (value !== undefined) checkWhole(name, value, name === 'folds' ? 2 : 1, 2 ** 32)
  }
}
