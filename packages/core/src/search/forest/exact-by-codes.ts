// The k nearest rows, exactly, with the help of their codes: most rows are too far by their codes alone, and are not computed. Answers are those
// of exact-search.ts, to the last bit. Products have no such codes, and rows that lie close together by their codes are all computed.

import type { Allocator, Slice } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { Engine } from '../../kernels/engine.ts'
import { codedRowsBlock } from '../../kernels/generated/blocks/coded-rows.ts'
import { forestKernels } from '../../kernels/sets/forest.ts'
import { compareRows, type RowQuestion } from '../dense/exact-filter.ts'
import { dealOut, type ExactNeighbors, type ExactQuery, exactNeighbors, layOutJob } from '../dense/exact-search.ts'
import type { FoundRows } from '../filters/row-filter.ts'
import type { Searched } from './block.ts'
import type { RowParts } from './training-rows.ts'

/** Rows with their codes. */
export type CodedRows = Pick<Searched, 'sketch' | 'codes'>

/** With so many rows for each neighbor wanted, codes rule out most of them. */
const leastRowsPerNeighbor = 256
/** Of shorter rows, comparing a code saves little. */
const leastDims = 64
/** Bytes that forestKernels.exactByCodesBytes works with. */
const dummyBytes = 64

function codesHelp({ rows, k }: Pick<ExactQuery, 'rows' | 'k'>): boolean {
  return !rows.products && rows.dims >= leastDims && k > 0 && rows.rows >= leastRowsPerNeighbor * k
}

/** As exactNeighbors. */
export async function exactByCodes(engine: Engine, query: ExactQuery, coded: CodedRows): Promise<ExactNeighbors> {
  if (!codesHelp(query)) return exactNeighbors(engine, query)
  const { rows, queries, threads, signal, onProgress } = query
  const pool = engine.pool(threads)
  const scope = engine.arena.scope()
  try {
    const mask = query.mask && scope.place(query.mask.array.subarray(0, rows.rows))
    const { job, answer } = layOutJob(scope, { ...query, mask })
    const block = placeCoded(scope, coded)
    const { size, ranges } = dealOut(queries.rows, rows, pool.threads)
    const jobs = ranges.map(([from, to]) => [job.pointer, block.pointer, from, to])
    const dummy = scope.allocate(Uint8Array, dummyBytes)
    const { exactByCodesBytes } = engine.exactKernels(forestKernels)
    const scratchBytes = exactByCodesBytes(dummy.pointer, job.pointer, block.pointer, size)
    await pool.run(forestKernels, 'exactByCodes', jobs, { scratchBytes, what: 'searching', signal, onProgress })
    return answer()
  } finally {
    scope.free()
  }
}

/** One query at once, on this thread. */
export function compareByCodes(
  engine: Engine,
  { query, k, mask }: Omit<RowQuestion, 'rows'>,
  { rows, sketch, codes }: RowParts,
): FoundRows {
  if (!codesHelp({ rows, k })) return compareRows(engine, { rows, query, k, mask })
  const scope = engine.arena.scope()
  try {
    const queries = { pointer: scope.place(query, 'the query').pointer, rows: 1 }
    const { job, answer } = layOutJob(scope, { rows, queries, k, mask })
    const block = placeCoded(scope, { sketch, codes })
    const { exactByCodes, exactByCodesBytes } = engine.exactKernels(forestKernels)
    const dummy = scope.allocate(Uint8Array, dummyBytes)
    const scratch = scope.allocateUnset(Uint8Array, exactByCodesBytes(dummy.pointer, job.pointer, block.pointer, 1))
    exactByCodes(scratch.pointer, job.pointer, block.pointer, 0, 1)
    const found = answer()
    return { rows: found.rows.subarray(0, found.counts[0]), raw: found.raw.subarray(0, found.counts[0]) }
  } finally {
    scope.free()
  }
}

function placeCoded(allocator: Allocator, { sketch, codes }: CodedRows): Slice {
  return placeBlock(allocator, codedRowsBlock, {
    codes: codes.pointer,
    stride: codes.stride,
    steps: sketch.parts.steps,
    axes: sketch.axes.pointer,
    shifts: sketch.shifts.pointer,
    mean: sketch.mean?.pointer ?? 0,
    sketchDims: sketch.dims,
    stretch: sketch.stretch,
  })
}
