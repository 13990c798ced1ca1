import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { Engine } from '../../kernels/engine.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { Scorer } from '../learning/scorer.ts'
import { drawnRows, sparse } from '../memory.cases.ts'
import { modelPlace } from '../memory-state.ts'
import { KeyStore } from '../table/key-store.ts'
import { MemoryQueryBuffers } from './query-buffers.ts'

const engine = new Engine()
afterAll(() => engine.close())

/** The readable version of keyProducts: features that both have, with the products of their values. */
function shared(memory: SparseRow, query: SparseRow): [number, number][] {
  return Array.from(memory.indices, (feature, i): [number, number] => {
    const j = query.indices.indexOf(feature)
    return [feature, j < 0 ? Number.NaN : Math.fround(memory.values[i] * query.values[j])]
  }).filter(([, product]) => !Number.isNaN(product))
}

/** Of keyScores: their sum, in 64 bits. */
function product(memory: SparseRow, query: SparseRow): number {
  const terms = Array.from(memory.indices, (feature, i) => {
    const j = query.indices.indexOf(feature)
    return j < 0 ? 0 : memory.values[i] * query.values[j]
  })
  return Math.fround(terms.reduce((sum, term) => sum + term, 0))
}

describe('the query buffers', () => {
  it('agrees with plain loops on products and shared features', () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.nat(30), fc.integer({ min: 1, max: 12 }), (seed, count, size) => {
        const keys = new KeyStore(engine.arena)
        const rows = drawnRows(seed, count, 14, size)
        for (const row of rows) keys.add(row)
        const buffers = new MemoryQueryBuffers(engine, keys, { shape: undefined })
        const [query] = drawnRows(seed + 5000, 1, 14, 6)
        buffers.lay(query)
        // Backwards, and the first one twice.
        const slots = [...rows.keys(), ...(count > 0 ? [0] : [])].reverse()
        expect([...buffers.cosines(slots)]).toEqual(slots.map(slot => product(rows[slot], query)))
        rows.forEach((row, slot) => {
          const { features, values, count } = buffers.shared(slot)
          const { buffer } = keys.features.array
          const found = [...new Uint32Array(buffer, features, count)].map((feature, e) => [
            feature,
            new Float32Array(buffer, values, count)[e],
          ])
          expect(found).toEqual(shared(row, query))
        })
        buffers.free()
        keys.free()
      }),
    )
  })

  it('weighs the products of the scorer, and not the cosines', () => {
    const keys = new KeyStore(engine.arena)
    keys.add(sparse({ 1: 0.6, 2: 0.8 }))
    const scorer = new Scorer(modelPlace(engine))
    const buffers = new MemoryQueryBuffers(engine, keys, { shape: undefined })
    buffers.lay(sparse({ 1: 1 }))
    // The key is twice as long as the query.
    const pivot = 2 ** (1 / 16)
    expect(buffers.pivotOf(0)).toBeCloseTo(pivot, 10)
    expect(buffers.sums([0], scorer)[0]).toBeCloseTo(0.6 * pivot, 6)
    const crossed = buffers.cross(sparse({ 9: 1 }))
    const sums = { sum: 0.6, plainSum: 0.6, support: 0 }
    scorer.learn({ ...sums, shared: buffers.shared(0), pivot: 1, crossed, crossedLength: 1 }, 1)
    expect(buffers.sums([0], scorer)[0]).toBeCloseTo(0.63 * pivot, 6)
    expect(buffers.plainSums([0])[0]).toBeCloseTo(0.6 * pivot, 6)
    expect(buffers.cosines([0])[0]).toBeCloseTo(0.6, 6)
  })
})
