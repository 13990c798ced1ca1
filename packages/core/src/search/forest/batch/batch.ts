// Many queries to a forest index at once. Changes of the index in the meantime do not matter: leaves and masks are copied, and rows
// and codes that are replaced are kept until the batch is done.

import type { Forest } from '../../../forest/forest.ts'
import type { Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import type { LongWork } from '../../../long-work.ts'
import type { DenseNumbers } from '../../../matrix/dense-values.ts'
import type { ExactNeighbors } from '../../dense/exact-search.ts'
import type { NeighborArrays } from '../../neighbor-batch.ts'
import type { RowMask } from '../../query-block.ts'
import type { Effort, Searched } from '../block.ts'
import { exactByCodes } from '../exact-by-codes.ts'
import type { ForestRows } from '../rows.ts'
import { forestNeighbors, rankAgain } from '../search.ts'
import { orderQueries, permuteRows, restoreOrder } from './batch-order.ts'
import { answerUnlike, type UnlikeRule } from './unlike-batch.ts'

export interface ForestBatch extends LongWork {
  readonly queries: DenseNumbers
  /** At most the rows there are numbers for. */
  readonly k: number
  readonly rows: ForestRows
  readonly forest: Forest
  readonly searched: Searched
  /** All rows that can be found, and which of them may be. */
  readonly live: Uint32Array
  readonly mask: RowMask
  readonly threads?: number | undefined
}

/** As one search after the other would answer. */
export async function searchForestBatch(
  engine: Engine,
  batch: ForestBatch & UnlikeRule & { readonly effort: Effort },
): Promise<NeighborArrays> {
  const { queries, k, rows, forest, live, effort, threads, signal, onProgress } = batch
  const scope = engine.arena.scope()
  try {
    const placed = rows.rows.place(queries, scope)
    const order = orderQueries(engine, scope, batch.searched.sketch, placed)
    if (order) permuteRows(placed.array, queries.columns, order)
    const mask = batch.mask && scope.place(batch.mask.array)
    const searched = { ...batch.searched, forest: forest.snapshot(scope) }
    const found = await forestNeighbors(engine, {
      ...{ searched, queries: { pointer: placed.pointer, rows: queries.rows }, k, effort, mask, threads },
      ...{ signal, onProgress },
    })
    const wanted = Math.min(k, live.length)
    const short = Array.from(found.counts.keys()).filter(i => found.counts[i] < wanted)
    await rankAgain(engine, searched, placed, found, short, live, { signal })
    await answerUnlike(engine, { ...batch, searched, mask }, placed, found)
    return withDistances(order ? restoreOrder(found, order) : found, rows)
  } finally {
    scope.free()
  }
}

/** By comparing all rows: what recall is measured by. */
export async function exactForestBatch(engine: Engine, batch: ForestBatch): Promise<NeighborArrays> {
  const { queries, k, rows, mask, threads, signal, onProgress } = batch
  const scope = engine.arena.scope()
  try {
    const placed = rows.rows.place(queries, scope)
    if (rows.keep !== 'rows') {
      const searched = { ...batch.searched, forest: batch.forest.snapshot(scope) }
      return withDistances(await rankAll(engine, { ...batch, searched }, placed), rows)
    }
    const placing = { rows: rows.rows, queries: { pointer: placed.pointer, rows: queries.rows } }
    const found = await exactByCodes(engine, { ...placing, k, mask, threads, signal, onProgress }, batch.searched)
    return withDistances(found, rows)
  } finally {
    scope.free()
  }
}

/** All rows by their codes, for an index that keeps nothing else. */
async function rankAll(engine: Engine, batch: ForestBatch, placed: Slice<Float32Array>): Promise<ExactNeighbors> {
  const { queries, k, searched, live } = batch
  const [rows, raw] = [new Uint32Array(queries.rows * k), new Float32Array(queries.rows * k)]
  const found = { queries: queries.rows, k, rows, raw, counts: new Uint32Array(queries.rows) }
  await rankAgain(engine, searched, placed, found, Array.from(found.counts.keys()), live, batch)
  return found
}

function withDistances({ queries, k, rows, raw, counts }: ExactNeighbors, kept: ForestRows): NeighborArrays {
  return { queries, k, rows, counts, distances: raw.map(value => kept.rows.distance(value)) }
}
