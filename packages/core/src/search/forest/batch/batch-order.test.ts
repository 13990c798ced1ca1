import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../../kernels/engine.ts'
import { clustered } from '../../index-oracle.cases.ts'
import { ForestIndex } from '../forest-index.ts'
import { permuteRows, restoreOrder } from './batch-order.ts'

const engine = new Engine()
afterAll(() => engine.close())

const orders = fc
  .integer({ min: 1, max: 30 })
  .chain(count => fc.shuffledSubarray([...Array(count).keys()], { minLength: count }))

describe('the order of a batch', () => {
  it('moves every row to its place, and answers back', () => {
    fc.assert(
      fc.property(orders, given => {
        const order = Uint32Array.from(given)
        const values = Float32Array.from({ length: 2 * order.length }, (_, e) => e)
        permuteRows(values, 2, order)
        expect([...values]).toEqual(given.flatMap(row => [2 * row, 2 * row + 1]))
        const rows = Uint32Array.from(order, row => row)
        const found = restoreOrder({ k: 1, rows, raw: Float32Array.from(order), counts: rows }, order)
        expect([...found.rows]).toEqual([...order.keys()])
        expect([...found.raw]).toEqual([...order.keys()])
        expect([...found.counts]).toEqual([...order.keys()])
      }),
    )
  })

  it.each(['euclidean', 'cosine', 'dot'] as const)('changes no answer under %s', async metric => {
    const index = await ForestIndex.fit(clustered(4, 3000), {
      engine,
      metric,
      trees: 2,
      links: 16,
      walk: 20,
      rerank: 15,
    })
    const queries = clustered(9, 400)
    const batch = await index.searchBatch(queries, { k: 5 })
    for (let i = 0; i < queries.rows; i++) expect(batch.neighbors(i)).toEqual(index.search(queries.row(i), { k: 5 }))
    index.free()
  })
})
