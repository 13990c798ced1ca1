import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { ListMask } from '../../search/filters/list-mask.ts'
import { Renumbering } from '../renumbering.ts'
import { inverseFrequency } from './bm25.ts'
import { type FieldTexts, TextIndex } from './text-index.ts'

const settings = { k1: 1.2, b: 0.75, stemmer: 'none', stopWords: [], minLength: 1 }
const exactly = { prefix: false, typos: false, boosts: { text: 1 } } as const

function indexOf(texts: readonly FieldTexts[], engine = new Engine()): TextIndex {
  const index = new TextIndex(engine, settings)
  for (const [row, one] of texts.entries()) index.add(row, index.prepare(row, one))
  return index
}

/** Word i is in about every (i + 1)th text: long lists and short ones, over several windows of rows. */
function manyTexts(rows: number, seed: number): string[] {
  const random = new Random(seed)
  return Array.from({ length: rows }, () => {
    const words: string[] = []
    for (let word = 0; word < 40; word++) {
      if (random.float() * (word + 1) >= 1) continue
      for (let times = 1 + (random.float() < 0.2 ? 3 : 0); times > 0; times--) words.push(`w${word}`)
    }
    return words.join(' ')
  })
}

/** What BM25 says of every row, summed as the kernel sums. */
function scoresOf(texts: readonly string[], query: string): Map<number, number> {
  const all = texts.map(text => text.split(' ').filter(word => word !== ''))
  const mean = all.reduce((sum, { length }) => sum + length, 0) / all.length
  const scores = new Map<number, number>()
  for (const word of new Set(query.split(' '))) {
    const having = all.filter(words => words.includes(word)).length
    const weight = inverseFrequency(all.length, having) * 2.2
    all.forEach((words, row) => {
      const count = words.filter(other => other === word).length
      if (count === 0) return
      const part = Math.fround((weight * count) / (count + 1.2 * 0.25 + ((1.2 * 0.75) / mean) * words.length))
      scores.set(row, (scores.get(row) ?? 0) + part)
    })
  }
  return scores
}

function bestOf(scores: Map<number, number>, k: number, passes: (row: number) => boolean): [number, number][] {
  const passing = [...scores]
    .filter(([row]) => passes(row))
    .map(([row, sum]): [number, number] => [row, Math.fround(sum)])
  return passing.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, k)
}

describe('text search', () => {
  const texts = manyTexts(7000, 3)
  const engine = new Engine()
  const index = indexOf(
    texts.map(text => ({ text })),
    engine,
  )
  const listMask = new ListMask(engine.arena)
  const query = fc
    .uniqueArray(fc.nat({ max: 45 }), { minLength: 1, maxLength: 6 })
    .map(list => list.map(i => `w${i}`).join(' '))

  it('finds what BM25 ranks first, by bounds, by all postings, and among rows that pass a filter', () => {
    const compare = (text: string, k: number, every: number) => {
      const lists = index.listsFor(text, exactly)
      const scores = scoresOf(texts, text)
      const pairs = ({ rows, scores }: { rows: Uint32Array; scores: Float32Array }) =>
        Array.from(rows, (row, i) => [row, scores[i]])
      const all = bestOf(scores, k, () => true)
      expect(pairs(index.search(lists, k, {}))).toEqual(all)
      expect(pairs(index.search(lists, k, { exhaustive: true }))).toEqual(all)
      const listed = Uint32Array.from({ length: Math.floor(texts.length / every) }, (_, i) => i * every)
      const passing = bestOf(scores, k, row => row % every === 0 && row < listed.length * every)
      expect(pairs(index.search(lists, k, { listed }))).toEqual(passing)
      expect(pairs(index.search(lists, k, { mask: listMask.of(listed, texts.length) }))).toEqual(passing)
    }
    fc.assert(fc.property(query, fc.constantFrom(1, 10, 300), fc.constantFrom(2, 50, 1000), compare), { numRuns: 30 })
  })

  it('says which words each row has, and what they add', () => {
    const lists = index.listsFor('w3 w30 w7 nowhere', exactly)
    const { rows, scores } = index.search(lists, 20, {})
    index.matches(lists, rows).forEach((words, i) => {
      const own = (texts[rows[i]] as string).split(' ')
      expect(words.map(({ word }) => word).sort()).toEqual(
        ['w3', 'w30', 'w7'].filter(word => own.includes(word)).sort(),
      )
      expect(Math.fround(words.reduce((sum, { score }) => sum + score, 0))).toBe(scores[i])
    })
  })

  it('forgets removed rows when it is repacked, and gives their memory back', () => {
    const engine = new Engine()
    const rows = 3000
    const some = manyTexts(rows, 5)
    const index = indexOf(
      some.map(text => ({ text })),
      engine,
    )
    const newRows = Uint32Array.from(some, (_, row) => (row % 3 === 0 ? row / 3 : 0xffffffff))
    for (const [row, text] of some.entries()) if (row % 3 !== 0) index.remove({ text })
    const used = engine.arena.usedBytes
    index.beginRepack(new Renumbering(newRows, rows / 3), 100)
    let steps = 1
    while (!index.stepRepack()) steps++
    expect(steps).toBeGreaterThan(100)
    expect(engine.arena.usedBytes).toBeLessThan(used)
    const fresh = indexOf(some.filter((_, row) => row % 3 === 0).map(text => ({ text })))
    for (const text of ['w1 w20', 'w0 w39 w5']) {
      const [a, b] = [index, fresh].map(one => one.search(one.listsFor(text, exactly), 50, {}))
      expect(a).toEqual(b)
    }
  })
})

describe('forgiving search', () => {
  const index = indexOf([
    { text: 'baltic trade', title: 'ships' },
    { text: 'the balkans', title: 'mountains and rivers' },
    { text: 'baltimore harbor', title: 'a shipyard' },
    { text: 'celtic art', title: 'baltic' },
  ])
  const boosts = { text: 1, title: 1 }
  const found = (text: string, how: object) => {
    const { rows } = index.search(index.listsFor(text, { prefix: false, typos: false, boosts, ...how }), 10, {})
    return [...rows].sort()
  }

  it.each([
    ['baltic', {}, [0, 3]],
    ['balt', {}, []],
    ['balt', { prefix: true }, [0, 2, 3]],
    ['balt trade', { prefix: 'last' }, [0]],
    ['trade balt', { prefix: 'last' }, [0, 2, 3]],
    ['batlic', {}, []],
    ['batlic', { typos: true }, [0, 3]],
    ['celtik', { typos: true }, [3]],
    ['waltic', { typos: true }, []],
    ['moutains', { typos: true }, [1]],
    ['baltimroe', { typos: true, prefix: true }, [2]],
    ['ship', { prefix: true, boosts: { title: 1 } }, [0, 2]],
    ['ship', { prefix: true, boosts: { text: 1 } }, []],
  ])('%s with %o finds rows %j', (text, how, rows) => {
    expect(found(text, how)).toEqual(rows)
  })

  it('ranks the word itself before words that it begins or that are near it', () => {
    const index = indexOf([{ text: 'harbors' }, { text: 'harbor' }, { text: 'harbours' }])
    const lists = index.listsFor('harbor', { prefix: true, typos: true, boosts: { text: 1 } })
    expect([...index.search(lists, 3, {}).rows][0]).toBe(1)
  })
})
