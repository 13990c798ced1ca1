// Recall of a forest under filters, measured against comparing all rows that pass: it must not be lower than without a filter.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Id } from '../../ids/id.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { Random } from '../../random.ts'
import type { JsonObject } from '../../store/json.ts'
import { ExactIndex } from '../exact/exact-index.ts'
import { clustered, idsOf } from '../index-oracle.cases.ts'
import type { Filter } from '../neighbor.ts'
import { ForestIndex } from './forest-index.ts'
import type { ForestFitOptions } from './options.ts'
import type { ForestTuning } from './tuning.ts'

const [count, dims, asked] = [4000, 64, 40]
/** Chance alone moves a mean over so many queries by as much. */
const slack = 0.03

function noise(seed: number, rows: number): DenseMatrix {
  const random = new Random(seed)
  return new DenseMatrix(
    rows,
    dims,
    Float32Array.from({ length: rows * dims }, () => random.normal()),
  )
}

/** Every twentieth row is far from all others. */
function withOutliers(seed: number, rows: number): DenseMatrix {
  const near = clustered(seed, rows, dims)
  return new DenseMatrix(
    rows,
    dims,
    near.values.map((value, i) => (Math.floor(i / dims) % 20 === 0 ? 30 * value : value)),
  )
}

const sets = { clusters: (seed: number, rows: number) => clustered(seed, rows, dims), noise, outliers: withOutliers }

type Change = (index: ForestIndex) => ForestIndex

export function describeFilteredForest(
  data: keyof typeof sets,
  effort: string,
  options: ForestFitOptions,
  change: Change = index => index,
): void {
  describe(`filtered neighbors among ${data}, found by ${effort},`, () => describeRecall(sets[data], options, change))
}

/** The same index with another tuning. */
export function withTuning(index: ForestIndex, change: Partial<ForestTuning>): ForestIndex {
  const { meta, ...contents } = index.contents()
  const tuning = { ...(meta.tuning as object), ...change } as unknown as JsonObject // numbers and plain objects
  index.free()
  return ForestIndex.fromContents({ ...contents, meta: { ...meta, tuning } })
}

function describeRecall(
  make: (seed: number, rows: number) => DenseMatrix,
  options: ForestFitOptions,
  change: Change,
): void {
  const queries = make(9, asked)
  let forest: ForestIndex
  let exact: ExactIndex
  let own: number

  beforeAll(async () => {
    const rows = make(2, count)
    forest = change(await ForestIndex.fit(rows, options))
    exact = await ExactIndex.fit(rows)
    own = recallOf()
  })
  afterAll(() => {
    forest.free()
    exact.free()
  })

  /** The share of the ten nearest that pass which is found. All that is found passes, and there are ten if there can be. */
  function recallOf(filter?: Filter, judged: Filter | undefined = filter): number {
    let [hits, wanted] = [0, 0]
    for (let i = 0; i < asked; i++) {
      const truth = idsOf(exact.search(queries.row(i), { ...(judged && { filter: judged }) }))
      const found = idsOf(forest.search(queries.row(i), { ...(filter && { filter }) }))
      expect(found).toHaveLength(truth.length)
      hits += truth.filter(id => found.includes(id)).length
      wanted += truth.length
    }
    return hits / wanted
  }

  it.each([0.5, 0.2, 0.05, 0.01, 0.001])('are as sure as others where the share of %f passes', share => {
    const set = new Set<Id>(new Random(6).sample(count, Math.round(share * count)))
    const asFunction = (id: Id) => set.has(id)
    for (const filter of [set, asFunction]) expect(recallOf(filter)).toBeGreaterThan(own - slack)
    expect(recallOf(forest.filter(set), set)).toBeGreaterThan(own - slack)
  })

  it('are as sure where the filter follows the place of rows', () => {
    // One half of the space, whatever side the query is on.
    const isRight = Array.from({ length: count }, (_, row) => exact.vector(row)[0] > 1)
    for (const right of [true, false]) {
      const half = (id: Id) => isRight[Number(id)] === right
      expect(recallOf(half)).toBeGreaterThan(own - slack)
      expect(recallOf(new Set<Id>(Array.from({ length: count }, (_, i) => i).filter(half)), half)).toBeGreaterThan(
        own - slack,
      )
    }
  })

  it('are as sure after rows were added and removed', () => {
    const more = make(4, 300)
    for (let i = 0; i < 300; i++) {
      forest.add(more.row(i), `new ${i}`)
      exact.add(more.row(i), `new ${i}`)
      forest.remove(3 * i)
      exact.remove(3 * i)
    }
    const before = recallOf()
    for (const modulus of [2, 20]) {
      const some = (id: Id) => Number(String(id).replace('new ', '')) % modulus === 0
      expect(recallOf(some)).toBeGreaterThan(before - slack)
    }
  })
}
