import { describe, expect, it } from 'vitest'
import { type Stage, WholeEstimate } from './whole-estimate.ts'

const plan: readonly Stage[] = [
  { names: ['reading'], weight: 10 },
  { names: ['searching', 'learning'], weight: 80, rounds: 4 },
  { names: ['writing'], weight: 10 },
]

describe('WholeEstimate', () => {
  it('knows nothing before the first report', () => {
    expect(new WholeEstimate(plan).estimate(5)).toEqual({ share: 0, secondsLeft: undefined })
  })

  it('follows the plan while the stages keep to it', () => {
    const whole = new WholeEstimate(plan)
    whole.update({ what: 'reading', done: 5, total: 10 }, 5)
    expect(whole.estimate(5)).toEqual({ share: 0.05, secondsLeft: 95 })
    whole.update({ what: 'searching', done: 0, total: 10 }, 10)
    whole.update({ what: 'searching', done: 10, total: 10 }, 30)
    expect(whole.estimate(30).share).toBeCloseTo(0.3)
    whole.update({ what: 'learning', done: 5, total: 10 }, 40)
    expect(whole.estimate(40)).toEqual({ share: expect.closeTo(0.4), secondsLeft: expect.closeTo(60) })
  })

  it('corrects the plan by what a stage really takes', () => {
    const whole = new WholeEstimate(plan)
    whole.update({ what: 'writing', done: 0, total: 10 }, 1)
    whole.update({ what: 'writing', done: 5, total: 10 }, 101)
    expect(whole.estimate(101).secondsLeft).toBeCloseTo(101)
  })

  it('never falls, however often a stage begins again, and ends below 1', () => {
    const whole = new WholeEstimate(plan)
    const shares: number[] = []
    for (let seconds = 1; seconds < 400; seconds++) {
      whole.update({ what: seconds % 2 ? 'searching' : 'learning', done: seconds % 7, total: 7 }, seconds)
      shares.push(whole.estimate(seconds).share)
    }
    expect(shares).toEqual([...shares].sort((a, b) => a - b))
    expect(shares.at(-1)).toBeLessThan(1)
  })

  it('takes the stages that come later when they are known', () => {
    const whole = new WholeEstimate(plan)
    whole.update({ what: 'reading', done: 10, total: 10 }, 10)
    whole.replan([{ names: ['writing'], weight: 10 }])
    expect(whole.estimate(10)).toEqual({ share: 0.5, secondsLeft: 10 })
  })

  it('leaves out what is not planned, and stages that are over', () => {
    const whole = new WholeEstimate(plan)
    whole.update({ what: 'writing', done: 5, total: 10 }, 10)
    const before = whole.estimate(10)
    whole.update({ what: 'dreaming', done: 1, total: 10 }, 10)
    whole.update({ what: 'reading', done: 0, total: 10 }, 10)
    expect(whole.estimate(10)).toEqual(before)
  })
})
