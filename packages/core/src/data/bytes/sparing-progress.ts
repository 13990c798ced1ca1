// Passes on progress at most ten times a second: work may report as often as it likes.

import type { LongWork, Progress } from '../../long-work.ts'

const pauseMs = 100

/** A function that passes the progress on if the last time was long enough ago, or if the work is done. */
export function sparingly(onProgress: LongWork['onProgress']): (progress: Progress) => void {
  if (!onProgress) return () => {}
  let told = performance.now()
  return progress => {
    const now = performance.now()
    if (now - told < pauseMs && progress.done !== progress.total) return
    told = now
    onProgress(progress)
  }
}
