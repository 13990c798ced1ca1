// A long job is cut into steps, so that a thread can stop or yield between them. This is the version for the calling thread; workers do
// the same in worker.mjs. How a job is cut depends on the clock, its result does not.

import type { Steps } from '../long-work.ts'

/**
 * How a kernel's jobs can be cut. 'again': it gets the number of the step as one more argument, and is called again as long as it
 * returns −1. 'range': a job's last two numbers are a range, whose parts can be done one by one; what they return is summed up.
 */
export type Cutting = 'again' | 'range'

export type KernelCall = (...numbers: number[]) => number | undefined

export const callAgain = -1

/** Parts of a range are doubled until they take this long. */
const shortMillis = 5

export function* jobSteps(call: KernelCall, job: readonly number[], cutting: Cutting | undefined): Steps<number> {
  if (cutting === 'again') return yield* callUntilDone(call, job)
  if (cutting === 'range') return yield* callByParts(call, job)
  return call(...job) ?? 0
}

function* callUntilDone(call: KernelCall, job: readonly number[]): Steps<number> {
  for (let step = 0; ; step++) {
    const result = call(...job, step) ?? 0
    if (result !== callAgain) return result
    yield
  }
}

function* callByParts(call: KernelCall, job: readonly number[]): Steps<number> {
  const first = job.slice(0, -2)
  const [from = 0, to = 0] = job.slice(-2)
  let [at, size, sum] = [from, 1, 0]
  while (at < to) {
    const start = performance.now()
    const end = Math.min(to, at + size)
    sum += call(...first, at, end) ?? 0
    at = end
    size = performance.now() - start < shortMillis ? 2 * size : Math.max(1, size >> 1)
    yield
  }
  return sum
}
