// The k nearest rows of queries by brute force, one query at once or many in worker threads. Answers depend neither on the
// threads nor on how the queries are dealt out: every sum has one order, and every query its own output.

import type { Scope, Slice } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { Engine } from '../../kernels/engine.ts'
import { exactJobBlock } from '../../kernels/generated/blocks/exact.ts'
import { exactSearchKernels } from '../../kernels/sets/exact.ts'
import type { LongWork } from '../../long-work.ts'
import type { RowMask } from '../query-block.ts'
import type { DenseRows } from './dense-rows.ts'

/** Vectors in the arena, f32 [rows × dims]: a DenseRows is one. */
export interface PlacedRows {
  readonly pointer: number
  readonly rows: number
}

/** What is compared. */
export type ComparedRows = Pick<DenseRows, 'pointer' | 'rows' | 'dims' | 'products'>

export interface ExactQuestion {
  readonly rows: ComparedRows
  /** Prepared as the rows are: see DenseRows.place. */
  readonly queries: PlacedRows
  /** At least 1. Memory is set aside for this many: ask for no more than there are rows. */
  readonly k: number
  /** Which rows may be returned. */
  readonly mask?: RowMask
  /** The only rows to compare, ascending; the mask is ignored. Default: all. */
  readonly listed?: Uint32Array | undefined
  /** Query i is row i, and not its own neighbor. Default false. */
  readonly excludeSelf?: boolean
}

export interface ExactQuery extends ExactQuestion, LongWork {
  /** Worker threads. Default: one per core. */
  readonly threads?: number | undefined
}

/** Neighbors by internal row: query i's are at [i · k, i · k + counts[i]), best first, ties by row. */
export interface ExactNeighbors {
  readonly queries: number
  readonly k: number
  readonly rows: Uint32Array
  /** Squared distances, or products: see DenseRows.distance. */
  readonly raw: Float32Array
  readonly counts: Uint32Array
}

/** What one job computes at most, in products of two numbers: some tens of milliseconds, so that a signal is heard. */
const mostPerJob = 2 ** 27
/** Queries of one job: enough to read memory rarely, few enough to share out evenly. */
const mostQueries = 64
const jobsPerThread = 8

/** In worker threads. The mask is copied; the rows and queries must not move until it is done. */
export async function exactNeighbors(engine: Engine, query: ExactQuery): Promise<ExactNeighbors> {
  const { rows, queries, k, threads, signal, onProgress } = query
  const pool = engine.pool(threads)
  const scope = engine.arena.scope()
  try {
    const mask = query.mask && scope.place(query.mask.array.subarray(0, rows.rows))
    const { job, answer } = layOutJob(scope, { ...query, mask })
    const { size, ranges } = dealOut(queries.rows, rows, pool.threads)
    const jobs = ranges.map(([from, to]) => [job.pointer, from, to])
    const scratchBytes = engine.exactKernels(exactSearchKernels).exactScratchBytes(k, size)
    const work = { scratchBytes, what: 'searching', signal, onProgress }
    await pool.run(exactSearchKernels, 'exactSearch', jobs, work)
    return answer()
  } finally {
    scope.free()
  }
}

/** The same at once, in this thread: for a query or a few. */
export function exactNeighborsNow(engine: Engine, question: ExactQuestion): ExactNeighbors {
  const scope = engine.arena.scope()
  try {
    const { exactScratchBytes, exactSearch } = engine.exactKernels(exactSearchKernels)
    const { job, answer } = layOutJob(scope, question)
    const scratch = scope.allocate(Uint8Array, exactScratchBytes(question.k, question.queries.rows))
    exactSearch(scratch.pointer, job.pointer, 0, question.queries.rows)
    return answer()
  } finally {
    scope.free()
  }
}

/** The kernel's block, with room for the answers. */
export function layOutJob(scope: Scope, question: ExactQuestion): { job: Slice; answer: () => ExactNeighbors } {
  const { rows, queries, k, mask, listed, excludeSelf = false } = question
  const list = listed && scope.place(listed, 'a list of rows')
  const outRows = scope.allocate(Uint32Array, queries.rows * k, 'neighbors')
  const outRaw = scope.allocate(Float32Array, queries.rows * k, 'neighbors')
  const outCounts = scope.allocate(Uint32Array, queries.rows, 'neighbors')
  const job = placeBlock(scope, exactJobBlock, {
    rows: rows.pointer,
    count: rows.rows,
    dims: rows.dims,
    products: rows.products ? 1 : 0,
    queries: queries.pointer,
    k,
    mask: mask?.pointer ?? 0,
    excludeSelf: excludeSelf ? 1 : 0,
    outRows: outRows.pointer,
    outScores: outRaw.pointer,
    outCounts: outCounts.pointer,
    listed: list?.pointer ?? 0,
    listedCount: list?.length ?? 0,
  })
  const answer = (): ExactNeighbors => ({
    ...{ queries: queries.rows, k },
    ...{ rows: outRows.array.slice(), raw: outRaw.array.slice(), counts: outCounts.array.slice() },
  })
  return { job, answer }
}

function jobSize(queries: number, { rows, dims }: ComparedRows, threads: number): number {
  const fair = Math.ceil(queries / (threads * jobsPerThread))
  const short = Math.ceil(mostPerJob / (rows * dims))
  return Math.max(1, Math.min(mostQueries, fair, short))
}

/** Ranges [from, to) of queries, one per job, and how many queries the longest has. */
export function dealOut(
  queries: number,
  rows: ComparedRows,
  threads: number,
): { size: number; ranges: [number, number][] } {
  const size = jobSize(queries, rows, threads)
  const range = (job: number): [number, number] => [job * size, Math.min(queries, (job + 1) * size)]
  return { size, ranges: Array.from({ length: Math.ceil(queries / size) }, (_, job) => range(job)) }
}
