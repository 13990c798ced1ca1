import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { reliabilityBins } from './reliability.ts'

/** Two suggestions per row. */
function ranked(labels: number[], scores: number[]) {
  const rows = labels.length / 2
  const counts = new Uint32Array(rows).fill(2)
  return { rows, top: 2, labels: Uint32Array.from(labels), scores: Float32Array.from(scores), counts }
}

describe('reliabilityBins', () => {
  it('counts how many suggestions of about the same score are right', () => {
    const truth = LabelMatrix.from([[0], [1], [0]], 3)
    const answers = ranked([0, 1, 1, 2, 2, 0], [0.75, 0.25, 0.75, 0, 0.75, 0.25])
    expect(reliabilityBins(truth, answers, 2)).toEqual([
      { from: 0, to: 0.5, count: 3, meanScore: 0.5 / 3, right: 1 / 3 },
      { from: 0.5, to: 1, count: 3, meanScore: 0.75, right: 2 / 3 },
    ])
  })

  it('leaves out empty bins, and puts a score of 1 into the last', () => {
    const truth = LabelMatrix.from([[0]], 2)
    expect(reliabilityBins(truth, ranked([0, 1], [1, 0.25]), 4)).toEqual([
      { from: 0.25, to: 0.5, count: 1, meanScore: 0.25, right: 0 },
      { from: 0.75, to: 1, count: 1, meanScore: 1, right: 1 },
    ])
  })

  it('reaches as far as the scores do', () => {
    const truth = LabelMatrix.from([[0]], 2)
    const [low, high] = reliabilityBins(truth, ranked([0, 1], [3, -1]), 2)
    expect(low).toMatchObject({ from: -1, to: 1, count: 1 })
    expect(high).toMatchObject({ from: 1, to: 3, count: 1 })
  })

  it('counts only suggestions that were made', () => {
    const truth = LabelMatrix.from([[0]], 2)
    const answers = { ...ranked([0, 1], [0.5, 0.5]), counts: Uint32Array.of(1) }
    expect(reliabilityBins(truth, answers).map(({ count }) => count)).toEqual([1])
  })

  it('refuses answers to other rows', () => {
    const truth = LabelMatrix.from([[0], [1]], 2)
    expect(() => reliabilityBins(truth, ranked([0, 1], [1, 0]))).toThrow('the truth has 2 rows, the answers have 1')
  })
})
