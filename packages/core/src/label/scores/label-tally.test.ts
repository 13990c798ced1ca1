import { describe, expect, it } from 'vitest'
import { LabelTally } from './label-tally.ts'

function best(tally: LabelTally, top: number): [number, number][] {
  const [labels, scores] = [new Uint32Array(top), new Float32Array(top)]
  const found = tally.takeBest(top, labels, scores, 0)
  return Array.from({ length: found }, (_, i) => [labels[i], scores[i]])
}

describe('LabelTally', () => {
  it('adds up, and takes the best with ties by label', () => {
    const tally = new LabelTally(5)
    tally.add(4, 0.25)
    tally.addEach(Uint32Array.of(9, 1, 2), 1, 3, 0.5)
    tally.addList(Uint32Array.of(2, 0), Float32Array.of(0.5, 0.25), 0, 2, 2)
    expect(best(tally, 9)).toEqual([[2, 1.5], [0, 0.5], [1, 0.5], [4, 0.25]]) // biome-ignore format: pairs in a row
  })

  it('starts over after each row', () => {
    const tally = new LabelTally(2)
    tally.add(0, 1)
    expect(best(tally, 1)).toEqual([[0, 1]])
    tally.add(1, 0.5)
    expect(tally.takeAll()).toEqual({ labels: Uint32Array.of(1), scores: Float32Array.of(0.5) })
    expect(best(tally, 1)).toEqual([])
  })

  it('leaves out labels that got nothing', () => {
    const tally = new LabelTally(2)
    tally.add(0, 0)
    tally.addList(Uint32Array.of(1), Float32Array.of(0), 0, 1, 3)
    expect(best(tally, 2)).toEqual([])
  })

  it('says how many labels it can rank', () => {
    expect(() => new LabelTally(2 ** 22 + 1)).toThrow('cannot rank 4194305 labels here, at most 4194304')
  })
})
