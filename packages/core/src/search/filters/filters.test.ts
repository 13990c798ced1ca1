// Filters of all indexes against the textbook's loop over the items that pass.

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import type { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { Random } from '../../random.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { ForestIndex } from '../forest/forest-index.ts'
import { clustered, idsOf } from '../index-oracle.cases.ts'
import { InvertedIndex } from '../inverted/inverted-index.ts'
import type { Filter, ItemFilter, Neighbor } from '../neighbor.ts'
import { NetIndex } from '../net/net-index.ts'
import { SparseForestIndex } from '../sparse-forest/sparse-forest-index.ts'
import type { PreparedFilter } from './prepared-filter.ts'

type Row = ArrayLike<number> & SparseRow

/** What these tests use of an index, whatever its rows are. */
interface AnyIndex {
  readonly rows: number
  search(query: Row, options?: { k?: number; filter?: Filter }): Neighbor[]
  filter(filter: ItemFilter): PreparedFilter
  add(row: Row, id?: Id): Id
  remove(id: Id): boolean
  compact(): Uint32Array
  free(): void
}

interface Kind {
  readonly name: string
  readonly isExact: boolean
  fit(ids?: readonly Id[]): Promise<AnyIndex>
  row(i: number): Row
}

const count = 900
const dense = clustered(5, count, 8)
const sparse = sparseRows(count)

/** Four of forty features each, and one that all share, so that every row is a neighbor of every other. */
function sparseRows(rows: number): SparseMatrix {
  const random = new Random(8)
  return SparseMatrix.from(
    Array.from({ length: rows }, () =>
      [
        0,
        ...random
          .sample(40, 4)
          .sort()
          .map(feature => feature + 1),
      ].map(feature => [feature, feature === 0 ? 0.1 : 1 + random.float()] as [number, number]),
    ),
    41,
  )
}

// The fits differ in their options' types, the rows in their form: what is used is the same.
const kind = (name: string, isExact: boolean, matrix: DenseMatrix | SparseMatrix, fit: unknown): Kind => ({
  name,
  isExact,
  fit: ids => (fit as (rows: unknown, ids?: readonly Id[]) => Promise<AnyIndex>)(matrix, ids),
  row: i => matrix.row(i) as unknown as Row,
})
const kinds: Kind[] = [
  kind('ExactIndex', true, dense, (rows: DenseMatrix, ids?: Id[]) => ExactIndex.fit(rows, { ...(ids && { ids }) })),
  kind('ForestIndex', false, dense, (rows: DenseMatrix, ids?: Id[]) => {
    return ForestIndex.fit(rows, { targetRecall: 0, trees: 8, ...(ids && { ids }) })
  }),
  kind('ForestIndex of codes', false, dense, (rows: DenseMatrix, ids?: Id[]) => {
    return ForestIndex.fit(rows, { targetRecall: 0, trees: 8, keep: 'codes', ...(ids && { ids }) })
  }),
  kind('ForestIndex that compares all', true, dense, (rows: DenseMatrix, ids?: Id[]) => {
    return ForestIndex.fit(rows, { exact: true, trees: 2, ...(ids && { ids }) })
  }),
  kind('NetIndex', true, dense, (rows: DenseMatrix, ids?: Id[]) => NetIndex.fit(rows, { ...(ids && { ids }) })),
  kind('InvertedIndex', true, sparse, (rows: SparseMatrix, ids?: Id[]) => {
    return InvertedIndex.fit(rows, { ...(ids && { ids }) })
  }),
  kind('SparseForestIndex', false, sparse, (rows: SparseMatrix, ids?: Id[]) => {
    return SparseForestIndex.fit(rows, { trees: 8, ...(ids && { ids }) })
  }),
]

describe.each(kinds)('a filter of $name', ({ fit, row, isExact }) => {
  let index: AnyIndex
  beforeAll(async () => {
    index = await fit()
  })
  afterAll(() => index.free())

  /** All items by distance, as the index sees them, without a filter. */
  const everything = (of: AnyIndex, query: Row) => of.search(query, { k: of.rows })

  /** Exact indexes give the nearest that pass; others as many, all of which pass, at their true distances, in order. */
  function expectPassing(of: AnyIndex, query: Row, k: number, filter: Filter, passes: (id: Id) => boolean): void {
    const passing = everything(of, query).filter(({ id }) => passes(id))
    const found = of.search(query, { k, filter })
    expect(found).toHaveLength(Math.min(k, passing.length))
    const near = isExact ? passing.slice(0, k) : passing.filter(({ id }) => idsOf(found).includes(id))
    expect(idsOf(found).sort()).toEqual(idsOf(near).sort())
    for (const [i, { distance }] of found.entries()) expect(distance).toBeCloseTo(near[i].distance, 5)
  }

  const asFilters = (of: AnyIndex, set: Set<Id>): Filter[] => [set, [...set], id => set.has(id), of.filter(set), of.filter([...set, ...set]), of.filter(id => set.has(id))] // biome-ignore format: all kinds

  it.each([1, 0.9, 0.5, 0.2, 0.05, 0.01, 0.001])('that lets the share of %f pass gives k of them, or all', share => {
    const random = new Random(4)
    for (const [i, k] of [1, 10, 40].entries()) {
      const set = new Set<Id>(random.sample(count, Math.round(share * count)))
      for (const filter of asFilters(index, set)) expectPassing(index, row(i), k, filter, id => set.has(id))
    }
  })

  it('that lets none pass gives none, and one of strangers too', () => {
    for (const filter of asFilters(index, new Set<Id>(['nobody', -1, 0.5, count]))) {
      expect(index.search(row(0), { filter })).toEqual([])
    }
    expect(index.search(row(0), { filter: new Set() })).toEqual([])
  })

  it('that lets only items far from the query pass gives the nearest of these', () => {
    const far = new Set<Id>(idsOf(everything(index, row(1)).slice(count / 2)))
    for (const filter of asFilters(index, far)) expectPassing(index, row(1), 10, filter, id => far.has(id))
  })

  it('larger than the index is as good as one that fits', () => {
    const set = new Set<Id>(Array.from({ length: 3 * count }, (_, i) => 2 * i))
    for (const filter of asFilters(index, set)) expectPassing(index, row(2), 10, filter, id => set.has(id))
  })

  it('is true of the items there are, through any changes', async () => {
    const ids = Array.from({ length: count }, (_, i) => `item ${i}`)
    const changing = await fit(ids)
    const odd = (id: Id) => Number(String(id).split(' ')[1]) % 2 === 1
    const prepared = changing.filter(odd)
    const step = fc.record({
      what: fc.constantFrom('add', 'remove', 'remove', 'search', 'search', 'compact'),
      number: fc.nat({ max: count - 1 }),
    })
    let added = count
    const follow = (steps: { what: string; number: number }[]) => {
      for (const { what, number } of [...steps, { what: 'search', number: 3 }]) {
        if (what === 'add') changing.add(row(number), `item ${added++}`)
        else if (what === 'remove') changing.remove(`item ${number}`)
        else if (what === 'compact') changing.compact()
        else for (const filter of [odd, prepared]) expectPassing(changing, row(number), 10, filter, odd)
      }
    }
    fc.assert(fc.property(fc.array(step, { maxLength: 12 }), follow), { numRuns: 8 })
    changing.free()
  })

  it('sees a set as it is at every call, and a prepared one as it was', () => {
    const set = new Set<Id>([1, 2, 3])
    const prepared = index.filter(set)
    set.delete(2)
    set.add(4)
    expect(idsOf(index.search(row(0), { filter: set })).sort()).toEqual([1, 3, 4])
    expect(idsOf(index.search(row(0), { filter: prepared })).sort()).toEqual([1, 2, 3])
  })

  it('that is prepared is not asked again', () => {
    let asked = 0
    const prepared = index.filter(id => ++asked > 0 && Number(id) % 3 === 0)
    expect(asked).toBe(count)
    for (let i = 0; i < 5; i++) index.search(row(i), { filter: prepared })
    expect(asked).toBe(count)
  })

  it('may search the same index', () => {
    const third = (id: Id) => Number(id) % 3 === 0
    const nested = (id: Id) =>
      index.search(row(Number(id)), { k: 1, filter: new Set([id, 0, 5]) }).length === 1 && third(id)
    expectPassing(index, row(7), 10, nested, third)
  })

  it('that changes the index is refused', async () => {
    const changing = await fit()
    const removeNew = () => changing.remove(changing.add(row(1)))
    for (const change of [() => changing.add(row(0)), removeNew, () => removeNew() && changing.compact()]) {
      for (const ask of [(filter: ItemFilter) => changing.search(row(0), { filter }), changing.filter.bind(changing)]) {
        let changes = 0
        const filter = (id: Id) => {
          if (changes++ === 0) change()
          return Number(id) % 2 === 0
        }
        const refused = expect.objectContaining({ code: 'INVALID_OPTION', message: expect.stringContaining('changed') })
        expect(() => ask(filter)).toThrow(refused)
      }
    }
    expect(changing.search(row(0), { k: 3, filter: new Set([8, 9]) })).toHaveLength(2)
    changing.free()
  })

  it.each([1, 0.01])('that frees the index is answered first, where the share of %f passes', async share => {
    const freed = await fit()
    const filter = (id: Id) => {
      freed.free()
      return Number(id) < share * count
    }
    expect(freed.search(row(0), { k: 3, filter })).toHaveLength(3)
    expect(() => freed.search(row(0))).toThrow('was freed')
  })

  it('that is an async function does not let everything pass: it is refused', async () => {
    const never = (async () => false) as unknown as (id: Id) => boolean
    const rejected = (async () => {
      throw new Error('nobody waits for this')
    }) as unknown as (id: Id) => boolean
    for (const filter of [never, rejected]) {
      for (const ask of [() => index.search(row(0), { filter }), () => index.filter(filter)]) {
        expect(ask).toThrow(
          expect.objectContaining({
            code: 'INVALID_OPTION',
            message: 'filter returned a promise, expected a plain value',
            hint: expect.stringContaining('a Set of ids'),
          }),
        )
      }
    }
    expect(idsOf(index.search(row(0), { k: 3, filter: new Set([1, 2]) })).sort()).toEqual([1, 2])
  })

  it('is refused where it is none, or of another index', async () => {
    const other = await fit()
    const filter = other.filter(() => true)
    expect(() => index.search(row(0), { filter })).toThrow('your filter was prepared by another index')
    expect(() => index.filter(7 as unknown as Set<Id>)).toThrow('a Set or an array of ids, or a function of an id')
    expect(() => index.search(row(0), { filter: [1, { id: 2 }] as unknown as Id[] })).toThrow('filter[1] is an object')
    expect(() => index.filter([null] as unknown as Id[])).toThrow('filter[0] is null, expected an id')
    expect(() => index.search(row(0), { filter: 7 as unknown as Filter })).toThrow(
      'or a filter made with index.filter()',
    )
    other.free()
  })
})
