import { describe, expect, it } from 'vitest'
import { fatBound, rademacherBound } from './margin-bounds.ts'

const facts = { rows: 1e9, labels: 10, lipschitz: 1, dimension: 5, uncertainty: 0.01 }

describe('the bounds on the error', () => {
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
