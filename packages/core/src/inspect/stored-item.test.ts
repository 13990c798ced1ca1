import { describe, expect, it } from 'vitest'
import { ExactIndex } from '../search/exact/exact-index.ts'
import { ForestIndex } from '../search/forest/forest-index.ts'
import { InvertedIndex } from '../search/inverted/inverted-index.ts'
import { NetIndex } from '../search/net/net-index.ts'
import { SparseForestIndex } from '../search/sparse-forest/sparse-forest-index.ts'
import { searchLike, storedItem } from './stored-item.ts'

const dense = [
  { id: 'a', vector: [3, 4] },
  { id: 'b', vector: [3, 5] },
  { id: 'c', vector: [9, 0] },
  { id: 4, vector: [0, 9] },
]
const sparse = dense.map(({ id, vector }) => ({ id, vector: vector.map((value, i): [number, number] => [i, value]) }))

describe('storedItem', () => {
  it.each([
    ['ExactIndex', ExactIndex],
    ['ForestIndex', ForestIndex],
  ])('gives back the vector that %s stores', async (_, { fit }) => {
    using index = await fit(dense)
    expect(storedItem(index, 'a')).toEqual(Float32Array.of(3, 4))
    expect(storedItem(index, 4)).toEqual(Float32Array.of(0, 9))
    expect(storedItem(index, 'z')).toBeUndefined()
    index.remove('a')
    expect(storedItem(index, 'a')).toBeUndefined()
  })

  it.each([
    ['InvertedIndex', InvertedIndex],
    ['SparseForestIndex', SparseForestIndex],
  ])('gives back the sparse row that %s stores', async (_, { fit }) => {
    using index = await fit(sparse, { metric: 'dot' } as object)
    expect(storedItem(index, 'a')).toEqual({ indices: Uint32Array.of(0, 1), values: Float32Array.of(3, 4) })
    expect(storedItem(index, 'z')).toBeUndefined()
  })

  it('gives back the text that a NetIndex stores', async () => {
    using index = await NetIndex.fit(['ship', 'shop'], { metric: 'levenshtein' })
    expect(storedItem(index, 1)).toBe('shop')
  })
})

describe('searchLike', () => {
  it('finds the nearest of a stored item, but not the item', async () => {
    using index = await ExactIndex.fit(dense)
    expect(searchLike(index, 'a', { k: 2 }).map(({ id }) => id)).toEqual(['b', 4])
    expect(searchLike(index, 4).map(({ id }) => id)).toEqual(['b', 'a', 'c'])
  })

  it('finds k others even if the item is not nearest to itself', async () => {
    using index = await ExactIndex.fit([{ id: 'long', vector: [5, 5] }, ...dense], { metric: 'dot' })
    expect(searchLike(index, 'a', { k: 2 })).toHaveLength(2)
  })

  it('says which id is unknown', async () => {
    using index = await ExactIndex.fit(dense)
    expect(() => searchLike(index, 'z')).toThrow("the index has no item 'z'")
  })
})
