import fc from 'fast-check'
import { expect, it } from 'vitest'
import { editDistance } from '../../nearest-names.ts'
import { WordList } from './word-list.ts'

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'é'), minLength: 1, maxLength: 7 })
const words = fc.uniqueArray(word, { maxLength: 200 })

it('finds the words that another begins, the shortest first', () => {
  fc.assert(
    fc.property(words, words, word, (known, added, prefix) => {
      const list = new WordList(known)
      const all = new Set(known)
      for (const one of added) {
        if (!all.has(one)) list.add(one)
        all.add(one)
      }
      const longer = [...all].filter(one => one !== prefix && one.startsWith(prefix)).sort()
      expect([...list.withPrefix(prefix)]).toEqual(longer.sort((a, b) => a.length - b.length))
      expect(list.size).toBe(all.size)
    }),
  )
})

/** Few different letters, so that many words are near each other; or many, beyond ASCII and beyond 16 bits. */
const letters = fc.constantFrom(
  ['a', 'b', 'c', 'é'],
  [...'abcdefghijklmnopqrstuvwxyzåäöжщ中', '\u{10400}', '\u{10401}'],
)
const nearWords = letters.chain(alphabet => {
  const word = fc.string({ unit: fc.constantFrom(...alphabet), minLength: 1, maxLength: 12 })
  // Some random words, and spellings a few letters away from the asked one.
  const spelling = (asked: string) =>
    fc
      .array(fc.tuple(fc.nat({ max: 12 }), fc.nat({ max: 2 }), fc.constantFrom('', ...alphabet)), { maxLength: 3 })
      .map(
        edits =>
          edits.reduce((own, [at, cut, letter]) => own.slice(0, at) + letter + own.slice(at + cut), asked) || asked,
      )
  return word.chain(asked =>
    fc.tuple(fc.constant(asked), fc.uniqueArray(fc.oneof(word, spelling(asked)), { maxLength: 60 })),
  )
})

it('finds the words within a number of edits that share the first letter', () => {
  fc.assert(
    fc.property(nearWords, fc.constantFrom(1, 2), fc.nat({ max: 60 }), ([asked, known], most, added) => {
      const found = new Map<string, number>()
      const list = new WordList(known.slice(added))
      for (const one of known.slice(0, added)) list.add(one)
      list.near(asked, most, (one, edits) => found.set(one, edits))
      const [first] = asked
      const near = known.filter(one => one !== asked && [...one][0] === first && editDistance(one, asked) <= most)
      expect([...found].sort()).toEqual(near.map(one => [one, editDistance(one, asked)]).sort())
    }),
    { numRuns: 2000 },
  )
})
