// Fits LcifClassifier: texts → features → weights → rows of length 1 → index, labels of rows, labels of features → thresholds.

import type { Dataset } from '../data/dataset.ts'
import { defaultEngine, type Engine } from '../kernels/engine.ts'
import type { LongWork } from '../progress.ts'
import { InvertedIndex } from '../search/inverted-index.ts'
import { wellFormed } from '../store/packed-strings.ts'
import { FeatureLabels } from './feature-labels.ts'
import { KeptArrays } from './kept-arrays.ts'
import { LabelNames } from './label-names.ts'
import type { LcifParts } from './lcif-model.ts'
import { type LcifOptions, resolveLcifOptions } from './lcif-options.ts'
import { fitThresholds } from './lcif-thresholds.ts'
import { sumPairs } from './pair-sums.ts'
import { RowLabels } from './row-labels.ts'
import { readTraining } from './training-data.ts'
import { chooseWeights, weighRows } from './weighted-rows.ts'

/** How fitting works, beside what it makes. */
export interface FitOptions extends LongWork {
  /** Worker threads. Default: one per core. The model does not depend on it. */
  readonly threads?: number
  /** Whose memory the model lives in. Default: the shared engine. */
  readonly engine?: Engine
}

export async function fitLcif(dataset: Dataset, options: LcifOptions & FitOptions): Promise<LcifParts> {
  const { threads, engine = defaultEngine(), signal, onProgress } = options
  const settings = resolveLcifOptions(options)
  const work = { signal, onProgress }
  const place = { engine, threads, ...work }
  const { pipeline, features, labels, labelNames } = readTraining(dataset, settings.text, work)
  const names = new LabelNames(labelNames)
  const { weights, sharpness } = await chooseWeights(features, labels, settings, place)
  const neighborPower = settings.neighborPower === 'learned' ? sharpness : settings.neighborPower
  const rows = weighRows(features, weights)
  const ids = dataset.ids ? { ids: dataset.ids } : {}
  const index = await InvertedIndex.fit(rows, { metric: 'dot', engine, ...ids, ...work })
  const arrays = new KeptArrays(engine)
  try {
    const sums = settings.method === 'instance' ? undefined : sumPairs(rows, labels, settings.featureLabelBudget)
    const thresholds = await fitThresholds({ settings, neighborPower, rows, labels, index, sums }, place)
    return {
      ...{ settings, pipeline, featureNames: pipeline ? undefined : dataset.featureNames, labelNames: names },
      ...{ weights, neighborPower, thresholds, index, arrays },
      rowLabels: new RowLabels(arrays, labels),
      featureLabels: sums && new FeatureLabels(arrays, sums, settings.featurePower),
      texts: settings.keepTexts && dataset.texts ? dataset.texts.map(wellFormed) : undefined,
    }
  } catch (error) {
    index.free()
    arrays.free()
    throw error
  }
}
