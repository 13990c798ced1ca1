// Many sparse queries at once, in worker threads. Every query has its own output, so answers depend neither on the number of threads nor on
// how queries are distributed.

import type { Scope, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { roomBytes } from '../../kernels/generated/blocks/rooms.ts'
import { sparseBatchBlock } from '../../kernels/generated/blocks/sparse-search.ts'
import { sparseKernels } from '../../kernels/sets/sparse.ts'
import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import { forestNames, listNames, type RowMask, writeQueryBlock } from '../query-block.ts'
import type { Algorithm } from './layout.ts'

/** Neighbors of many queries, by internal row: query i's are at [i · k, i · k + counts[i]), best first. */
export interface NearestBatch {
  readonly queries: number
  /** As requested, or the number of rows if that is less. */
  readonly k: number
  readonly rows: Uint32Array
  readonly similarities: Float32Array
  readonly counts: Uint32Array
  /** How many rows were computed in full, over all queries: the work that was done. */
  readonly candidates: number
}

export interface BatchQuery extends LongWork {
  /** The index block. It and the mask are copied, so that the index may change in the meantime. */
  readonly index: Slice<Uint32Array>
  readonly queries: SparseMatrix
  readonly k: number
  readonly algorithm: Algorithm
  readonly mask: RowMask
  readonly excludeSelf: boolean
  readonly threads: number | undefined
  /** Where a forest finds the neighbors: places its block, given the address of the index's; returns where. */
  readonly finder?: (scope: Scope, index: number) => number
}

/** Queries of one job: enough to make the call cheap, few enough to share out evenly. */
const mostPerJob = 128
const jobsPerThread = 8

export async function answerBatch(engine: Engine, batch: BatchQuery): Promise<NearestBatch> {
  const { queries, k, threads, signal, onProgress } = batch
  const pool = engine.pool(threads)
  const scope = engine.arena.scope()
  try {
    const lists = scope.place(batch.index.array).pointer
    const searched = batch.finder?.(scope, lists) ?? lists
    const names = batch.finder ? forestNames : listNames
    const block = scope.allocate(Uint32Array, sparseBatchBlock.length)
    const terms = longestQuery(queries)
    const [rows, similarities, counts] = [
      scope.allocate(Uint32Array, queries.rows * k, 'neighbors'),
      scope.allocate(Float32Array, queries.rows * k, 'neighbors'),
      scope.allocate(Uint32Array, queries.rows, 'neighbors'),
    ]
    const [offsets, indices, values] = [
      scope.place(Uint32Array.from(queries.offsets), 'queries'),
      scope.place(queries.indices, 'queries'),
      scope.place(queries.values, 'queries'),
    ]
    const mask = batch.mask && scope.place(batch.mask.array)
    writeQueryBlock(block.array, { ...batch, mask, offsets, indices, values, terms, rows, similarities, counts })
    const scratchBytes = engine
      .exactKernels(sparseKernels)
      [names.scratchBytes](scope.allocate(Uint8Array, roomBytes).pointer, searched, k, terms)
    const jobs = dealOut(queries.rows, pool.threads).map(([from, to]) => [searched, block.pointer, from, to])
    const work = { scratchBytes, what: 'searching', steps: 'range', signal, onProgress } as const
    const computed = await pool.run(sparseKernels, names.search, jobs, work)
    return {
      queries: queries.rows,
      k,
      rows: rows.array.slice(),
      similarities: similarities.array.slice(),
      counts: counts.array.slice(),
      candidates: computed.reduce((sum, count) => sum + count, 0),
    }
  } finally {
    scope.free()
  }
}

/** Runs [from, to) of queries, one per job. */
function dealOut(queries: number, threads: number): [number, number][] {
  const size = Math.max(1, Math.min(mostPerJob, Math.ceil(queries / (threads * jobsPerThread))))
  return Array.from({ length: Math.ceil(queries / size) }, (_, job) => [
    job * size,
    Math.min(queries, (job + 1) * size),
  ])
}

function longestQuery({ rows, offsets }: SparseMatrix): number {
  let longest = 0
  for (let row = 0; row < rows; row++) longest = Math.max(longest, offsets[row + 1] - offsets[row])
  return longest
}
