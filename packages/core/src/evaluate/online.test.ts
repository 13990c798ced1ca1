import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { constantAccuracy, entropyReduction, ProgressiveValidation } from './online.ts'

describe('ProgressiveValidation', () => {
  it('is the running mean of the losses', () => {
    const validation = new ProgressiveValidation()
    expect(validation.mean).toBeUndefined()
    const means = [1, 0, 0, 1].map(loss => {
      validation.add(loss)
      return validation.mean
    })
    expect(means).toEqual([1, 1 / 2, 1 / 3, 1 / 2])
    expect(validation.count).toBe(4)
  })

  it('does not depend on the order of the losses', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1 }), losses => {
        const [forward, backward] = [new ProgressiveValidation(), new ProgressiveValidation()]
        for (const loss of losses) forward.add(loss)
        for (const loss of losses.toReversed()) backward.add(loss)
        expect(forward.mean).toBe(backward.mean)
        expect(forward.mean).toBeCloseTo(losses.reduce((sum, loss) => sum + loss, 0) / losses.length, 10)
      }),
    )
  })

  it('refuses a loss that is no number', () => {
    expect(() => new ProgressiveValidation().add(Number.NaN)).toThrow('the loss is NaN')
  })
})

describe('entropyReduction', () => {
  it('is the bits won: half right against an eighth is two bits', () => {
    expect(entropyReduction(0.5, 0.125)).toBe(2)
    expect(entropyReduction(0.125, 0.5)).toBe(-2)
    expect(entropyReduction(0, 0.5)).toBe(Number.NEGATIVE_INFINITY)
  })

  it('adds up along a chain of predictors', () => {
    const accuracy = fc.double({ min: 0.001, max: 1, noNaN: true })
    fc.assert(
      fc.property(accuracy, accuracy, accuracy, (a, b, c) => {
        expect(entropyReduction(a, b) + entropyReduction(b, c)).toBeCloseTo(entropyReduction(a, c), 8)
      }),
    )
  })

  it('refuses what is no accuracy, and a baseline that is never right', () => {
    expect(() => entropyReduction(1.1, 0.5)).toThrow('accuracy is 1.1')
    expect(() => entropyReduction(0.5, 0)).toThrow('baseline is 0')
  })
})

describe('constantAccuracy', () => {
  it('is the share of the most frequent label', () => {
    expect(constantAccuracy([3, 1, 3, 2])).toBe(0.5)
    expect(() => constantAccuracy([])).toThrow('no labels')
  })
})
