// How long work talks to its caller: what is under way, how far it is, and a signal that stops it.

import type { WebSignal } from './web-types.ts'

/** How far long work is. */
export interface Progress {
  /** What is being done, in a word or two: 'reading', 'growing trees'. */
  readonly what: string
  readonly done: number
  /** Absent where the end is not known. */
  readonly total?: number
}

/** What every long call takes: a signal to stop it, and a function that hears how far it is. */
export interface LongWork {
  /** Stops the work with an ABORTED error; nothing half-done stays visible. */
  readonly signal?: WebSignal | undefined
  /** Called now and then, at most some twenty times a second. */
  readonly onProgress?: ((progress: Progress) => void) | undefined
}
