// The clock of a store's memory. It stands still during a call, so that the call and its log entry agree; and when calls are
// replayed, it shows the time of the original call.

import { EngineError } from '@vicinal/core'

export class StoreClock {
  readonly #source: () => number
  #now = 0

  constructor(source: () => number = Date.now) {
    this.#source = source
  }

  /** For the memory. */
  readonly read = (): number => this.#now

  /** Sets the clock to now, before a call. */
  tick(): number {
    const now = this.#source()
    if (typeof now !== 'number' || !Number.isFinite(now)) {
      throw new EngineError('INVALID_OPTION', `clock returned ${String(now)}, expected milliseconds since 1970`)
    }
    this.#now = now
    return now
  }

  /** Sets the clock to when a recorded call was made. */
  set(now: number): void {
    this.#now = now
  }
}
