import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from '../../nearest-names.ts'
import { WordList } from './word-list.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: 7 })
const words = fc.uniqueArray(word, { maxLength: 200 })

it('finds the words that another begins, in order or waiting', () => {
  fc.assert(
    fc.property(words, words, word, (known, added, prefix) => {
      const list = new WordList(known)
      const all = new Set(known)
      for (const one of added) {
        if (!all.has(one)) list.add(one)
        all.add(one)
      }
      const found: string[] = []
      list.withPrefix(prefix, one => found.push(one))
      expect(found.sort()).toEqual([...all].filter(one => one !== prefix && one.startsWith(prefix)).sort())
      expect(list.size).toBe(all.size)
    }),
  )
})

it('finds the words within a number of edits that share the first letter', () => {
  fc.assert(
    fc.property(words, word, fc.constantFrom(1, 2), (known, asked, most) => {
      const found = new Map<string, number>()
      new WordList(known).near(asked, most, (one, edits) => found.set(one, edits))
      const near = known.filter(one => one !== asked && one[0] === asked[0] && editDistance(one, asked) <= most)
      expect([...found].sort()).toEqual(near.map(one => [one, editDistance(one, asked)]).sort())
    }),
    { numRuns: 300 },
  )
})
