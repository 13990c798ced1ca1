// What callers' functions answer. An async function answers with a promise, which is truthy and is no number: taken as the answer
// it would let everything pass a filter.

import { EngineError } from './errors.ts'

/** Whether a filter said yes. A promise is refused; `name` is what the caller knows the function as. */
export function isYes(answer: unknown, name: string): boolean {
  if (typeof answer === 'boolean') return answer
  refusePromise(
    answer,
    name,
    'Await what it needs before the call, then give a function that is not async, or a Set of ids.',
  )
  return Boolean(answer)
}

/** Refuses a promise where an answer is needed at once. */
export function refusePromise(answer: unknown, name: string, hint: string): void {
  if (!isPromise(answer)) return
  // Nobody waits for it any more: its failure must not end the process.
  answer.then(undefined, () => {})
  throw new EngineError('INVALID_OPTION', `${name} returned a promise, expected a plain value`, { hint })
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
