import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countInBins, formatHistogram } from './histogram.ts'

describe('countInBins', () => {
  it('gives each of a few small numbers its bin, from the smallest to the largest', () => {
    expect(countInBins([2, 4, 2])).toEqual([
      { from: 2, to: 2, count: 2 },
      { from: 3, to: 3, count: 0 },
      { from: 4, to: 4, count: 1 },
    ])
  })

  it('doubles the bins of a wide range, and ends the last at the largest number', () => {
    expect(countInBins([0, 1, 3, 7, 12])).toEqual([
      { from: 0, to: 0, count: 1 },
      { from: 1, to: 1, count: 1 },
      { from: 2, to: 3, count: 1 },
      { from: 4, to: 7, count: 1 },
      { from: 8, to: 12, count: 1 },
    ])
  })

  it('has no bins for no numbers', () => {
    expect(formatHistogram(countInBins([]), ['labels', 'rows'])).toBe('  labels  rows\n')
  })

  it('counts every number once, in the bin that holds it', () => {
    const numbers = fc.array(fc.oneof(fc.nat(15), fc.nat(2 ** 32 - 1)), { minLength: 1 })
    fc.assert(
      fc.property(numbers, values => {
        const bins = countInBins(values)
        for (const { from, to, count } of bins) {
          expect(count).toBe(values.filter(value => value >= from && value <= to).length)
        }
        expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length)
      }),
    )
  })
})

describe('formatHistogram', () => {
  it('draws bars in eighths of a character, a trace for the rarest', () => {
    const bins = [
      { from: 0, to: 0, count: 1 },
      { from: 1, to: 1, count: 5000 },
      { from: 2, to: 3, count: 0 },
      { from: 4, to: 6, count: 640 },
    ]
    expect(formatHistogram(bins, ['labels', 'rows'])).toBe(`\
  labels   rows
       0      1  ▏
       1  5,000  ████████████████████████████████████████
     2–3      0
     4–6    640  █████▏
`)
  })
})
