// Queries of a batch that are unlike the rows: they are answered again, as single searches do it (see unlike-queries.ts).

import type { Scope, Slice } from '../../../kernels/arena.ts'
import type { Engine } from '../../../kernels/engine.ts'
import type { ExactNeighbors } from '../../dense/exact-search.ts'
import type { Effort } from '../block.ts'
import { exactByCodes } from '../exact-by-codes.ts'
import { forestNeighbors } from '../search.ts'
import { isSame, reachOf } from '../unlike-queries.ts'
import type { ForestBatch } from './batch.ts'

export interface UnlikeRule {
  /** Queries whose nearest row is farther away are unlike the rows. */
  readonly farthest: number
  /** What they try one after the other, before all rows are compared. */
  readonly wider: readonly Effort[]
}

/** Puts better answers in the place of those `found` for queries unlike the rows. Rows are searched as they were when the batch began. */
export async function answerUnlike(
  engine: Engine,
  batch: ForestBatch & UnlikeRule,
  placed: Slice<Float32Array>,
  found: ExactNeighbors,
): Promise<void> {
  const { searched, mask, threads, signal } = batch
  const { k } = found
  let open = unlikeQueries(batch, placed, found)
  for (const effort of batch.wider) {
    if (open.length === 0) return
    const more = await withQueries(engine, batch, placed, open, queries =>
      forestNeighbors(engine, { searched, queries, k, effort, mask, threads, signal }),
    )
    const before = open.map(i => rawOf(found, i).slice())
    open.forEach((i, place) => {
      copyAnswer(more, place, found, i)
    })
    open = open.filter((i, place) => !isSame(rawOf(found, i), before[place]))
  }
  if (open.length === 0) return
  const truth = await withQueries(engine, batch, placed, open, queries =>
    exactByCodes(engine, { rows: searched.rows, queries, k, mask, threads, signal }, searched),
  )
  open.forEach((i, place) => {
    copyAnswer(truth, place, found, i)
  })
}

function unlikeQueries(
  { searched, farthest }: ForestBatch & UnlikeRule,
  placed: Slice<Float32Array>,
  found: ExactNeighbors,
) {
  if (farthest === Number.POSITIVE_INFINITY) return []
  const { dims, products } = searched.rows
  const { k, counts, raw } = found
  const query = (i: number) => placed.array.subarray(i * dims, (i + 1) * dims)
  const isUnlike = (i: number) => counts[i] > 0 && reachOf(query(i), raw[i * k], products) > farthest
  return Array.from(counts.keys()).filter(isUnlike)
}

/** The picked queries, side by side while they are used. */
async function withQueries<T>(
  engine: Engine,
  { searched }: ForestBatch,
  placed: Slice<Float32Array>,
  picked: readonly number[],
  use: (queries: { pointer: number; rows: number }) => Promise<T>,
): Promise<T> {
  const { dims } = searched.rows
  const scope: Scope = engine.arena.scope()
  try {
    const again = scope.allocate(Float32Array, picked.length * dims, 'queries')
    for (const [place, i] of picked.entries())
      again.array.set(placed.array.subarray(i * dims, (i + 1) * dims), place * dims)
    return await use({ pointer: again.pointer, rows: picked.length })
  } finally {
    scope.free()
  }
}

function rawOf({ k, raw, counts }: ExactNeighbors, i: number): Float32Array {
  return raw.subarray(i * k, i * k + counts[i])
}

function copyAnswer(from: ExactNeighbors, place: number, to: ExactNeighbors, i: number): void {
  const { k } = to
  to.rows.set(from.rows.subarray(place * k, (place + 1) * k), i * k)
  to.raw.set(from.raw.subarray(place * k, (place + 1) * k), i * k)
  to.counts[i] = from.counts[place]
}
