// Finds the options of ForestClassifier that suit the data by one measure, on the training rows alone: some of them are held out,
// smaller forests are grown on the others, first with what shapes trees, one option after the other, then the best one is read in
// different ways, which costs no growing.

import { sparingly } from '../../data/bytes/sparing-progress.ts'
import { type Dataset, selectRows } from '../../data/dataset.ts'
import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { assert, EngineError, throwIfAborted } from '../../errors.ts'
import { checkMetricName, type MetricName } from '../../evaluate/metrics.ts'
import type { RankedLabels } from '../../evaluate/predictions.ts'
import { chooseThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { Progress } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { checkedLater, checkWhole, optionTable } from '../../options.ts'
import { Random } from '../../random.ts'
import { itemsOf } from '../items.ts'
import { type FitOptions, fitChecks } from '../options.ts'
import { rankedLabels } from '../rankings.ts'
import { readItems } from '../reading/item-reader.ts'
import { isDenseData } from '../reading/vector-layout.ts'
import { checkTraining } from '../training-data.ts'
import { isRankingMetric, TuningGoal } from '../tuning/goal.ts'
import type { TunedPoint, TuningResult } from '../tuning/result.ts'
import { holdOut } from '../tuning/splits.ts'
import { thresholdAxis } from '../tuning/threshold-axis.ts'
import { fitForest } from './fit.ts'
import { assembleForest, type ForestModel, freeForest, readingOf, scalesOf } from './model.ts'
import { type ForestClassifierOptions, type ForestClassifierSettings, resolveForestOptions } from './options.ts'

/** Options of `ForestClassifier.tune`. Options you set are kept; the others are tuned. */
export interface ForestTuningOptions extends ForestClassifierOptions, FitOptions {
  /** What to improve. */
  readonly metric: MetricName
  /** How many rows to hold out and predict; at most a third of all. Default 5,000. */
  readonly sample?: number
  /** Trees to grow while tuning, at most as many as in the end. Default 20. */
  readonly tuningTrees?: number
}

type Point = Partial<ForestClassifierSettings>

const tuningOptions = optionTable<Omit<ForestTuningOptions, keyof ForestClassifierOptions>>({
  ...{ metric: checkedLater, sample: checkedLater, tuningTrees: checkedLater },
  ...fitChecks,
})

/** Options that shape trees: every value needs its own forest. */
const leafSizes: readonly Point[] = [{ leafSize: 4 }, { leafSize: 20 }]
const weightings: readonly Point[] = [{ weighting: 'none' }, { weighting: 'idf' }, { weighting: 'chi2' }]
/** How leaves are read. */
const readings: readonly (readonly Point[])[] = [
  [1, 2, 4].flatMap(blendPower => [0.25, 0.5, 0.75].map(blend => ({ blend, blendPower }))),
  [{ probes: 10 }, { probes: 50 }],
  [{ tailLift: 0.25 }, { tailLift: 0.5 }, { tailLift: 1 }],
]

export async function tuneForest(
  items: LabeledItems,
  options: ForestTuningOptions,
): Promise<TuningResult<ForestClassifierOptions>> {
  const settings = resolveForestOptions(options, tuningOptions)
  const { metric, sample = 5000, tuningTrees = 20, threads, engine, signal, onProgress, ...fixed } = options
  const dataset = await labeledInTurns(items, options)
  checkWhole('sample', sample, 1, 2 ** 32)
  checkWhole('tuningTrees', tuningTrees, 1, 2 ** 32)
  const place = { ...(threads !== undefined && { threads }), ...(engine && { engine }), signal }
  const tuner = new ForestTuner(
    dataset,
    checkMetricName(metric),
    { fixed, settings, sample, tuningTrees, place },
    sparingly(onProgress),
  )
  return tuner.run()
}

interface Plan {
  readonly fixed: ForestClassifierOptions
  readonly settings: ForestClassifierSettings
  readonly sample: number
  readonly tuningTrees: number
  readonly place: FitOptions
}

/** The best so far, and the forest it was found with. */
interface Best {
  readonly point: Point
  readonly value: number
  readonly model: ForestModel
}

class ForestTuner {
  readonly #plan: Plan
  readonly #training: Dataset
  readonly #heldOut: Dataset
  readonly #truth: LabelMatrix
  readonly #trainingLabels: LabelMatrix
  readonly #goal: TuningGoal
  readonly #report: (progress: Progress) => void
  readonly #table: TunedPoint<ForestClassifierOptions>[] = []
  readonly #total: number
  readonly #shapes: readonly (readonly Point[])[]
  /** Forests that are in memory. */
  readonly #models = new Set<ForestModel>()

  constructor(dataset: Dataset, metric: MetricName, plan: Plan, report: (progress: Progress) => void) {
    const labels = checkTraining(dataset)
    if (dataset.rows < 3) throw new EngineError('EMPTY_DATA', `tuning needs at least 3 rows, got ${dataset.rows}`)
    const [split] = holdOut(dataset.rows, plan.sample, new Random(plan.settings.seed))
    assert(split.training !== undefined, 'some rows are held out')
    this.#plan = plan
    this.#training = selectRows(dataset, split.training)
    this.#heldOut = selectRows(dataset, split.queries)
    this.#truth = labels.select(split.queries)
    this.#trainingLabels = labels.select(split.training)
    this.#goal = new TuningGoal(metric, this.#truth, labels, this.#truth.rows)
    this.#report = report
    // For dense rows, distance and scaling are chosen by `fit` itself.
    this.#shapes = isDenseData(dataset) ? [leafSizes] : [weightings, leafSizes]
    this.#total = 1 + [...this.#open(this.#shapes), ...this.#readingAxes()].flat().length
  }

  async run(): Promise<TuningResult<ForestClassifierOptions>> {
    try {
      let best = await this.#grow({})
      for (const axis of this.#open(this.#shapes)) best = await this.#climbShapes(best, axis)
      for (const axis of this.#readingAxes()) best = await this.#climbReadings(best, axis)
      return { options: this.#optionsOf(best.point), value: best.value, table: this.#table }
    } finally {
      for (const model of this.#models) freeForest(model)
    }
  }

  #drop(model: ForestModel): void {
    this.#models.delete(model)
    freeForest(model)
  }

  /** The options the caller left open, without values that are tried anyway. */
  #open(axes: readonly (readonly Point[])[]): (readonly Point[])[] {
    const { fixed, settings } = this.#plan
    const isOpen = ([name]: [string, unknown]) => fixed[name as keyof Point] === undefined
    const isNew = (point: Point) =>
      Object.entries(point).some(([name, value]) => settings[name as keyof Point] !== value)
    const points = (axis: readonly Point[]) => {
      const open = axis.map(point => JSON.stringify(Object.fromEntries(Object.entries(point).filter(isOpen))))
      return [...new Set(open)].map(point => JSON.parse(point) as Point).filter(isNew)
    }
    return axes.map(points).filter(axis => axis.length > 0)
  }

  #readingAxes(): (readonly Point[])[] {
    const sets = !isRankingMetric(this.#goal.metric)
    return [...this.#open(readings), ...(sets ? thresholdAxis(this.#plan.fixed) : [])]
  }

  async #grow(point: Point): Promise<Best> {
    const { settings, tuningTrees, place } = this.#plan
    const trees = Math.min(settings.trees, tuningTrees)
    // The thresholds are chosen on the rows held out: none are needed here.
    const parts = await fitForest(this.#training, { ...settings, ...point, trees, threshold: 0, ...place })
    const model = assembleForest(parts)
    this.#models.add(model)
    return { point, model, value: await this.#try(model, point) }
  }

  async #climbShapes(from: Best, axis: readonly Point[]): Promise<Best> {
    let best = from
    for (const step of axis) {
      const found = await this.#grow({ ...from.point, ...step })
      const isBetter = this.#goal.improves(found.value, best.value)
      this.#drop(isBetter ? best.model : found.model)
      if (isBetter) best = found
    }
    return best
  }

  async #climbReadings(from: Best, axis: readonly Point[]): Promise<Best> {
    let best = from
    for (const step of axis) {
      const point = { ...from.point, ...step }
      const value = await this.#try(from.model, point)
      if (this.#goal.improves(value, best.value)) best = { point, value, model: from.model }
    }
    return best
  }

  async #try(model: ForestModel, point: Point): Promise<number> {
    throwIfAborted(this.#plan.place.signal)
    const settings = { ...this.#plan.settings, ...point }
    const ranked = await this.#rank(model, settings)
    const thresholds = isRankingMetric(this.#goal.metric) ? undefined : thresholdsOf(settings, ranked, this.#truth)
    const value = this.#goal.valueOf(ranked, thresholds, settings.allowEmpty)
    this.#table.push({ options: this.#optionsOf(point), value })
    this.#report({ what: 'tuning', done: this.#table.length, total: this.#total })
    return value
  }

  async #rank(model: ForestModel, settings: ForestClassifierSettings): Promise<RankedLabels> {
    const labelScales = scalesOf(this.#trainingLabels, settings.tailLift)
    const { threads, signal } = this.#plan.place
    const work = { ...(threads !== undefined && { threads }), signal }
    return model.scores.scoreBatch(
      this.#asked(model),
      rankedLabels(this.#trainingLabels),
      readingOf({ settings, labelScales }),
      work,
    )
  }

  /** The held-out rows, as the model sees them. */
  #asked(model: ForestModel): SparseMatrix {
    return readItems(model, itemsOf(this.#heldOut, { takesTexts: model.pipeline !== undefined }))
  }

  #optionsOf(point: Point): ForestClassifierOptions {
    return { ...this.#plan.fixed, ...point }
  }
}

function thresholdsOf(settings: ForestClassifierSettings, ranked: RankedLabels, truth: LabelMatrix): Thresholds {
  const { threshold, thresholdFactor: factor, thresholdTrust: trust } = settings
  if (typeof threshold === 'number') return { single: threshold }
  return chooseThresholds(threshold, ranked, truth, { factor, trust })
}
