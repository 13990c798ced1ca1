// The index against a look at every memory: the scorer's best, whatever was added and removed before.

import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { clock, drawnRows } from '../memory.cases.ts'
import { MemoryTree } from '../memory-tree.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** Readable: the product of two rows, longer ones a little more. */
function plainSum(query: SparseRow, key: SparseRow): number {
  const unit = ({ values }: SparseRow) => Math.hypot(...values)
  const terms = Array.from(key.indices, (feature, e) => {
    const at = query.indices.indexOf(feature)
    return at < 0 ? 0 : query.values[at] * key.values[e]
  })
  const cosine = terms.reduce((sum, term) => sum + term, 0) / (unit(query) * unit(key))
  return cosine * (key.indices.length / query.indices.length) ** (1 / 16)
}

describe('the index of keys', () => {
  it('finds the memories with the highest sums, after any inserts and removals', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.array(fc.nat(200), { maxLength: 80 }), (seed, removed) => {
        const memory = MemoryTree.create({ engine, clock, retrieval: 'index' })
        const rows = [...drawnRows(seed, 60, 20, 4), ...drawnRows(seed + 1, 60, 20, 7)]
        for (const [id, row] of rows.entries()) memory.insert(row, id, { id })
        const living = new Set(rows.keys())
        for (const id of removed) if (memory.remove(id)) living.delete(id)
        expect(memory.check()).toEqual([])
        const [query] = drawnRows(seed + 2, 1, 20, 5)
        const sums = [...living].map(id => plainSum(query, rows[id])).sort((a, b) => b - a)
        const found = memory.query(query, { k: 10 }).map(({ id }) => plainSum(query, rows[Number(id)]))
        expect(found.length).toBe(Math.min(10, living.size))
        found.forEach((sum, i) => {
          expect(sum).toBeCloseTo(sums[i], 5)
        })
        memory.free()
      }),
      { numRuns: 60 },
    )
  })

  it('gives room back: a memory that forgets as much as it learns does not grow', () => {
    const memory = MemoryTree.create({ engine, clock, retrieval: 'index', capacity: 500 })
    const random = new Random(3)
    const insert = (from: number, to: number) => {
      for (let i = from; i < to; i++) {
        memory.insert({ indices: random.sample(5000, 8), values: new Float32Array(8).fill(1) }, i)
      }
    }
    insert(0, 8000)
    const { indexBytes } = memory.stats()
    insert(8000, 40_000)
    expect(memory.stats().indexBytes).toBeLessThanOrEqual(indexBytes)
    expect(memory.check()).toEqual([])
    memory.free()
  })

  it('compares all dense keys, and those with zeros', () => {
    const memory = MemoryTree.create({ engine, clock, retrieval: 'index' })
    const random = new Random(5)
    const vectors = Array.from({ length: 300 }, (_, i) =>
      Array.from({ length: 19 }, (_, j) => (i % 7 === 0 && j % 3 === 0 ? 0 : random.normal())),
    )
    for (const [id, vector] of vectors.entries()) memory.insert(vector, id, { id })
    for (let id = 0; id < 300; id += 10) memory.remove(id)
    const cosine = (a: number[], b: number[]) =>
      a.reduce((sum, value, j) => sum + value * b[j], 0) / (Math.hypot(...a) * Math.hypot(...b))
    for (const query of [vectors[3], vectors[7], vectors[10]]) {
      const best = vectors
        .map((vector, id) => ({ id, cosine: cosine(query, vector) }))
        .filter(({ id }) => id % 10 !== 0)
        .sort((a, b) => b.cosine - a.cosine)
      expect(memory.query(query, { k: 20 }).map(({ id }) => id)).toEqual(best.slice(0, 20).map(({ id }) => id))
    }
    memory.free()
  })

  it('counts words at once that no memory had before', () => {
    const memory = MemoryTree.create({ engine, clock })
    for (let i = 0; i < 200; i++) memory.insert(`the usual words ${i}`, i)
    memory.insert('the usual zyzzyva', 'new')
    expect(memory.query('where is the zyzzyva')[0].value).toBe('new')
    memory.free()
  })

  it('leaves a memory whole that has no room for its lists', () => {
    const small = new Engine({ maxBytes: 2 ** 22 })
    const memory = MemoryTree.create({ clock, engine: small })
    let inserted = 0
    const fill = () => {
      for (; ; inserted++) memory.insert(`word${inserted} other${inserted} more${inserted}`, inserted)
    }
    expect(fill).toThrow(expect.objectContaining({ code: 'OUT_OF_MEMORY' }))
    expect(memory.size).toBe(inserted)
    expect(memory.check()).toEqual([])
    expect(memory.query('word5 other5')[0].value).toBe(5)
  })
})
