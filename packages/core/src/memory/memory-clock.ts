// The clock for creation and expiry of memories: Date.now, or the caller's function, for tests and replays.

import { refusePromise } from '../callback-answers.ts'
import { EngineError, shown } from '../errors.ts'

/** Milliseconds since 1970. */
export type Clock = () => number

/** The clock, with checked results. */
export function checkedClock(clock: Clock = Date.now): Clock {
  return () => {
    const now = clock()
    if (typeof now === 'number' && Number.isFinite(now)) return now
    refusePromise(now, 'clock', 'Give a synchronous function, such as Date.now.')
    throw new EngineError('INVALID_OPTION', `clock returned ${shown(now)}, expected milliseconds since 1970`)
  }
}
