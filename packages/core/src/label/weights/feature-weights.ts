// Feature weights: one positive number per feature, learned so that a row's nearest neighbors under these weights have its labels. Rounds
// of two steps (weight-rounds.ts): find the nearest rows under the weights so far, then move the weights along the gradient of the
// leave-one-out loss. The result depends on the seed only, not on threads.

import { Pauses } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import { filledRows } from '../../matrix/row-numbers.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { checkSameRows } from './co-occurrence.ts'
import { startWeights, suitableStart } from './start-weights.ts'
import { WeightLearner } from './weight-learner.ts'
import { checkWeightOptions, type WeightOptions } from './weight-options.ts'
import { type LearnedWeights, splitRows, WeightRounds } from './weight-rounds.ts'

/** The exponent if none was learned. */
const startSharpness = 4

/** Weights that bring rows with the same labels together. Values must not be negative. */
export async function learnWeights(
  features: SparseMatrix,
  labels: LabelMatrix,
  options: WeightOptions = {},
): Promise<LearnedWeights> {
  const settings = checkWeightOptions(options)
  checkSameRows(features, labels)
  const pauses = new Pauses(options)
  const start = settings.start === 'auto' ? suitableStart(features) : settings.start
  const weights = startWeights(features, labels, start, settings.engine)
  const labeled = filledRows(labels)
  await pauses.rest()
  const plain = { weights, sharpness: startSharpness, isLearned: false, losses: [], checks: [] }
  if (!settings.learn || labeled.length === 0) return plain
  const scope = settings.engine.arena.scope()
  try {
    const random = new Random(settings.seed)
    const split = splitRows(random.shuffle(labeled), settings.sample)
    const size = { sample: split.checked.length + split.sample, k: settings.neighbors }
    const learner = new WeightLearner(settings.engine, scope, features, labels, weights, size)
    await pauses.rest()
    return await new WeightRounds(learner, features, split, random, settings, options).run()
  } finally {
    scope.free()
  }
}
