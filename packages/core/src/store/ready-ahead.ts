// What was restored ahead in steps, so that the code that needs it later, which cannot wait, finds it ready.

import { EngineError } from '../errors.ts'
import type { Steps } from '../long-work.ts'

/** By the bytes it was restored from. */
const ready = new WeakMap<object, unknown>()

/** Takes the steps, and keeps their result for `bytes`. Damage is left to the code that needs the result: it refuses it. */
export function* readyAhead(bytes: object, steps: Steps<unknown>): Steps<void> {
  try {
    ready.set(bytes, yield* steps)
  } catch (error) {
    if (!(error instanceof EngineError || error instanceof TypeError)) throw error
  }
}

/** What is ready for `bytes`: once, because it may change. */
export function takeReady(bytes: object): unknown {
  const found = ready.get(bytes)
  ready.delete(bytes)
  return found
}
