import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { leastBound } from './selection.ts'

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 60 })

describe('leastBound', () => {
  it('is within a factor of 4 of the best gap there is (formula 14), whatever the bounds are', async () => {
    const agree = async (steps: number[], falls: number[], errors: number[], fewAt: number[]) => {
      const gaps = steps.map((_, place) => place)
      // The least share grows with the gap, what greedy matching drops is up to twice that, and Δ falls.
      const least = ascending(steps)
      const delta = ascending(gaps.map(place => falls[place % falls.length])).reverse()
      const dropped = gaps.map(place => least[place] * (1 + errors[place % errors.length]))
      const costOf = async (gap: number) => ({ share: dropped[gap], total: dropped[gap] + delta[gap], floor: dropped[gap] / 2 }) // biome-ignore format: one idea
      const few = [...new Set(fewAt.map(at => at % gaps.length))].sort((a, b) => a - b)
      const { gap, total } = await leastBound({ all: gaps, few }, costOf)
      expect(total).toBe(dropped[gap] + delta[gap])
      expect(total).toBeLessThanOrEqual(4 * Math.min(...gaps.map(place => least[place] + delta[place])) + 1e-12)
    }
    await fc.assert(fc.asyncProperty(shares, shares, shares, fc.array(fc.nat(), { maxLength: 4 }), agree))
  })

  it('looks at about log₂ of the gaps, not at all of them', async () => {
    const seen = new Set<number>()
    const all = Array.from({ length: 2 ** 16 }, (_, place) => place)
    const { gap } = await leastBound({ all, few: [] }, async place => {
      seen.add(place)
      return { share: place / 2 ** 17, total: place / 2 ** 17 + 100 / (place + 1), floor: 0 }
    })
    expect(seen.size).toBeLessThan(40)
    expect(gap / Math.sqrt(100 * 2 ** 17)).toBeCloseTo(1, 0)
  })
})

function ascending(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b)
}
