// While threads work: reports how far they are, and stops them at the caller's signal, if the caller's onProgress throws, or if one of
// them has ended. Threads look at the control block between their steps; those that do not are ended after a moment.

import { throwIfAborted } from '../errors.ts'
import type { LongWork } from '../long-work.ts'
import type { Thread } from './threads.ts'

export interface WatchedWork extends LongWork {
  /** What the work is called in progress reports. */
  readonly what?: string
}

/** The control block that all threads see, as in worker.mjs: i32 [next job, finished jobs, stop]. */
export const controlBytes = 12
const [finishedSlot, stopSlot] = [1, 2]
const reportMillis = 40
/** How long threads may take to stop. After that they are terminated, and the next run starts new ones. */
const graceMillis = 300

export function watchRun(control: Int32Array, workers: readonly Thread[], total: number, options: WatchedWork) {
  const thrown: unknown[] = []
  let late: ReturnType<typeof setTimeout> | undefined
  const stop = () => {
    Atomics.store(control, stopSlot, 1)
    late ??= setTimeout(() => {
      for (const worker of workers) void worker.end()
    }, graceMillis)
  }
  const look = () => {
    try {
      report(options, Atomics.load(control, finishedSlot), total)
    } catch (error) {
      thrown.push(error)
      stop()
    }
  }
  const timer = setInterval(look, reportMillis)
  options.signal?.addEventListener('abort', stop)
  return {
    stop,
    check: () => {
      if (thrown.length > 0) throw thrown[0]
      throwIfAborted(options.signal)
    },
    end: () => {
      clearInterval(timer)
      clearTimeout(late)
      options.signal?.removeEventListener('abort', stop)
    },
  }
}

export function report({ onProgress, what = 'working' }: WatchedWork, done: number, total: number): void {
  onProgress?.({ what, done, total })
}
