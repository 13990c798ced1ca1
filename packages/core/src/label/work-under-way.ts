// Work on this thread that yields to the event loop, on a model that may change in the meantime. Workers read a snapshot of the model; this
// thread does not. So a change first finishes running work, which then answers as of its start.

import { inTurns, type LongWork, type Steps } from '../long-work.ts'

export class WorkUnderWay {
  readonly #open = new Set<() => void>()

  /** Takes the steps in turns. `onStep` hears how far it is. */
  async inTurns<Result>(steps: Steps<Result>, work: LongWork, onStep: (done: number) => void): Promise<Result> {
    const shared = new SharedSteps(steps)
    const finish = () => shared.finish()
    this.#open.add(finish)
    try {
      return await inTurns(shared.turns(onStep), work)
    } finally {
      this.#open.delete(finish)
    }
  }

  /** Takes all steps that are left, now. Call it before every change. */
  finish(): void {
    for (const finish of this.#open) finish()
    this.#open.clear()
  }
}

/** Steps that are taken in turns, or all at once by callers that cannot wait. */
class SharedSteps<Result> {
  readonly #steps: Steps<Result>
  /** How the steps ended: `value` gives the result, or throws. */
  #outcome: { readonly value: () => Result } | undefined

  constructor(steps: Steps<Result>) {
    this.#steps = steps
  }

  *turns(onStep: (done: number) => void): Steps<Result> {
    try {
      while (!this.#outcome) {
        const done = this.#step()
        if (done !== undefined) onStep(done)
        yield done
      }
      return this.#outcome.value()
    } finally {
      this.#steps.return(undefined as Result) // ends abandoned work
    }
  }

  finish(): void {
    while (!this.#outcome) this.#step()
  }

  #step(): number | undefined {
    try {
      const step = this.#steps.next()
      if (!step.done) return step.value
      this.#outcome = { value: () => step.value }
    } catch (error) {
      this.#outcome = {
        value: () => {
          throw error
        },
      }
    }
    return undefined
  }
}
