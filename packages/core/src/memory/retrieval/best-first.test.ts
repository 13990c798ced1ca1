import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bestFirst } from './best-first.ts'

it('gives what sorting all gives, of any length, ties in the order asked for', () => {
  const numbers = fc.array(fc.nat({ max: 9 }), { maxLength: 60 })
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 70 }), (values, k) => {
      // Not the order of the places, which a sort would keep by itself.
      const breakTie = (a: number, b: number) => b - a
      const sorted = values.map((_, i) => i).sort((a, b) => values[b] - values[a] || breakTie(a, b))
      expect(bestFirst(values, k, breakTie)).toEqual(sorted.slice(0, k))
    }),
  )
})
