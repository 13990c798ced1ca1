import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { Engine } from '../../kernels/engine.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { FeatureLabels } from './feature-labels.ts'

const engine = new Engine()
const [columns, labelColumns] = [6, 5]

interface Row {
  readonly entries: [number, number][]
  readonly labels: number[]
}

const value = fc.integer({ min: 0, max: 12 }).map(n => n / 7)
const row: fc.Arbitrary<Row> = fc.record({
  entries: fc.uniqueArray(fc.tuple(fc.nat({ max: columns - 1 }), value), { selector: ([index]) => index }),
  labels: fc.uniqueArray(fc.nat({ max: labelColumns - 1 }), { maxLength: 3 }),
})
const power = fc.constantFrom(0.5, 1, 1.5, 2, 4)

const featuresOf = (rows: readonly Row[]): SparseMatrix => SparseMatrix.from(rows.map(({ entries }) => entries), columns) // biome-ignore format: one line
const labelsOf = (rows: readonly Row[]): LabelMatrix => LabelMatrix.from(rows.map(({ labels }) => labels), labelColumns) // biome-ignore format: one line

/** Definition 7: the cosine of the two columns, 0 if one of them is empty. */
function oracle(rows: readonly Row[], feature: number, label: number): number {
  const x = rows.map(({ entries }) => entries.find(([index]) => index === feature)?.[1] ?? 0).map(Math.fround)
  const y = rows.map(({ labels }) => (labels.includes(label) ? 1 : 0))
  const dot = (a: number[], b: number[]): number => a.reduce((sum, v, i) => sum + v * b[i], 0)
  return dot(x, y) / Math.sqrt(dot(x, x) * dot(y, y)) || 0
}

/** What the kernels see: strength · scales for every pair. */
function strengths({ pairs, features, labels }: FeatureLabels): Map<string, number> {
  const seen = new Map<string, number>()
  const words = pairs.pairs.array
  const floats = new Float32Array(words.buffer, words.byteOffset, words.length)
  pairs.starts.array.forEach((start, feature) => {
    for (let at = start; at < start + pairs.counts.array[feature]; at++) {
      const label = words[2 * at]
      seen.set(`${feature} ${label}`, floats[2 * at + 1] * features.scales.array[feature] * labels.scales.array[label])
    }
  })
  return seen
}

function expectCosines(pairs: FeatureLabels, rows: readonly Row[]): void {
  const kept = strengths(pairs)
  for (let feature = 0; feature < columns; feature++) {
    for (let label = 0; label < labelColumns; label++) {
      const expected = oracle(rows, feature, label)
      expect(pairs.similarity(feature, label)).toBeCloseTo(expected, 10)
      expect(kept.get(`${feature} ${label}`) ?? 0).toBeCloseTo(expected ** pairs.power, 5)
      expect(kept.has(`${feature} ${label}`)).toBe(expected > 0)
    }
  }
}

describe('FeatureLabels', () => {
  it('holds the cosines of a small example', () => {
    // Feature 0 has the values 3 and 4, so length 5; label 0 is in both rows, label 1 in the first.
    const arrays = new CopyOnWriteArrays(engine)
    const features = SparseMatrix.from([[[0, 3]], [[0, 4], [1, 2]]]) // biome-ignore format: rows as rows
    const pairs = FeatureLabels.fit(features, LabelMatrix.from([[0, 1], [0]]), arrays)
    const { labels, similarities } = pairs.row(0)
    expect([...labels]).toEqual([0, 1])
    expect([...similarities]).toEqual([expect.closeTo(7 / (5 * Math.SQRT2), 12), expect.closeTo(3 / 5, 12)])
    expect(pairs.similarity(1, 1)).toBe(0)
    arrays.free()
  })

  it('is what Definition 7 says, raised to any power, for any rows', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 12 }), power, (rows, beta) => {
        const arrays = new CopyOnWriteArrays(engine)
        const pairs = FeatureLabels.fit(featuresOf(rows), labelsOf(rows), arrays, { power: beta })
        expectCosines(pairs, rows)
        pairs.power = 3
        expectCosines(pairs, rows)
        arrays.free()
      }),
    )
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('follows rows that come and go, as if fitted on those that are there', () => {
    const steps = fc.array(fc.record({ row, remove: fc.option(fc.nat(), { nil: undefined }) }), { maxLength: 25 })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 5 }), steps, power, (rows, changes, beta) => {
        const arrays = new CopyOnWriteArrays(engine)
        const live = [...rows]
        const pairs = FeatureLabels.fit(featuresOf(rows), labelsOf(rows).slice(0), arrays, { power: beta })
        for (const { row, remove } of changes) {
          pairs.add(featuresOf([row]).row(0), labelsOf([row]).row(0))
          live.push(row)
          if (remove === undefined) continue
          const [gone] = live.splice(remove % live.length, 1)
          pairs.remove(featuresOf([gone]).row(0), labelsOf([gone]).row(0))
        }
        expectCosines(pairs, live)
        const again = new FeatureLabels(arrays, pairs.sums(), beta)
        expectCosines(again, live)
        arrays.free()
      }),
    )
    expect(engine.arena.usedBytes).toBe(0)
  })

  it('takes labels it never heard of', () => {
    const arrays = new CopyOnWriteArrays(engine)
    const pairs = FeatureLabels.fit(SparseMatrix.from([[[0, 1]]]), LabelMatrix.from([[0]]), arrays)
    pairs.add({ indices: Uint32Array.of(0), values: Float32Array.of(1) }, Uint32Array.of(0, 100))
    expect(pairs.similarity(0, 100)).toBeCloseTo(Math.SQRT1_2, 12)
    expect(pairs.labels.length).toBe(101)
    arrays.free()
  })

  it('stays right when lengths change so much that the scales leave their range', () => {
    const arrays = new CopyOnWriteArrays(engine)
    const pairs = FeatureLabels.fit(SparseMatrix.from([[[0, 1]]]), LabelMatrix.from([[0]]), arrays, { power: 20 })
    const large = { indices: Uint32Array.of(0), values: Float32Array.of(1000) }
    pairs.add(large, Uint32Array.of(0))
    expect(strengths(pairs).get('0 0')).toBeCloseTo((1001 / Math.sqrt(1_000_001 * 2)) ** 20, 8)
    arrays.free()
  })

  it('keeps the most similar labels of the longest lists if there are too many pairs', () => {
    const arrays = new CopyOnWriteArrays(engine)
    // Feature 0 goes with labels 0 (three rows of three), 1 (one of two) and 2 (one of one); feature 1 with label 1.
    const features = SparseMatrix.from([[[0, 1]], [[0, 1]], [[0, 1]], [[1, 1]]])
    const labels = LabelMatrix.from([[0, 1], [0, 2], [0], [1]])
    const all = FeatureLabels.fit(features, labels, arrays)
    const most = FeatureLabels.fit(features, labels, arrays, { maxPairs: 3 })
    expect([...all.row(0).labels]).toEqual([0, 1, 2])
    expect([...most.row(0).labels]).toEqual([0, 2])
    expect([...most.row(1).labels]).toEqual([1])
    expect(most.similarity(0, 2)).toBe(all.similarity(0, 2))
    most.remove(features.row(0), labels.row(0))
    expect([...most.row(0).labels]).toEqual([0, 2])
    expect(FeatureLabels.fit(features, labels, arrays, { maxPairs: 0 }).pairs.size).toBe(0)
    arrays.free()
  })

  it('refuses negative values', () => {
    const negative = SparseMatrix.from([[[0, -1]]])
    expect(() => FeatureLabels.fit(negative, LabelMatrix.from([[0]]), new CopyOnWriteArrays(engine))).toThrow(
      'row 0 has the value -1, expected at least 0',
    )
  })
})
