import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compareNumerals, isNumeral } from './numeral-order.ts'

it.each([
  ['9007199254740992', '9007199254740993'],
  ['-9007199254740993', '-9007199254740992'],
  ['-1', '0'],
  ['0', '1e-400'],
  ['-1e-400', '0'],
  ['99999999999999999', '1e17'],
  ['0.1', '0.10000000000000000001'],
  ['2', '10'],
])('%s comes before %s', (a, b) => {
  expect(compareNumerals(a, b)).toBeLessThan(0)
  expect(compareNumerals(b, a)).toBeGreaterThan(0)
})

it.each([
  ['1', '01'],
  ['1', '+1.0'],
  ['1e2', '100'],
  ['0', '-0'],
  ['.5', '5e-1'],
])('%s and %s are the same number', (a, b) => {
  expect(compareNumerals(a, b)).toBe(0)
})

it.each(['', 'a', '0x10', '1e400', ' 1', '1 2', 'NaN', '.', '+'])('%j is no numeral', name => {
  expect(isNumeral(name)).toBe(false)
})

it('orders whole numbers of any size as they are', () => {
  fc.assert(
    fc.property(fc.bigInt(), fc.bigInt(), (a, b) => {
      const order = Math.sign(compareNumerals(String(a), String(b)))
      expect(order).toBe(a < b ? -1 : Number(a > b))
    }),
  )
})
