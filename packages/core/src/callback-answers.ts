// Checks what callbacks return. An async function returns a promise, which is truthy: without this check, an async filter would
// let everything pass.

import { EngineError } from './errors.ts'

/** Whether a filter returned true. A promise is refused; `name` is what the caller calls the function. */
export function isYes(answer: unknown, name: string): boolean {
  if (typeof answer === 'boolean') return answer
  refusePromise(
    answer,
    name,
    'Await what it needs before the call, then give a function that is not async, or a Set of ids.',
  )
  return Boolean(answer)
}

/** Refuses a promise. */
export function refusePromise(answer: unknown, name: string, hint: string): void {
  if (!isPromise(answer)) return
  // Nothing awaits it any more, so its rejection must not end the process.
  answer.then(undefined, () => {})
  throw new EngineError('INVALID_OPTION', `${name} returned a promise, expected a plain value`, { hint })
}

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
