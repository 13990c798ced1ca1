import { describe, expect, it } from 'vitest'
import { nearestNames } from './nearest-names.ts'

describe('nearestNames', () => {
  const names = ['history', 'art history', 'shipping', 'ships', 'chips', 'Baltic Sea']

  it('puts names that begin alike first, then those with the fewest letters to change', () => {
    expect(nearestNames('ship', names, 3)).toEqual(['ships', 'shipping', 'chips'])
    expect(nearestNames('baltic see', names, 1)).toEqual(['Baltic Sea'])
  })

  it('gives all there are where there are few', () => {
    expect(nearestNames('', ['b', 'a'])).toEqual(['b', 'a'])
    expect(nearestNames('x', [])).toEqual([])
  })
})
