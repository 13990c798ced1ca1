import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTick, makeAxis } from './axis.ts'

const linear = (...values: number[]) => makeAxis({ label: 'a' }, values, 5).ticks
const log = (...values: number[]) => makeAxis({ label: 'a', scale: 'log' }, values, 5).ticks

describe('makeAxis', () => {
  it('marks round numbers around the values', () => {
    expect(linear(0, 10)).toEqual([0, 2, 4, 6, 8, 10])
    expect(linear(0.81, 0.999)).toEqual([0.8, 0.85, 0.9, 0.95, 1])
    expect(linear(-3, 3)).toEqual([-4, -2, 0, 2, 4])
  })

  it('takes more values than a call takes arguments', () => {
    const values = Array.from({ length: 200_000 }, (_, i) => i % 11)
    expect(makeAxis({ label: 'a' }, values, 5).ticks).toEqual([0, 2, 4, 6, 8, 10])
  })

  it('has room around a single value', () => {
    expect(linear(5)).toEqual([5, 6])
    expect(linear(0)).toEqual([0, 1])
    expect(log(5)).toEqual([5, 10])
  })

  it('marks powers of ten where there are many, else their halves and fifths too', () => {
    expect(log(3, 40_000)).toEqual([1, 10, 100, 1000, 10_000, 100_000])
    expect(log(30, 150)).toEqual([20, 50, 100, 200])
    expect(log(0.001, 1)).toEqual([0.001, 0.01, 0.1, 1])
  })

  it('places equal ratios equally far apart on a logarithmic axis', () => {
    const { place } = makeAxis({ label: 'a', scale: 'log' }, [1, 100], 5)
    expect([place(1), place(10), place(100)]).toEqual([0, 0.5, 1])
  })

  it('holds every value and every mark', () => {
    const positive = fc.integer({ min: 1, max: 1e8 }).map(thousandths => thousandths / 1000)
    fc.assert(
      fc.property(
        fc.array(positive, { minLength: 1, maxLength: 5 }),
        fc.constantFrom('linear' as const, 'log' as const),
        (values, scale) => {
          const { ticks, place } = makeAxis({ label: 'a', scale }, values, 5)
          for (const value of [...values, ...ticks])
            expect(Math.abs(place(value) - 0.5)).toBeLessThanOrEqual(0.5 + 1e-6)
          expect(place(ticks[0]!)).toBeCloseTo(0, 6)
          expect(place(ticks.at(-1)!)).toBeCloseTo(1, 6)
        },
      ),
    )
  })

  it.each([
    ['linear' as const, Number.NaN, '"time" has the value NaN, expected a finite number'],
    ['log' as const, 0, '"time" has the value 0, expected a finite number above 0'],
  ])('refuses on a %s axis the value %d', (scale, value, message) => {
    expect(() => makeAxis({ label: 'time', scale }, [1, value], 5)).toThrow(message)
  })

  it('refuses to be of nothing', () => {
    expect(() => linear()).toThrow('there are no points to plot')
  })
})

it('formats marks as short as can be', () => {
  expect([0.95, 20, 1000, 0.1 + 0.2, 2.5e-7].map(formatTick)).toEqual(['0.95', '20', '1,000', '0.3', '0.00000025'])
})
