import { describe, expect, it } from 'vitest'
import { LabelMatrix } from '../matrix/label-matrix.ts'
import { alignLabels } from './align-labels.ts'

const rowsOf = (labels: LabelMatrix) => Array.from({ length: labels.rows }, (_, row) => [...labels.row(row)])

describe('alignLabels', () => {
  it('matches labels by name and puts unknown ones last', () => {
    const labels = LabelMatrix.from([[0, 1], [2], []], 4)
    const dataset = { name: 'test', rows: 3, labels, labelNames: ['dog', 'new', 'cat', 'never used'] }
    const aligned = alignLabels(dataset, ['cat', 'cow', 'dog'])
    expect(rowsOf(aligned.labels)).toEqual([[2, 3], [0], []])
    expect(aligned).toMatchObject({ labelNames: ['cat', 'cow', 'dog', 'new'], unknown: 1, labels: { columns: 4 } })
  })

  it('takes the number of a label without a name for its name', () => {
    const aligned = alignLabels({ name: 'test', rows: 1, labels: LabelMatrix.from([[0, 2]]) }, ['2', '1', '0'])
    expect([rowsOf(aligned.labels), aligned.unknown]).toEqual([[[0, 2]], 0])
  })

  it('refuses data without labels', () => {
    for (const labels of [undefined, LabelMatrix.from([[]], 3)]) {
      expect(() => alignLabels({ name: 'test', rows: 1, ...(labels && { labels }) }, ['a'])).toThrow(
        expect.objectContaining({ code: 'EMPTY_DATA', message: 'test has no labels' }),
      )
    }
  })

  it('refuses data of which no label is known: something is mixed up', () => {
    expect(() => alignLabels({ name: 'test', rows: 1, labels: LabelMatrix.from([[0, 1]]) }, ['cat', 'dog'])).toThrow(
      expect.objectContaining({
        code: 'BAD_DATA',
        message: 'the model knows none of the 2 labels of test: "0" does not match any of its labels, such as "cat"',
      }),
    )
  })
})
