import { describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { finish, Pauses, type Steps } from '../../long-work.ts'
import { entriesPerStep } from '../../matrix/csr.ts'
import { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { InvertedIndex } from '../inverted/inverted-index.ts'
import { splitInSteps } from './frequent-columns.ts'
import { listByRowInSteps } from './posting-lists.ts'

/** Rows with features 0 (all), 1 or 2 (in turn), and one of their own. */
function rowsOf(count: number): SparseMatrix {
  const indices = new Uint32Array(3 * count)
  for (let row = 0; row < count; row++) indices.set([0, 1 + (row % 2), 3 + row], 3 * row)
  const offsets = Float64Array.from({ length: count + 1 }, (_, row) => 3 * row)
  return new SparseMatrix(count, count + 3, offsets, indices, new Float32Array(3 * count).fill(0.5))
}

function countSteps<T>(steps: Steps<T>): { count: number; result: T } {
  for (let count = 0; ; count++) {
    const { done, value } = steps.next()
    if (done) return { count, result: value }
  }
}

describe('the lists of an inverted index', () => {
  const rows = rowsOf(100_000)

  it('do not keep a page waiting until all of them are made', () => {
    const { count: flipping, result: lists } = countSteps(listByRowInSteps(rows))
    expect(flipping).toBeGreaterThanOrEqual(Math.floor(rows.entries / entriesPerStep))
    const { count: splitting, result: split } = countSteps(splitInSteps(lists, rows.rows))
    // A step for each of three columns; then the highest values of lists, and the lists that are left.
    expect([...split.frequent]).toEqual([0, 1, 2])
    expect(splitting).toBeGreaterThan(5)
    expect(split.short.rows).toHaveLength(100_000)
  })

  it('are those of the rows, feature by feature', () => {
    const few = finish(listByRowInSteps(rowsOf(4)))
    expect([...few.offsets]).toEqual([0, 4, 6, 8, 9, 10, 11, 12])
    expect([...few.rows]).toEqual([0, 1, 2, 3, 0, 2, 1, 3, 0, 1, 2, 3])
  })
})

it('are made of the rows as they were when fit was called, whatever happens to them in a pause', async () => {
  const rows = rowsOf(100_000)
  await new Promise(resume => setTimeout(resume, 0))
  expect(new Pauses({}).due).toBe(false)
  for (const end = performance.now() + 60; performance.now() < end; );
  setTimeout(() => rows.indices.fill(2 ** 31), 0)
  const index = await InvertedIndex.fit(rows, { engine: new Engine(), metric: 'dot' })
  expect([rows.indices[0], [...index.row(7).indices]]).toEqual([2 ** 31, [0, 2, 10]])
  index.free()
})
