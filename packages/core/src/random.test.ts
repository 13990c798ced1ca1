import { describe, expect, it } from 'vitest'
import { Random } from './random.ts'

const draw = (random: Random, count: number): number[] => Array.from({ length: count }, () => random.uint32())

describe('the seeded generator', () => {
  it('gives pinned numbers: a change here changes every fitted model', () => {
    expect(draw(new Random(1), 4)).toEqual([2466671647, 704075991, 1425070668, 2363080060])
  })

  it('gives other numbers for other seeds, streams and forks', () => {
    const sequences = [new Random(1), new Random(2), new Random(1, 1), new Random(2 ** 32 + 1), new Random(1).fork()]
    expect(new Set(sequences.map(random => draw(random, 3).join())).size).toBe(sequences.length)
  })

  it('draws evenly below a bound', () => {
    const random = new Random(7)
    const counts = new Array(6).fill(0)
    for (let i = 0; i < 60_000; i++) counts[random.below(6)]++
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(500) // 5.5 standard deviations
  })

  it('draws floats in [0, 1) with mean one half, and normals with mean 0 and variance 1', () => {
    const random = new Random(3)
    const floats = Array.from({ length: 20_000 }, () => random.float())
    expect(Math.min(...floats)).toBeGreaterThanOrEqual(0)
    expect(Math.max(...floats)).toBeLessThan(1)
    expect(floats.reduce((a, b) => a + b) / floats.length).toBeCloseTo(0.5, 1)
    const normals = Array.from({ length: 20_000 }, () => random.normal())
    expect(normals.reduce((a, b) => a + b) / normals.length).toBeCloseTo(0, 1)
    expect(normals.reduce((a, b) => a + b * b, 0) / normals.length).toBeCloseTo(1, 1)
  })

  it('shuffles without losing anything and samples without repeats', () => {
    const random = new Random(5)
    const shuffled = random.shuffle(Uint32Array.from({ length: 100 }, (_, i) => i))
    expect([...shuffled].sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, i) => i))
    expect(shuffled[0] === 0 && shuffled[1] === 1 && shuffled[2] === 2).toBe(false)
    const sample = random.sample(1000, 50)
    expect(new Set(sample).size).toBe(50)
    expect([...sample]).toEqual([...sample].sort((a, b) => a - b))
    expect([...random.sample(5, 5)]).toEqual([0, 1, 2, 3, 4])
  })
})
