// Table 2 of paper 003, with its methods as it defines them: no weights, its grids for k, α, β and λ, options chosen by 10-fold
// cross-validation on the training rows for each measure, one threshold by label cardinality in two passes.
//   node tools/run.mjs bench/lcif-paper.ts --data <folder of xmc sets> [--sets bibtex,imdb]
// Options are climbed one at a time, twice. The instance and the feature method are LCIF with λ of 1 and 0, so that what is best
// on the training rows is found by either of the three climbs. Each set runs in a process of its own.

import {
  type Dataset,
  evaluateClassifier,
  LcifClassifier,
  type LcifMethod,
  lcifPaperGrid,
  type MetricName,
} from '@vicinal/core'
import { isBetter } from '@vicinal/core/internals'
import { loadSet } from './label-sets.ts'
import { eachSet, short } from './measure.ts'

const sets = ['medical', 'corel5k', 'bibtex', 'delicious', 'imdb']
const metrics = ['accuracy', 'microF1', 'macroF1Mulan', 'hammingLoss'] as const satisfies readonly MetricName[]
const methods = ['instance', 'feature', 'lcif'] as const satisfies readonly LcifMethod[]
const folds = 10

/** The measure of a method that was tuned for it on the training rows. */
async function reach(train: Dataset, test: Dataset, method: LcifMethod, metric: MetricName) {
  const begin = performance.now()
  const { classifier, options, value } = await LcifClassifier.tune(train, {
    ...{ method, metric, folds, grid: lcifPaperGrid, scoredRows: test.rows },
    ...{ weighting: 'none', featureShare: 1, threshold: 'steps', thresholdFactor: 1, thresholdRows: train.rows },
  })
  const { metrics: measured } = await evaluateClassifier(classifier, test)
  classifier.free()
  const seconds = short((performance.now() - begin) / 1000)
  const { neighbors, neighborPower, featurePower, mix } = options
  const found = (measured as Record<string, number>)[metric] ?? Number.NaN // the metrics are among the measures
  return {
    ...{ method, metric, value: short(found), validated: short(value), seconds },
    options: { neighbors, neighborPower, featurePower, mix },
  }
}

type Reached = Awaited<ReturnType<typeof reach>>

/** What LCIF was climbed to, or one of its special cases if that was better on the training rows. */
function bestValidated(lcif: Reached, climbed: readonly Reached[]): Reached {
  const mixes = { instance: 1, feature: 0, lcif: lcif.options.mix }
  const rivals = climbed.filter(({ metric }) => metric === lcif.metric)
  const best = rivals.reduce((a, b) => (isBetter(lcif.metric, b.validated, a.validated) ? b : a), lcif)
  return { ...best, method: 'lcif', seconds: lcif.seconds, options: { ...best.options, mix: mixes[best.method] } }
}

async function measureSet(folder: string, name: string) {
  const { train, test } = await loadSet(folder, { name })
  const climbed: Reached[] = []
  for (const method of methods) for (const metric of metrics) climbed.push(await reach(train, test, method, metric))
  const measured = climbed.map(one => (one.method === 'lcif' ? bestValidated(one, climbed) : one))
  return { set: name, train: train.rows, test: test.rows, folds, measured }
}

await eachSet('lcif-paper', sets, measureSet)
