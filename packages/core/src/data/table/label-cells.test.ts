import { describe, expect, it } from 'vitest'
import { labelSplitter } from './label-cells.ts'

const splitAll = (cells: string[], rule: { separator?: string; single?: boolean } = {}): string[][] =>
  cells.map(labelSplitter(cells, { single: false, ...rule }))

describe('labelSplitter', () => {
  it('takes uris out of angle brackets, whatever they contain', () => {
    expect(splitAll(['<http://a/1;x> <http://a/2|y>', '<http://a/3>'])).toEqual([
      ['http://a/1;x', 'http://a/2|y'],
      ['http://a/3'],
    ])
  })

  it('splits at white space where no cell has another separator', () => {
    expect(splitAll(['p1 p2', ' p3\t p1 ', ''])).toEqual([['p1', 'p2'], ['p3', 'p1'], []])
  })

  it('does not split at white space where another cell has a semicolon', () => {
    expect(splitAll(['machine learning; art', 'machine learning'])).toEqual([
      ['machine learning', 'art'],
      ['machine learning'],
    ])
  })

  it('prefers a semicolon to a bar to a comma', () => {
    expect(splitAll(['a|b,c;d'])).toEqual([['a|b,c', 'd']])
    expect(splitAll(['a|b,c d'])).toEqual([['a', 'b,c d']])
    expect(splitAll(['a, b c'])).toEqual([['a', 'b c']])
  })

  it('keeps a cell of a single-label column whole, unless it has a semicolon or a bar', () => {
    expect(splitAll(['New York, NY', ' Rome '], { single: true })).toEqual([['New York, NY'], ['Rome']])
    expect(splitAll(['New York|Rome'], { single: true })).toEqual([['New York', 'Rome']])
  })

  it('obeys the given separator, in single-label columns too', () => {
    expect(splitAll(['a;b / c'], { separator: '/', single: true })).toEqual([['a;b', 'c']])
    expect(splitAll(['a;b  c'], { separator: ' ' })).toEqual([['a;b', 'c']])
  })

  it('leaves out empty labels', () => {
    expect(splitAll([';a;;b;', ' ; ', '<>'])).toEqual([['a', 'b'], [], []])
  })
})
