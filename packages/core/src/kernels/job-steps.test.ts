import { describe, expect, it } from 'vitest'
import { finish } from '../long-work.ts'
import { callAgain, jobSteps } from './job-steps.ts'

/** Notes the ranges it is called with, and returns how long they are; takes `millis` for each number in them. */
function measuring(calls: [number, number][], millis: number) {
  return (_first: number, from: number, to: number): number => {
    const end = performance.now() + millis * (to - from)
    while (performance.now() < end);
    calls.push([from, to])
    return to - from
  }
}

describe('the steps of a job', () => {
  it('are one call for a kernel that is not cut', () => {
    expect([...jobSteps((a, b) => a + b, [3, 4], undefined)]).toEqual([])
    expect(finish(jobSteps((a, b) => a + b, [3, 4], undefined))).toBe(7)
  })

  it('are counted for a kernel that asks to be called again', () => {
    const steps: number[] = []
    const kernel = (_job: number, step: number) => {
      steps.push(step)
      return step === 3 ? 42 : callAgain
    }
    expect(finish(jobSteps(kernel, [9], 'again'))).toBe(42)
    expect(steps).toEqual([0, 1, 2, 3])
  })

  it('cover a range once, in parts that are short if it takes long', () => {
    for (const millis of [0, 4]) {
      const calls: [number, number][] = []
      expect(finish(jobSteps(measuring(calls, millis), [1, 10, 30], 'range'))).toBe(20)
      expect(calls.flatMap(([from, to]) => Array.from({ length: to - from }, (_, i) => from + i))).toEqual(
        Array.from({ length: 20 }, (_, i) => 10 + i),
      )
      if (millis > 0) expect(Math.max(...calls.map(([from, to]) => to - from))).toBeLessThanOrEqual(4)
    }
  })

  it('are none for an empty range', () => {
    expect(finish(jobSteps(() => 1, [1, 5, 5], 'range'))).toBe(0)
  })
})
