import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compressionBound, fatBound, largestSize, rademacherBound } from './bounds.ts'

const facts = { rows: 1e9, labels: 10, lipschitz: 1, dimension: 5, uncertainty: 0.01 }

const compressed = { rows: 1000, size: 2, errors: 0, nats: 0, uncertainty: 0.05 }

describe('the bound by compression', () => {
  it('is 1 − e^(−c / (n − m)) without errors, by hand', () => {
    // 2 (1 + ln 500) + ln 6 + ln 20 = 19.2167; divided by 998 it is 0.0192552.
    expect(compressionBound(compressed)).toBeCloseTo(1 - Math.exp(-0.0192552), 6)
  })

  it('solves kl(errors ‖ bound) = c / (n − m), which grows with errors, size and nats, and never exceeds 1', () => {
    const bound = compressionBound({ ...compressed, errors: 0.2 * 998 })
    expect(0.2 * Math.log(0.2 / bound) + 0.8 * Math.log(0.8 / (1 - bound))).toBeCloseTo(0.0192552, 6)
    for (const more of [{ errors: 300 }, { size: 40, errors: 199.6 }, { nats: 5, errors: 199.6 }]) {
      expect(compressionBound({ ...compressed, ...more })).toBeGreaterThan(bound)
    }
    expect(compressionBound({ ...compressed, size: 1000 })).toBe(1)
    expect(compressionBound({ ...compressed, size: 500, errors: 500 })).toBe(1)
  })

  it('has a largest size below any target', () => {
    const agree = (rows: number, errors: number, target: number) => {
      const facts = { ...compressed, rows, errors: Math.min(errors, rows) }
      const size = largestSize(facts, target)
      if (size > 0) expect(compressionBound({ ...facts, size })).toBeLessThan(target)
      expect(compressionBound({ ...facts, size: size + 1 })).toBeGreaterThanOrEqual(target)
    }
    fc.assert(fc.property(fc.integer({ min: 1, max: 5000 }), fc.nat(5000), fc.double({ min: 0.01, max: 1, noNaN: true }), agree)) // biome-ignore format: one call
  })
})

describe('the bounds of the paper', () => {
  it('are those of Theorem 5, by hand', () => {
    // 2 · 16⁵ · ln 200 = 11,111,384; ln 200 = 5.2983; 2 / 10⁹ of their sum is 0.0222228.
    expect(fatBound(facts)).toBeCloseTo(Math.sqrt(0.02222278), 5)
  })

  it('are as in the figure of the paper: of no use below ten million rows, in five dimensions, even for L = 1', () => {
    expect(fatBound({ ...facts, rows: 1e7 })).toBeGreaterThan(1)
    expect(fatBound({ ...facts, rows: 1e8 })).toBeLessThan(1)
    expect(fatBound({ ...facts, rows: 1e12, lipschitz: 8 })).toBeGreaterThan(fatBound({ ...facts, rows: 1e12 }))
  })

  it('stay finite where the space is large, and fall with the rows', () => {
    expect(fatBound({ ...facts, lipschitz: 1e100, dimension: 50 })).toBe(Number.MAX_VALUE)
    expect(rademacherBound({ ...facts, rows: 1e6 }, 1)).toBeGreaterThan(rademacherBound(facts, 1))
  })

  it('are those of Theorem 4, by hand, for a constant of yours', () => {
    const term = 2 * 1 * (Math.log(50) / 1e9) ** (1 / 6)
    expect(rademacherBound(facts, 2)).toBeCloseTo(term + 0 + Math.sqrt(Math.log(200) / 2e9), 9)
  })
})
