// How a router learns: the loss whose gradient it follows. There are two; another one is an object of the same shape.

import { EngineError, shown } from '../../errors.ts'
import type { MemoryKernels } from '../../kernels/sets/memory.ts'

/** A loss function for routers. */
export interface Learner {
  /** The name in options and files. */
  readonly name: string
  /** The derivative of the loss by the model's sum; the target is −1 (left) or 1 (right). */
  gradient(sum: number, target: number, kernels: Pick<MemoryKernels, 'logistic'>): number
}

/** log(1 + e^(−target · sum)): steps shrink as the router becomes right and confident. */
export const logisticLearner: Learner = Object.freeze({
  name: 'logistic',
  gradient: (sum: number, target: number, { logistic }: Pick<MemoryKernels, 'logistic'>) =>
    -target * logistic(-target * sum),
})

/** (sum − target)² / 2: pulls every sum towards −1 or 1. */
export const squaredLearner: Learner = Object.freeze({
  name: 'squared',
  gradient: (sum: number, target: number) => sum - target,
})

const given = [logisticLearner, squaredLearner]

export function isGivenLearner(name: string): boolean {
  return given.some(learner => learner.name === name)
}

/** A learner, given by its name or as an object. */
export function findLearner(learner: string | Learner): Learner {
  if (typeof learner === 'object' && typeof learner?.gradient === 'function') return checkOwn(learner)
  const found = given.find(({ name }) => name === learner)
  if (found) return found
  const known = given.map(({ name }) => `'${name}'`).join(', ')
  throw new EngineError('UNKNOWN_NAME', `learner is ${shown(learner)}, expected ${known} or your own learner`, {
    hint: 'Your own learner is an object { name, gradient(sum, target) }. Pass it again when you load the memory.',
  })
}

/** Files store the name of the learner, so that loading can ask for it. */
function checkOwn(learner: Learner): Learner {
  const { name } = learner
  const isFree = typeof name === 'string' && name !== '' && !isGivenLearner(name)
  if (isFree || given.includes(learner)) return learner
  throw new EngineError('INVALID_OPTION', `the learner's name is ${shown(name)}, expected a new name`, {
    hint: `Give a string that is not ${given.map(({ name }) => name).join(' or ')}.`,
  })
}
