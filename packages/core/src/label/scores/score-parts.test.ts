import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { featureParts, type NeighborSpan, neighborParts, strength } from './score-parts.ts'

const sum = (numbers: readonly number[]): number => numbers.reduce((a, b) => a + b, 0)
const near = (numbers: readonly number[]): unknown[] => numbers.map(number => expect.closeTo(number, 6))
const span = (...similarities: number[]): NeighborSpan => ({
  similarities: Float32Array.from(similarities),
  from: 0,
  count: similarities.length,
})

describe('neighborParts', () => {
  it('divides the share by the powers of the similarities', () => {
    expect([...neighborParts(span(0.8, 0.6), 2, 0.5)]).toEqual(near([0.32, 0.18]))
  })

  it('is Definition 6, word for word', () => {
    const similarity = fc.integer({ min: 1, max: 100 }).map(n => Math.fround(n / 100))
    const power = fc.constantFrom(0.5, 1, 1.5, 2, 4)
    fc.assert(
      fc.property(fc.array(similarity), power, (similarities, power) => {
        const votes = similarities.map(s => s ** power)
        const expected = votes.map(vote => vote / sum(votes))
        expect([...neighborParts(span(...similarities), power, 1)]).toEqual(near(expected))
      }),
    )
  })

  it('lets neighbors speak if the power of their similarity is too small for a number', () => {
    expect([...neighborParts(span(0.001, 0.001), 200, 1)]).toEqual([0.5, 0.5])
  })

  it('gives nothing to neighbors that are not similar, in whatever order they come', () => {
    expect([...neighborParts(span(0, 0.5, -0.5), 1.5, 1)]).toEqual([0, 1, 0])
    expect([...neighborParts(span(0, 0), 2, 1)]).toEqual([0, 0])
  })

  it('looks at one query of many, and writes where it is told', () => {
    const out = Float64Array.of(7, 7, 7)
    neighborParts({ similarities: Float32Array.of(1, 0.5, 0.5, 1), from: 1, count: 2 }, 1, 1, out)
    expect([...out]).toEqual([0.5, 0.5, 7])
  })
})

describe('featureParts', () => {
  it('divides the share by the values of the features', () => {
    expect([...featureParts(Float32Array.of(3, 1), 0.4)]).toEqual(near([0.3, 0.1]))
    expect([...featureParts(Float32Array.of(0, 0), 0.4)]).toEqual([0, 0])
    expect([...featureParts(new Float32Array(0), 0.4)]).toEqual([])
  })
})

describe('strength', () => {
  it('is a power of the similarity', () => {
    expect([strength(0.5, 2), strength(0, 2), strength(1, 7), strength(0.25, 0.5)]).toEqual([0.25, 0, 1, 0.5])
  })
})
