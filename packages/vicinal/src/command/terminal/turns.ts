// For commands that answer line by line on this thread: yields to the event loop now and then, so that Ctrl-C works.

import { throwIfAborted } from '@vicinal/core/internals'

/** How long a command may keep the thread to itself. */
const turnMillis = 40

export class Turns {
  readonly #signal: AbortSignal
  #since = performance.now()

  constructor(signal: AbortSignal) {
    this.#signal = signal
  }

  /** Lets others run if they have waited long enough; throws ABORTED if the signal has fired. */
  async rest(): Promise<void> {
    throwIfAborted(this.#signal)
    if (performance.now() - this.#since < turnMillis) return
    await new Promise(setImmediate)
    throwIfAborted(this.#signal)
    this.#since = performance.now()
  }
}

/** The result of `work`, or ABORTED as soon as the signal is aborted, even if the work continues. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {}
  const aborted = new Promise<void>(resolve => {
    onAbort = () => resolve()
    signal.addEventListener('abort', onAbort)
  })
  try {
    throwIfAborted(signal)
    const first = await Promise.race([work.then(value => ({ value })), aborted])
    if (first) return first.value
    work.catch(() => {}) // its result is no longer needed
    throwIfAborted(signal)
    return await work
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
