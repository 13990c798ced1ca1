import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import { Random } from '../../random.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { ForestIndex } from '../forest/forest-index.ts'
import { WaitingBatches } from './waiting-batches.ts'

const engine = new Engine()
afterAll(() => engine.close())

const dims = 256
const random = new Random(5)
const vectors = (count: number) =>
  Array.from({ length: count }, () => Array.from({ length: dims }, () => random.normal()))
const many = vectors(8000)

describe.each([
  ['ExactIndex', ExactIndex],
  ['ForestIndex', ForestIndex],
] as const)('a long list of queries to searchBatch of an %s', (_, kind) => {
  it('does not block while it is read', async () => {
    using index = await kind.fit(vectors(20), { engine })
    let wasRead = false
    const batch = index.searchBatch([...Array<number[]>(40_000).fill(many[0] as number[]), [1]])
    const refused = batch.catch(() => {
      wasRead = true
    })
    await Promise.resolve()
    await new Promise(resolve => setTimeout(resolve, 0))
    expect(wasRead).toBe(false)
    await refused
    expect(wasRead).toBe(true)
  })

  it('is answered for the index as it was, if it changes or is freed while it is read', async () => {
    const rows = vectors(20)
    const index = await kind.fit(rows, { engine })
    const expected = await index.searchBatch(many.slice(0, 3), { k: 2 })
    const batches = [index.searchBatch(many, { k: 2 })]
    index.remove(expected.neighbors(0)[0]?.id ?? 0)
    index.add(many[1] as number[], 'new')
    batches.push(index.searchBatch(many, { k: 2 }))
    index.compact()
    index.free()
    const [before, after] = await Promise.all(batches)
    for (let i = 0; i < 3; i++) expect(before?.neighbors(i)).toEqual(expected.neighbors(i))
    expect(after?.neighbors(1)[0]).toEqual({ id: 'new', distance: 0 })
  })
})

it('reports a bad query of a list that had to be read at once', async () => {
  const batches = new WaitingBatches()
  const answers = batches.answer([...many, [1]], dims, {}, async ({ rows }) => rows)
  batches.beginAll()
  await expect(answers).rejects.toMatchObject({ code: 'DIMENSION_MISMATCH' })
})
