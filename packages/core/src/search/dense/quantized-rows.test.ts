import { describe, expect, it } from 'vitest'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { Random } from '../../random.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { ForestIndex } from '../forest/forest-index.ts'

const dims = 21 // two times eight numbers, and five more
const random = new Random(3)
const matrixOf = (rows: number, number: () => number) =>
  DenseMatrix.from(Array.from({ length: rows }, () => Array.from({ length: dims }, number)))

/** Distances to all rows, by an index that keeps a byte per number and by one that keeps the rows. */
async function distances(rows: DenseMatrix, query: Float32Array): Promise<{ byCodes: number[]; exact: number[] }> {
  using codes = await ForestIndex.fit(rows, { keep: 'codes', trees: 1 })
  using exact = await ExactIndex.fit(rows)
  const inOrder = (hits: readonly { id: unknown; distance: number }[]) =>
    [...hits].sort((a, b) => Number(a.id) - Number(b.id)).map(hit => hit.distance)
  const k = rows.rows
  return { byCodes: inOrder(codes.search(query, { k })), exact: inOrder(exact.search(query, { k })) }
}

describe('rows as a byte per number', () => {
  it.each([
    ['from 0 to 255', () => random.below(256)],
    ['from 0 to 100', () => random.below(101)],
    ['from -100 to 100', () => random.below(201) - 100],
  ])('are exact for whole numbers %s', async (_, number) => {
    const { byCodes, exact } = await distances(matrixOf(50, number), Float32Array.from({ length: dims }, number))
    expect(byCodes).toEqual(exact)
  })

  it('are rounded to 255 steps for other numbers', async () => {
    const number = () => random.normal()
    const { byCodes, exact } = await distances(matrixOf(50, number), Float32Array.from({ length: dims }, number))
    expect(byCodes).not.toEqual(exact)
    for (const [i, distance] of byCodes.entries()) expect(Math.abs(distance - (exact[i] ?? 0))).toBeLessThan(0.05) // measured: 0.02
  })
})
