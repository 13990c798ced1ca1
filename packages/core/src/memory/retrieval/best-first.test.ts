import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestFirst } from './best-first.ts'

it('gives what sorting all gives, of any length, ties in their order', () => {
  const numbers = fc.array(fc.nat({ max: 9 }), { maxLength: 60 })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 70 }), (values, k) => {
      const compare = (a: number, b: number) => values[a] - values[b] || a - b
      const sorted = values.map((_, i) => i).sort(compare)
      expect(bestFirst(values.length, k, compare)).toEqual(sorted.slice(0, k))
    }),
  )
})
