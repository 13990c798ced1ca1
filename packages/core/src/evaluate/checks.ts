// Checks of arguments, shared by all measures.

import { EngineError, shown } from '../errors.ts'
import { checkInstance, checkNumbers } from '../matrix/checks.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { checkObject, checkWhole } from '../options.ts'
import type { RankedLabels } from './predictions.ts'

export function checkCut(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return
  throw new EngineError('INVALID_OPTION', `k is ${shown(k)}, expected a whole number of at least 1`)
}

/** Refuses anything that is not a LabelMatrix; `name` is what the call names it: 'truth'. */
export function checkLabelMatrix(name: string, value: unknown): void {
  checkInstance(name, value, LabelMatrix)
}

/** Refuses rankings with a part of the wrong type. */
export function checkRankedParts(ranked: RankedLabels): void {
  checkObject('ranked', ranked, 'ranked labels, as returned by predictBatch')
  checkWhole('ranked.rows', ranked.rows, 0, 2 ** 32)
  checkWhole('ranked.top', ranked.top, 0, 2 ** 32)
  checkNumbers('ranked.labels', ranked.labels, [Uint32Array])
  checkNumbers('ranked.scores', ranked.scores, [Float32Array])
  checkNumbers('ranked.counts', ranked.counts, [Uint32Array])
}

/** Refuses answers and truth with different numbers of `things` ('rows', 'queries'), and an empty truth. */
export function checkSameCount(things: string, inTruth: number, inAnswers: number): void {
  if (inTruth !== inAnswers) {
    const message = `the truth has ${inTruth} ${things}, the answers have ${inAnswers}`
    throw new EngineError('DIMENSION_MISMATCH', message, { hint: `Evaluate the answers to the same ${things}.` })
  }
  if (inTruth === 0) throw new EngineError('EMPTY_DATA', `there are no ${things} to evaluate`)
}
