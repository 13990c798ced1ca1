// Measures of online learning (paper 002, section 4): the model is tested on every example before it learns from it.

import { EngineError, shown } from '../errors.ts'
import { requireNumberList } from '../matrix/given-vector.ts'
import { checkNumber } from '../options.ts'

/** Progressive validation: the running mean of a loss, each measured before learning from the example. */
export class ProgressiveValidation {
  #sum = 0
  #count = 0

  /** Adds the loss of the next example. */
  add(loss: number): void {
    if (!Number.isFinite(loss))
      throw new EngineError('BAD_DATA', `the loss is ${shown(loss)}, expected a finite number`)
    this.#sum += loss
    this.#count++
  }

  get count(): number {
    return this.#count
  }

  /** Undefined before the first example. */
  get mean(): number | undefined {
    return this.#count === 0 ? undefined : this.#sum / this.#count
  }
}

/** log2(accuracy) − log2(baseline): bits gained over a baseline predictor. −Infinity if no prediction was right. */
export function entropyReduction(accuracy: number, baseline: number): number {
  checkNumber('accuracy', accuracy, value => value >= 0 && value <= 1, 'a number in [0, 1]')
  checkNumber('baseline', baseline, value => value > 0 && value <= 1, 'a number in (0, 1]')
  return Math.log2(accuracy) - Math.log2(baseline)
}

/** The accuracy of always predicting the most frequent label: the usual baseline. */
export function constantAccuracy(labels: ArrayLike<number>): number {
  requireNumberList(labels, 'labels')
  if (labels.length === 0) throw new EngineError('EMPTY_DATA', 'there are no labels to predict')
  const counts = new Map<number, number>()
  let most = 0
  for (let i = 0; i < labels.length; i++) {
    if (typeof labels[i] !== 'number') {
      throw new EngineError('BAD_DATA', `label ${i} is ${shown(labels[i])}, expected a number`)
    }
    const count = (counts.get(labels[i]) ?? 0) + 1
    counts.set(labels[i], count)
    most = Math.max(most, count)
  }
  return most / labels.length
}
