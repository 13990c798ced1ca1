// Fits LcifClassifier: texts or vectors → rows as the model reads them → index, labels of rows, labels of features → thresholds.

import { type LabeledItems, labeledInTurns } from '../../data/given/labeled.ts'
import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { defaultEngine } from '../../kernels/engine.ts'
import { inTurns, Pauses } from '../../long-work.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { wellFormed } from '../../store/packed-strings.ts'
import { LabelNames } from '../label-names.ts'
import type { FitOptions } from '../options.ts'
import { learnReader } from '../reading/learn-reader.ts'
import { FeatureLabels } from '../scores/feature-labels.ts'
import { sumPairs } from '../scores/pair-sums.ts'
import { RowLabels } from '../scores/row-labels.ts'
import { readTraining } from '../training-data.ts'
import { chooseWeighting } from './choose-weighting.ts'
import type { LcifParts } from './model.ts'
import { type LcifOptions, resolveLcifOptions } from './options.ts'
import { fitNeighbors, scoredFeatures, scoresFeatures } from './parts.ts'
import { fitThresholds } from './thresholds.ts'

export async function fitLcif(items: LabeledItems, options: LcifOptions & FitOptions): Promise<LcifParts> {
  const { threads, engine = defaultEngine(), signal, onProgress } = options
  const resolved = resolveLcifOptions(options)
  const work = { signal, onProgress }
  const place = { engine, threads, ...work }
  const dataset = await labeledInTurns(items, work)
  const training = await readTraining(dataset, resolved.text, work)
  const { pipeline, features, labels, labelNames } = training
  const names = new LabelNames(labelNames, training.dataset.vocabulary)
  const weighting =
    resolved.weighting === 'auto' ? await chooseWeighting(features, labels, resolved, place) : resolved.weighting
  const learned = await learnReader(training, { ...resolved, weighting, onlySeen: false }, { ...options }, place)
  const { reader, rows, sharpness } = learned
  const pauses = new Pauses(work)
  const settings = Object.freeze({
    ...{ ...resolved, weighting, ...learned.chosen },
    mix: options.mix ?? (reader.space ? 1 : resolved.mix),
  })
  const neighborPower = settings.neighborPower === 'learned' ? sharpness : settings.neighborPower
  const { neighbors, seed } = settings
  const index = await fitNeighbors(reader, rows, { ...place, ids: dataset.ids, neighbors, seed })
  const arrays = new CopyOnWriteArrays(engine)
  try {
    const scored = scoresFeatures(settings, reader) ? scoredFeatures(reader, rows) : undefined
    const pairs = scored && sumPairs(scored.featureRows(rows), labels, settings.featureLabelBudget)
    const sums = pairs && (await inTurns(pairs, work))
    const featureRows = (some: SparseMatrix) => scored?.featureRows(some) ?? some
    await pauses.rest()
    const thresholds = await fitThresholds({ settings, neighborPower, rows, labels, index, sums, featureRows }, place)
    return {
      ...{ settings, ...reader, featureNames: pipeline ? undefined : dataset.featureNames, labelNames: names },
      ...{ neighborPower, thresholds, index, arrays, denseFeatures: scored?.denseFeatures },
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
