import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import { SparseMatrix } from '../matrix/sparse-matrix.ts'
import { itemsOf } from './items.ts'

const both = { name: 'data', rows: 1, texts: ['a'], features: SparseMatrix.from([[[1, 2]]], 3) }

describe('itemsOf', () => {
  it('takes what the model was fitted on where the data has both', () => {
    expect(itemsOf(both, { takesTexts: true })).toBe(both.texts)
    expect(itemsOf(both, { takesTexts: false })).toBe(both.features)
  })

  it('gives dense rows as they are', () => {
    const features = DenseMatrix.from([
      [0, 2, 0],
      [0, 0, 0],
      [3, 0, -1],
    ])
    expect(itemsOf({ name: 'data', rows: 3, features }, { takesTexts: false })).toBe(features)
  })

  it.each([
    [true, { features: both.features }, 'data has no texts, and the model was fitted on texts'],
    [false, { texts: both.texts }, 'data holds texts, and the model was fitted on vectors'],
    [false, {}, 'data has no features, and the model was fitted on vectors'],
  ])('refuses other data: takesTexts %j', (takesTexts, parts, message) => {
    expect(() => itemsOf({ name: 'data', rows: 1, ...parts }, { takesTexts })).toThrow(
      expect.objectContaining({ code: 'BAD_DATA', message }),
    )
  })
})
