// Long work on this thread, in turns of some milliseconds: between them others get theirs, a progress bar or Ctrl-C.

import { throwIfAborted } from '../errors.ts'
import type { LongWork } from '../progress.ts'

const turnMillis = 40

/** Calls `step` with 0 … total − 1. A short job is done before anybody else has a turn. */
export async function inTurns(
  total: number,
  what: string,
  { signal, onProgress }: LongWork,
  step: (i: number) => void,
): Promise<void> {
  onProgress?.({ what, done: 0, total })
  throwIfAborted(signal)
  let start = performance.now()
  for (let i = 0; i < total; i++) {
    step(i)
    if (performance.now() - start < turnMillis) continue
    onProgress?.({ what, done: i + 1, total })
    await new Promise(resolve => setTimeout(resolve, 0))
    throwIfAborted(signal)
    start = performance.now()
  }
  onProgress?.({ what, done: total, total })
}
