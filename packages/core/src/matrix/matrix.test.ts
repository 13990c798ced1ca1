import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DenseMatrix } from './dense-matrix.ts'
import { LabelMatrix } from './label-matrix.ts'
import { SparseMatrix } from './sparse-matrix.ts'

const dense = () => DenseMatrix.from([[3, 4], [0, 0], [1, -1]]) // biome-ignore format: rows as rows
const sparse = () => SparseMatrix.from([[[0, 3], [2, 4]], [], [[1, 5]]], 4) // biome-ignore format: rows as rows
const labels = () => LabelMatrix.from([[2, 0], [], [1]], 4) // biome-ignore format: rows as rows

const toRows = (matrix: SparseMatrix): [number, number][][] =>
  Array.from({ length: matrix.rows }, (_, i) => {
    const row = matrix.row(i)
    return Array.from(row.indices, (index, j): [number, number] => [index, row.values[j]])
  })
const toLists = (matrix: LabelMatrix): number[][] => Array.from({ length: matrix.rows }, (_, i) => [...matrix.row(i)])

describe('DenseMatrix', () => {
  it('gives rows as views', () => {
    const matrix = dense()
    expect([...matrix.row(2)]).toEqual([1, -1])
    matrix.row(1)[0] = 9
    expect(matrix.values[2]).toBe(9)
  })

  it('slices, selects, concatenates and transposes', () => {
    expect([...dense().slice(1).values]).toEqual([0, 0, 1, -1])
    expect([...dense().select([2, 0, 2]).values]).toEqual([1, -1, 3, 4, 1, -1])
    expect([...dense().slice(0, 1).concat(dense().slice(2)).values]).toEqual([3, 4, 1, -1])
    const flipped = dense().transpose()
    expect([flipped.rows, flipped.columns, ...flipped.values]).toEqual([2, 3, 3, 0, 1, 4, 0, -1])
  })

  it('keeps bytes as bytes, and makes floats of a mixture', () => {
    const bytes = new DenseMatrix(2, 2, Uint8Array.of(1, 2, 3, 255))
    expect(bytes.select([1]).values).toEqual(Uint8Array.of(3, 255))
    expect(bytes.transpose().concat(bytes).values).toBeInstanceOf(Uint8Array)
    expect(bytes.concat(dense()).values).toBeInstanceOf(Float32Array)
    expect(bytes.toFloat32()).toEqual(Float32Array.of(1, 2, 3, 255))
    expect(new DenseMatrix(1, 1, Int32Array.of(2 ** 30 + 1)).select([0]).values[0]).toBe(2 ** 30 + 1)
  })

  it('normalizes rows to length 1 and leaves zero rows zero', () => {
    const before = dense()
    expect(Array.from(before.normalizeRows().values)).toEqual(
      [0.6, 0.8, 0, 0, Math.SQRT1_2, -Math.SQRT1_2].map(value => expect.closeTo(value, 6)),
    )
    expect(before.values[0]).toBe(3)
  })

  it.each([
    [() => DenseMatrix.from([[1, 2], [3]]), 'row 1 has 1 values, row 0 has 2'],
    [
      () =>
        DenseMatrix.from([
          [1, 2],
          [3, Number.NaN],
        ]),
      'row 1, column 1 is NaN, expected a finite 32-bit number',
    ],
    [() => DenseMatrix.from([[1e39]]), 'row 0, column 0 is 1e+39, expected a finite 32-bit number'],
    [() => new DenseMatrix(2, 2, new Float32Array(3)), 'a 2 × 2 matrix needs 4 values, got 3'],
    [
      () => new DenseMatrix(-1, 2, new Float32Array(0)),
      'DenseMatrix: rows is -1, expected a whole number of at least 0',
    ],
    [() => dense().row(3), 'row 3 does not exist: rows go from 0 to 2'],
    [() => dense().slice(2, 1), 'rows [2, 1) do not exist: rows go from 0 to 2'],
    [() => dense().concat(DenseMatrix.from([[1]])), 'cannot append rows with 1 columns to rows with 2'],
  ])('refuses %s', (make, message) => {
    expect(make).toThrow(message)
  })
})

describe('SparseMatrix', () => {
  it('keeps the entries of each row, in order of their index', () => {
    expect(toRows(SparseMatrix.from([[[2, 4], [0, 3]], []]))).toEqual([[[0, 3], [2, 4]], []]) // biome-ignore format: rows as rows
    expect([sparse().columns, sparse().entries]).toEqual([4, 3])
  })

  it('slices, selects, concatenates and normalizes', () => {
    expect(toRows(sparse().slice(1))).toEqual([[], [[1, 5]]])
    expect(toRows(sparse().select([2, 0]))).toEqual([[[1, 5]], [[0, 3], [2, 4]]]) // biome-ignore format: rows as rows
    const wide = SparseMatrix.from([[[9, 1]]])
    expect([toRows(sparse().slice(2).concat(wide)), sparse().concat(wide).columns]).toEqual([[[[1, 5]], [[9, 1]]], 10])
    expect(Array.from(sparse().normalizeRows().values)).toEqual([0.6, 0.8, 1].map(Math.fround))
  })

  it('transposes twice into itself', () => {
    const row = fc.uniqueArray(fc.tuple(fc.nat({ max: 9 }), fc.integer({ min: -9, max: 9 })), { selector: ([i]) => i })
    fc.assert(
      fc.property(fc.array(row, { maxLength: 8 }), rows => {
        const matrix = SparseMatrix.from(rows, 10)
        const flipped = matrix.transpose()
        expect(toRows(flipped.transpose())).toEqual(toRows(matrix))
        const expected = rows.flatMap((entries, i) => entries.filter(([j]) => j === 3).map(([, value]) => [i, value]))
        expect(toRows(flipped)[3]).toEqual(expected)
      }),
    )
  })

  it.each([
    [
      () =>
        SparseMatrix.from([
          [
            [1, 1],
            [1, 2],
          ],
        ]),
      'SparseMatrix: row 0 has index 1 twice, expected it once',
    ],
    [() => SparseMatrix.from([[[5, 1]]], 5), 'SparseMatrix: row 0 has index 5, expected less than 5'],
    [() => SparseMatrix.from([[[-1, 1]]]), 'row 0: the feature of pair 0 is -1, expected a whole number in [0, 2³²)'],
    [() => SparseMatrix.from([[[0, Number.NaN]]]), 'row 0, feature 0 is NaN, expected a finite 32-bit number'],
    [
      () => new SparseMatrix(2, 3, Float64Array.of(0, 1), Uint32Array.of(0), Float32Array.of(1)),
      'SparseMatrix: 2 rows need 3 offsets from 0 to 1, got 2 offsets from 0 to 1',
    ],
    [
      () => new SparseMatrix(2, 3, Float64Array.of(0, 2, 1), Uint32Array.of(0), Float32Array.of(1)),
      'SparseMatrix: the offsets fall at row 1: 2, then 1',
    ],
    [
      () => new SparseMatrix(1, 3, Float64Array.of(0, 1), Uint32Array.of(0), new Float32Array(0)),
      'SparseMatrix: 1 indices but 0 values',
    ],
  ])('refuses %s', (make, message) => {
    expect(make).toThrow(message)
  })
})

describe('LabelMatrix', () => {
  it('keeps the labels of each row, ascending, and counts them', () => {
    expect(toLists(labels())).toEqual([[0, 2], [], [1]])
    expect([...labels().counts()]).toEqual([1, 1, 1, 0])
  })

  it('slices, selects, concatenates and transposes', () => {
    expect(toLists(labels().slice(0, 2))).toEqual([[0, 2], []])
    expect(toLists(labels().select([2, 2]))).toEqual([[1], [1]])
    expect(toLists(labels().concat(labels()))).toHaveLength(6)
    expect(toLists(labels().transpose())).toEqual([[0], [2], [0], []])
  })

  it.each([
    [() => LabelMatrix.from([[1, 1]]), 'LabelMatrix: row 0 has index 1 twice, expected it once'],
    [() => LabelMatrix.from([[4]], 4), 'LabelMatrix: row 0 has index 4, expected less than 4'],
    [() => LabelMatrix.from([[0.5]]), 'row 0 has label 0.5, expected a whole number in [0, 2³²)'],
  ])('refuses %s', (make, message) => {
    expect(make).toThrow(message)
  })
})
