import { describe, expect, it } from 'vitest'
import { Vocabulary } from './vocabulary.ts'

const yso = Vocabulary.create([
  { id: 'p1', names: { en: 'ships', fi: 'laivat', 'sv-FI': 'fartyg' } },
  { id: 'p2', names: { en: 'tradition', fi: 'perinne' } },
  { id: 'p3', names: { en: 'tradition' } },
  { id: 'p4', names: { en: 'steamers', fi: 'höyrylaivat' }, deprecated: true },
  { id: 'p5', names: 'Titanic' },
])

describe('a vocabulary', () => {
  it('names ids in its language, English unless another is chosen', () => {
    expect(yso.language).toBe('en')
    expect(yso.languages).toEqual(['en', 'fi', 'sv-fi'])
    expect([yso.nameOf('p1'), yso.nameOf('p1', 'FI'), yso.in('sv-FI').nameOf('p1')]).toEqual([
      'ships',
      'laivat',
      'fartyg',
    ])
    expect(yso.in('fi')[Symbol.iterator]().next().value).toEqual({
      id: 'p1',
      names: { en: 'ships', fi: 'laivat', 'sv-fi': 'fartyg' },
    })
  })

  it('has no name in a language where there is none, except one without a language', () => {
    expect([yso.nameOf('p3', 'fi'), yso.nameOf('p5', 'fi'), yso.nameOf('p9')]).toEqual([
      undefined,
      'Titanic',
      undefined,
    ])
  })

  it('finds all ids of a name, deprecated ones last', () => {
    expect([yso.idsOf('tradition'), yso.idsOf('perinne', 'fi'), yso.idsOf('steamers')]).toEqual([
      ['p2', 'p3'],
      ['p2'],
      ['p4'],
    ])
    expect([yso.has('p4'), yso.isDeprecated('p4'), yso.isDeprecated('p1'), yso.isDeprecated('p9')]).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it('is cut to some ids, and joined with another, without changing its language', () => {
    const few = yso.in('fi').only(['p4', 'p1', 'none'])
    expect([few.size, few.language, few.nameOf('p1'), few.isDeprecated('p4')]).toEqual([2, 'fi', 'laivat', true])
    const joined = few.with(
      Vocabulary.create([
        { id: 'p1', names: 'other' },
        { id: 'p7', names: { fi: 'veneet' } },
      ]),
    )
    expect([joined.size, joined.nameOf('p1'), joined.nameOf('p7')]).toEqual([3, 'laivat', 'veneet'])
    const none = yso.in('sv-fi').only(['p2'])
    expect([none.language, none.nameOf('p2')]).toEqual(['sv-fi', undefined])
  })

  it.each([
    ['a language it does not have', () => yso.in('de'), 'the vocabulary has no names in "de"'],
    [
      'an id twice',
      () =>
        Vocabulary.create([
          { id: 'a', names: 'x' },
          { id: 'a', names: 'y' },
        ]),
      'two concepts have the id',
    ],
    ['an empty name', () => Vocabulary.create([{ id: 'a', names: { en: ' ' } }]), 'the name of a in "en"'],
    ['no id', () => Vocabulary.create([{ names: 'x' } as never]), 'the id of concept 0'],
  ])('refuses %s', (_, make, words) => {
    expect(make).toThrow(words)
  })
})
