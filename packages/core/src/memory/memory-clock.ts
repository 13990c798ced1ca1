// What time it is, for memories that are created and expire: Date.now, or a function of the caller's, for tests and replays.

import { refusePromise } from '../callback-answers.ts'
import { EngineError, shown } from '../errors.ts'

/** Milliseconds since 1970. */
export type Clock = () => number

/** The clock, whose answers are checked. */
export function checkedClock(clock: Clock = Date.now): Clock {
  return () => {
    const now = clock()
    if (typeof now === 'number' && Number.isFinite(now)) return now
    refusePromise(now, 'clock', 'Give a function that answers at once, such as Date.now.')
    throw new EngineError('INVALID_OPTION', `clock returned ${shown(now)}, expected milliseconds since 1970`)
  }
}
