import { describe, expect, it } from 'vitest'
import { didYouMean, editDistance, nearestNames } from './nearest-names.ts'

describe('nearestNames', () => {
  const names = ['history', 'art history', 'shipping', 'ships', 'chips', 'Baltic Sea']

  it('puts names that begin alike first, then those with the fewest letters to change', () => {
    expect(nearestNames('ship', names, 3)).toEqual(['ships', 'shipping', 'chips'])
    expect(nearestNames('baltic see', names, 1)).toEqual(['Baltic Sea'])
  })

  it('returns all if there are few', () => {
    expect(nearestNames('', ['b', 'a'])).toEqual(['b', 'a'])
    expect(nearestNames('x', [])).toEqual([])
  })
})

describe('didYouMean', () => {
  const names = ['metric', 'ids', 'engine', 'trees', 'searchTrees', 'threads']

  it.each([
    ['metirc', 'metric'],
    ['Metric', 'metric'],
    ['tree', 'trees'],
    ['thread', 'threads'],
    ['searchtrees', 'searchTrees'],
    ['id', 'ids'],
  ])('suggests for %s the name %s', (name, meant) => {
    expect(didYouMean(name, names)).toBe(`Did you mean "${meant}"?`)
  })

  it('suggests several names where that is asked for, and no distant ones among them', () => {
    expect(didYouMean('ship', ['ships', 'birds', 'shipping'], 5)).toBe('Did you mean "ships" or "shipping"?')
    expect(didYouMean('a', ['b', 'c', 'd', 'ee'], 3)).toBe('Did you mean "b", "c" or "d"?')
  })

  it.each(['neighbors', 'x', '', 'zzzzzz'])('suggests nothing for %s', name => {
    expect(didYouMean(name, names)).toBeUndefined()
    expect(didYouMean(name, [])).toBeUndefined()
  })
})

describe('editDistance', () => {
  it('counts letters to insert, delete, replace or swap', () => {
    expect(editDistance('', '')).toBe(0)
    expect(editDistance('', 'abc')).toBe(3)
    expect(editDistance('abc', '')).toBe(3)
    expect(editDistance('kitten', 'sitting')).toBe(3)
    expect(editDistance('metirc', 'metric')).toBe(1)
    expect(editDistance('ab', 'ba')).toBe(1)
  })
})
