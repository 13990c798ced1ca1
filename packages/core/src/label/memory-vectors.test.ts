import { describe, expect, it } from 'vitest'
import type { Dataset } from '../data/dataset.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { Random } from '../random.ts'
import { evaluateClassifier } from './evaluate-classifier.ts'
import { MemoryClassifier } from './memory/memory-classifier.ts'

/**
 * Counts around 20 centers: no number is negative, so all rows point to the same side. The nearest rows are found best as they are:
 * one center is the mean, from which its rows have no direction, and half of the columns hold only noise, and little of it.
 */
function counts(seed: number, rows: number): Dataset {
  const [around, random] = [new Random(1), new Random(seed)]
  const centers = Array.from({ length: 20 }, (_, i) =>
    Array.from({ length: 16 }, () => (i % 4 === 0 ? 7.5 : 4 + around.below(8))).map((value, j) =>
      i % 4 === 0 && j === i / 4 ? 11 : value,
    ),
  )
  const labels = Array.from({ length: rows }, () => random.below(20))
  const near = (label: number) => [
    ...centers[label]!.map(value => Math.max(0, value + random.normal())),
    ...Array.from({ length: 24 }, () => 7.5 + 0.1 * random.normal()),
  ]
  return {
    ...{ name: 'counts', rows, features: DenseMatrix.from(labels.map(near)) },
    labels: LabelMatrix.from(labels.map(label => [label]), 20), // biome-ignore format: one idea
  }
}

describe('MemoryClassifier of dense vectors', () => {
  it('tells rows apart that all point to the same side', async () => {
    const model = await MemoryClassifier.fit(counts(2, 2000))
    const { metrics } = await evaluateClassifier(model, counts(3, 300))
    expect(metrics['p@1']).toBeGreaterThan(0.8)
    expect(model.options.scaling).not.toBe('none')
    model.free()
  })
})
