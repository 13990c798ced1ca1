// The search of tuneLcif: ways of reading rows first, each with its best power; then fewer features; then all options one at a
// time, pass after pass. A point is never computed twice.

import { sparingly } from '../../data/bytes/sparing-progress.ts'
import { assert, throwIfAborted } from '../../errors.ts'
import type { MetricName } from '../../evaluate/metrics.ts'
import type { RankedLabels } from '../../evaluate/predictions.ts'
import { chooseThresholds, type Thresholds } from '../../evaluate/thresholds.ts'
import type { LongWork, Progress } from '../../long-work.ts'
import { inTurns } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { FitContext } from '../fit-context.ts'
import { rankedLabels } from '../rankings.ts'
import type { TrainingData } from '../training-data.ts'
import { isRankingMetric, TuningGoal } from '../tuning/goal.ts'
import type { TunedPoint, TuningResult } from '../tuning/result.ts'
import type { Split } from '../tuning/splits.ts'
import { suitableStart } from '../weights/start-weights.ts'
import { mixOf } from './model.ts'
import type { LcifOptions, LcifSettings } from './options.ts'
import { triesFeatures } from './parts.ts'
import { Trial } from './trial.ts'
import { firstOf, type LcifGrid } from './tuning-grid.ts'
import * as plan from './tuning-plan.ts'

export interface TuningTask {
  readonly data: TrainingData
  /** How rows are held out. */
  readonly splits: readonly Split[]
  /** The options the caller has given, and all options with them. */
  readonly fixed: LcifOptions
  readonly settings: LcifSettings
  /** Values to try, given by the caller. */
  readonly grid: LcifGrid
  readonly metric: MetricName
  readonly scoredRows: number | undefined
  readonly place: FitContext
  readonly work: LongWork
}

/** The best so far, and the trial it was found in. */
interface Best {
  readonly point: plan.TuningPoint
  readonly value: number
  readonly trial: Trial
}

const passes = 2

export class LcifTuner {
  readonly #task: TuningTask
  readonly #goal: TuningGoal
  readonly #axes: readonly plan.Axis[]
  readonly #report: (progress: Progress) => void
  readonly #table: TunedPoint<LcifOptions>[] = []
  /** Scores of the points tried, by their options. */
  readonly #known = new Map<string, number>()
  #ranked: { readonly key: string; readonly ranked: RankedLabels } | undefined
  /** Number of points to try, if known. */
  #total = 0

  constructor(task: TuningTask) {
    const { data, splits, metric, fixed, grid, settings } = task
    const truth = data.labels.select(splits.flatMap(({ queries }) => [...queries]))
    this.#task = task
    this.#report = sparingly(task.work.onProgress)
    this.#goal = new TuningGoal(metric, truth, data.labels, task.scoredRows ?? truth.rows)
    const features = triesFeatures(settings, data.features, data.labels)
    this.#axes = plan.planAxes(fixed, grid, { features, sets: !isRankingMetric(metric) })
  }

  async run(): Promise<TuningResult<LcifOptions>> {
    let best = await this.#chooseReading()
    if (this.#dropsFeatures) best = await this.#dropFeatures(best)
    for (let pass = 0; pass < passes; pass++) best = await this.#climb(best, this.#axes)
    this.#report({ what: 'tuning', done: this.#total, total: this.#total })
    return { options: this.#optionsOf(best.point), value: best.value, table: this.#table }
  }

  get #dropsFeatures(): boolean {
    const { fixed, data } = this.#task
    return fixed.featureShare === undefined && !(data.features instanceof DenseMatrix)
  }

  async #chooseReading(): Promise<Best> {
    const { fixed, grid, data, settings, splits } = this.#task
    const readings =
      data.features instanceof DenseMatrix
        ? plan.planSpaces(fixed, trialRows(data.features, splits))
        : plan.planWeightings(fixed, suitableStart(data.features) === 'chi2')
    const powers = plan.powerAxis(fixed, grid)
    this.#total = readings.length * (1 + points(powers)) + passes * points(this.#axes) + Number(this.#dropsFeatures)
    let best: Best | undefined
    for (const reading of readings) {
      const found = await this.#climb(
        await this.#enter({ ...reading, ...plan.pointOf(settings), ...firstOf(grid) }),
        powers,
      )
      if (this.#goal.improves(found.value, best?.value)) best = found
    }
    assert(best !== undefined, 'there is no way of reading rows to try')
    return best
  }

  /** Fewer features, as long as that is better. */
  async #dropFeatures(from: Best): Promise<Best> {
    let best = from
    for (const featureShare of plan.featureShares) {
      const found = await this.#enter({ ...best.point, featureShare })
      if (!this.#goal.improves(found.value, best.value)) break
      best = found
      this.#total++
    }
    return best
  }

  /** A new trial for the point: other weights or features have other neighbors. */
  async #enter(point: plan.TuningPoint): Promise<Best> {
    const { data, splits, settings, grid, place, work } = this.#task
    const { weighting, featureShare, distance = 'auto', scaling = 'auto' } = point
    const trial = await Trial.prepare(data.features, data.labels, splits, {
      ...{ settings: { ...settings, weighting, featureShare, distance, scaling }, k: plan.mostNeighbors(grid, point) },
      ...{ ...place, ...(work.signal && { signal: work.signal }) },
    })
    return { point, trial, value: await this.#try(trial, point) }
  }

  /** Takes the best value of every axis, one axis after the other. */
  async #climb(from: Best, axes: readonly plan.Axis[]): Promise<Best> {
    let best = from
    for (const axis of axes) {
      const { point, trial } = best
      for (const step of axis) {
        const next = { ...point, ...step }
        const value = await this.#try(trial, next)
        if (this.#goal.improves(value, best.value)) best = { point: next, value, trial }
      }
    }
    return best
  }

  async #try(trial: Trial, point: plan.TuningPoint): Promise<number> {
    const key = JSON.stringify(point)
    const known = this.#known.get(key)
    if (known !== undefined) return known
    throwIfAborted(this.#task.work.signal)
    const value = await this.#valueOf(trial, point)
    this.#known.set(key, value)
    this.#table.push({ options: this.#optionsOf(point), value })
    this.#report({ what: 'tuning', done: Math.min(this.#table.length, this.#total), total: this.#total })
    await breathe()
    return value
  }

  async #valueOf(trial: Trial, point: plan.TuningPoint): Promise<number> {
    const ranked = await this.#rank(trial, point)
    const thresholds = isRankingMetric(this.#goal.metric) ? undefined : thresholdsOf(point, ranked, trial)
    return this.#goal.valueOf(ranked, thresholds, this.#task.settings.allowEmpty)
  }

  /** Points that differ in their thresholds alone share the scores. */
  async #rank(trial: Trial, point: plan.TuningPoint): Promise<RankedLabels> {
    const { threshold: _, thresholdFactor: __, thresholdTrust: ___, ...scored } = point
    const key = JSON.stringify(scored)
    if (this.#ranked?.key === key) return this.#ranked.ranked
    const mix = mixOf({ method: this.#task.settings.method, mix: point.mix })
    const steps = trial.rank({ ...point, mix }, rankedLabels(this.#task.data.labels))
    const ranked = await inTurns(steps, { signal: this.#task.work.signal })
    this.#ranked = { key, ranked }
    return ranked
  }

  #optionsOf(point: plan.TuningPoint): LcifOptions {
    return { ...this.#task.fixed, ...point }
  }
}

/** The rows that models are fitted on: all of them in the end, and those of each split. */
function trialRows(features: DenseMatrix, splits: readonly Split[]): DenseMatrix[] {
  return [features, ...splits.flatMap(({ training }) => (training ? [features.select(training)] : []))]
}

function thresholdsOf(point: plan.TuningPoint, ranked: RankedLabels, { truth }: Trial): Thresholds {
  const { threshold, thresholdFactor: factor, thresholdTrust: trust } = point
  if (typeof threshold === 'number') return { single: threshold }
  return chooseThresholds(threshold, ranked, truth, { factor, trust })
}

function points(axes: readonly plan.Axis[]): number {
  return axes.reduce((sum, axis) => sum + axis.length, 0)
}

/** Lets the event loop run, so that signals arrive and progress bars are drawn. */
function breathe(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0))
}
