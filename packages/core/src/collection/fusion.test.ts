import { describe, expect, it } from 'vitest'
import { fuse, type Ranking } from './fusion.ts'

const list = (first: number, count: number, score: (place: number) => number): Ranking => ({
  rows: Array.from({ length: count }, (_, place) => first + place),
  scores: Array.from({ length: count }, (_, place) => score(place)),
})

describe('fusing by scores', () => {
  it('does not bury the one row that has all the words under rows in the middle of both rankings', () => {
    const words = { ...list(0, 100, place => (place === 0 ? 30 : 5 - place / 100)), missing: 0 }
    const meanings = list(50, 100, place => 0.5 - place / 1000)
    expect(fuse('scores', [words, meanings], [1, 1])[0]?.row).toBe(0)
    expect(fuse('ranks', [words, meanings], [1, 1])[0]?.row).not.toBe(0)
  })

  it('is by hand: 5 and 3 above a floor of 0 among three rows, and one of two equal rows', () => {
    const words = { rows: [7, 8], scores: [5, 3], missing: 0 }
    const meanings = { rows: [9, 8], scores: [0.25, 0.25] }
    const spread = Math.sqrt(38 / 9) // of 5, 3 and 0, whose mean is 8/3
    const fused = fuse('scores', [words, meanings], [1, 2])
    expect(fused.map(({ row }) => row)).toEqual([8, 7, 9])
    const parts = [3 / spread + 2, 5 / spread, 2]
    fused.forEach(({ score }, i) => {
      expect(score).toBeCloseTo(parts[i]!, 12)
    })
  })

  it('gives equal scores one each, although their mean is rounded', () => {
    const equal = { ...list(0, 3, () => 0.1), missing: 0 }
    expect(fuse('scores', [equal, { rows: [], scores: [] }], [1, 1]).map(({ score }) => score)).toEqual([1, 1, 1])
  })

  it('scores a row the same in longer rankings, so that pages fit together', () => {
    const score = (place: number) => 1 / (1 + place)
    const [short, long] = [100, 300].map(count =>
      fuse('scores', [list(0, count, score), list(60, count, score)], [1, 1]),
    )
    expect(long!.slice(0, 150)).toEqual(short!.slice(0, 150))
  })
})
