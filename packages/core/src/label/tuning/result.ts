// The result of tuning.

import type { Dataset } from '../../data/dataset.ts'
import type { Classifier } from '../classifier.ts'
import type { FitOptions } from '../options.ts'

/** A set of options that was tried, and its score. */
export interface TunedPoint<Options extends object = object> {
  readonly options: Options
  readonly value: number
}

/** The best options, and everything that was tried. */
export interface TuningResult<Options extends object = object> extends TunedPoint<Options> {
  /** All that was tried, in order. */
  readonly table: readonly TunedPoint<Options>[]
}

/** What `tune` returns: the best options, and a classifier fitted with them on all rows. */
export interface Tuned<Options extends object, Model extends Classifier> extends TuningResult<Options> {
  readonly classifier: Model
}

/** Fits on all rows with the options found, in the same engine as the tuning. */
export async function fitTuned<Options extends object, Model extends Classifier>(
  dataset: Dataset,
  result: TuningResult<Options>,
  { threads, engine, signal, onProgress }: FitOptions,
  fit: (dataset: Dataset, options: Options & FitOptions) => Promise<Model>,
): Promise<Tuned<Options, Model>> {
  const place = { ...(threads !== undefined && { threads }), ...(engine && { engine }), signal, onProgress }
  return { ...result, classifier: await fit(dataset, { ...result.options, ...place }) }
}
