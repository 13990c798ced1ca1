// Guards against reentrant calls. Callbacks (filters, rewards, learners) run in the middle of a call and must not modify the memory: what
// the call has found must stay valid, and a log needs changes one at a time.

import { EngineError } from '../errors.ts'

export class ReentrancyGuard {
  #busy: 'asking' | 'changing' | undefined
  #changes = 0

  /** Changes begun so far. */
  get changes(): number {
    return this.#changes
  }

  /** Callbacks that run in the meantime may also query. */
  ask<T>(work: () => T): T {
    const before = this.#busy
    if (before === 'changing') throw calledWithin()
    this.#busy = 'asking'
    try {
      return work()
    } finally {
      this.#busy = before
    }
  }

  /** No other call is allowed in the meantime. */
  change<T>(work: () => T): T {
    if (this.#busy) throw calledWithin()
    this.#busy = 'changing'
    this.#changes++
    try {
      return work()
    } finally {
      this.#busy = undefined
    }
  }
}

function calledWithin(): EngineError {
  return new EngineError('INVALID_OPTION', 'callbacks must not modify the memory', {
    hint: 'Collect the changes in your filter, reward or learner, and make them after the call.',
  })
}
