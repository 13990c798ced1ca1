// The checks all measures share at their door.

import { EngineError } from '../errors.ts'

export function checkCut(k: number): void {
  if (Number.isSafeInteger(k) && k >= 1) return
  throw new EngineError('INVALID_OPTION', `k is ${k}, expected a whole number of at least 1`)
}

/** Refuses answers for another number of `things` ('rows', 'queries') than the truth has, and a truth that has none. */
export function checkSameCount(things: string, inTruth: number, inAnswers: number): void {
  if (inTruth !== inAnswers) {
    const message = `the truth has ${inTruth} ${things}, the answers have ${inAnswers}`
    throw new EngineError('DIMENSION_MISMATCH', message, { hint: `Evaluate the answers to the same ${things}.` })
  }
  if (inTruth === 0) throw new EngineError('EMPTY_DATA', `there are no ${things} to evaluate`)
}
