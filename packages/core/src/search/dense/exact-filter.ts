// One query against dense rows, all of them or those that pass a filter. A filter is asked about all rows first, or only about the
// nearest, whichever is cheaper.

import type { Engine } from '../../kernels/engine.ts'
import { type FoundRows, firstPassing, nearFor, type RowFilter } from '../filters/row-filter.ts'
import type { RowMask } from '../query-block.ts'
import type { DenseRows } from './dense-rows.ts'
import { exactMicros, listedMicros } from './exact-cost.ts'
import { exactNeighborsNow } from './exact-search.ts'

export interface RowQuestion {
  readonly rows: DenseRows
  readonly query: Float32Array
  /** No more than there are rows. */
  readonly k: number
  /** Which rows were not removed. */
  readonly mask: RowMask
}

/** The k nearest rows that pass, best first, ties by row. */
export function compareRows(engine: Engine, question: RowQuestion, filter?: RowFilter): FoundRows {
  if (!filter) return compare(engine, question)
  const { k, rows } = question
  const wide = Math.min(rows.rows, nearFor(k, filter.share))
  const whole = exactMicros(rows) + (filter.askNanos * wide) / 1000
  if (whole < filter.listNanos / 1000 + listedMicros(rows, filter.share)) {
    const near = compare(engine, { ...question, k: wide })
    const passing = firstPassing(near.rows, filter, k)
    if (passing.length === k || near.rows.length < wide) return pick(near, passing)
  }
  const listed = filter.rows()
  return compare(engine, { ...question, k: Math.min(k, listed.length) }, listed)
}

function compare(engine: Engine, { rows, query, k, mask }: RowQuestion, listed?: Uint32Array): FoundRows {
  if (k === 0) return { rows: new Uint32Array(0), raw: new Float32Array(0) }
  const placed = engine.arena.place(query, 'the query')
  try {
    const queries = { pointer: placed.pointer, rows: 1 }
    const found = exactNeighborsNow(engine, { rows, queries, k, mask, listed })
    return { rows: found.rows.subarray(0, found.counts[0]), raw: found.raw.subarray(0, found.counts[0]) }
  } finally {
    placed.free()
  }
}

function pick({ rows, raw }: FoundRows, places: readonly number[]): FoundRows {
  return { rows: Uint32Array.from(places, i => rows[i]), raw: Float32Array.from(places, i => raw[i]) }
}
