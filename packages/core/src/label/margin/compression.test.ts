import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dataset } from '../../data/dataset.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { compressRows, coverRadius } from './compression.ts'
import { readMarginData } from './data.ts'
import { marginDefaults } from './options.ts'
import { separate } from './separation/separate.ts'

type Place = readonly [x: number, labels: readonly number[]]

const nearest = (x: number, places: readonly Place[], counts: (labels: readonly number[]) => boolean) =>
  Math.min(...places.filter(([, labels]) => counts(labels)).map(([p]) => Math.abs(p - x)))

describe('the rows that stand for the others', () => {
  it('foresee every error of the model, and count no kept row as one', async () => {
    const labels = fc.uniqueArray(fc.nat({ max: 2 }), { minLength: 1, maxLength: 2 }).map(own => own.sort())
    const lists = fc.array(fc.tuple(fc.nat({ max: 20 }), labels), { minLength: 1, maxLength: 14 })
    const agree = async (places: Place[], gap: number, tolerance: number, item: Place) => {
      const data = readMarginData(datasetOf(places), { ...marginDefaults, gap, tolerance }, {})
      const { dropped } = await separate(data, {})
      const { radius } = coverRadius(gap, tolerance)
      const kept = [...places.keys()].filter(row => dropped[row] === 0)
      const chosen = (await compressRows(data, kept, radius, Number.POSITIVE_INFINITY, {})) ?? []
      const [all, few] = [kept.map(row => places[row]), chosen.map(row => places[row])]
      const errs = ([x, own]: Place, rows: readonly Place[], more: number) => {
        const shares = (others: readonly number[]) => others.some(label => own.includes(label))
        return (1 + tolerance) * nearest(x, rows, shares) + more >= nearest(x, rows, others => !shares(others))
      }
      if (errs(item, all, 0)) expect(errs(item, few, radius)).toBe(true)
      for (const row of all) expect(errs(row, few, radius) && few.some(([, own]) => !own.some(label => row[1].includes(label)))).toBe(false) // biome-ignore format: one idea
    }
    const options = [fc.constantFrom(1, 3, 5.5, 9), fc.constantFrom(0, 0.5)] as const
    await fc.assert(fc.asyncProperty(lists, ...options, fc.tuple(fc.nat({ max: 20 }), labels), agree))
  })

  it('are as few as the clusters, and none are returned if they are more than asked for', async () => {
    const places = Array.from({ length: 40 }, (_, i): Place => [10 * (i % 4) + i / 40, [i % 2]])
    const data = readMarginData(datasetOf(places), { ...marginDefaults, gap: 8 }, {})
    const rows = [...places.keys()]
    expect(await compressRows(data, rows, 3.75, 4, {})).toEqual([0, 1, 2, 3])
    expect(await compressRows(data, rows, 3.75, 3, {})).toBeUndefined()
  })
})

describe('coverRadius', () => {
  it('is below gap / (2 + η), by at most an eighth', () => {
    const agree = (gap: number, tolerance: number) => {
      const { radius } = coverRadius(gap, tolerance)
      expect((2 + tolerance) * radius).toBeLessThan(gap)
      expect((2 + tolerance) * radius).toBeGreaterThanOrEqual(gap * (8 / 9) * (1 - 1e-12))
    }
    fc.assert(fc.property(fc.double({ min: 1e-200, max: 1e200, noNaN: true }), fc.constantFrom(0, 0.1, 3), agree))
    expect([coverRadius(8, 0).radius, coverRadius(8.1, 0).radius]).toEqual([3.75, 4])
    expect(coverRadius(Number.MIN_VALUE, 0).radius).toBe(0)
  })

  it('costs no more, over all radii together, than a probability allows', () => {
    let sum = 0
    for (let exponent = -1001; exponent <= 1022; exponent++)
      sum += 8 * Math.exp(-coverRadius(1.5 * 2 ** exponent, 0).nats)
    expect(sum).toBeLessThanOrEqual(1)
    expect(sum).toBeGreaterThan(0.99)
  })
})

function datasetOf(places: readonly Place[]): Dataset {
  return {
    name: 'line',
    rows: places.length,
    features: DenseMatrix.from(places.map(([x]) => [x])),
    labels: LabelMatrix.from(places.map(([, labels]) => [...labels]), 3), // biome-ignore format: one idea
  }
}
