// Asking a forest: many queries in worker threads, or one at a time at a buffers whose working memory is kept.

import type { Scope, Slice } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import { askedBlock, labelStep, searchedBlock } from '../../kernels/generated/blocks/dense-forest.ts'
import { roomBytes } from '../../kernels/generated/blocks/rooms.ts'
import { GrowingSlice } from '../../kernels/growing-slice.ts'
import { type ForestKernels, forestKernels } from '../../kernels/sets/forest.ts'
import type { LongWork } from '../../long-work.ts'
import { eachInTurns } from '../../long-work.ts'
import type { ExactNeighbors } from '../dense/exact-search.ts'
import type { RowMask } from '../query-block.ts'
import { type Searched, type TreeEffort, writeAsked, writeSearched } from './block.ts'

export interface ForestQuestion extends LongWork {
  readonly searched: Searched
  /** Prepared queries in the arena. */
  readonly queries: { readonly pointer: number; readonly rows: number }
  readonly k: number
  readonly effort: TreeEffort
  readonly mask?: RowMask
  readonly threads?: number | undefined
  /** What the work is called in progress reports. Default 'searching'. */
  readonly what?: string
}

/** With how many candidates there were in all. */
export interface ForestNeighbors extends ExactNeighbors {
  readonly candidates: number
}

/** For searches without trees. */
const quickest: TreeEffort = { trees: 1, threshold: 0, probes: 0, rerank: 1, walk: 0 }
const mostPerJob = 64
const jobsPerThread = 8

/** Neighbors of many queries. What is searched must not move until it is done. */
export async function forestNeighbors(engine: Engine, question: ForestQuestion): Promise<ForestNeighbors> {
  const { queries, k, threads, signal, onProgress, what = 'searching' } = question
  const pool = engine.pool(threads)
  const scope = engine.arena.scope()
  try {
    const { index, asked, answer } = layOut(scope, question)
    const room = scope.allocate(Uint8Array, roomBytes)
    const scratchBytes = engine
      .exactKernels(forestKernels)
      .forestScratchBytes(room.pointer, index.pointer, asked.pointer)
    const size = Math.max(1, Math.min(mostPerJob, Math.ceil(queries.rows / (pool.threads * jobsPerThread))))
    const jobs: number[][] = []
    for (let from = 0; from < queries.rows; from += size) {
      jobs.push([index.pointer, asked.pointer, from, Math.min(queries.rows, from + size)])
    }
    const work = { scratchBytes, what, steps: 'range', signal, onProgress } as const
    const candidates = await pool.run(forestKernels, 'forestSearch', jobs, work)
    return { queries: queries.rows, k, ...answer(), candidates: candidates.reduce((sum, count) => sum + count, 0) }
  } finally {
    scope.free()
  }
}

function layOut(scope: Scope, { searched, queries, k, effort, mask }: ForestQuestion) {
  const index = scope.allocate(Uint32Array, searchedBlock.length)
  const asked = scope.allocate(Uint32Array, askedBlock.length)
  const rows = scope.allocate(Uint32Array, queries.rows * k, 'neighbors')
  const raw = scope.allocate(Float32Array, queries.rows * k, 'neighbors')
  const counts = scope.allocate(Uint32Array, queries.rows, 'neighbors')
  writeSearched(index.array, searched)
  writeAsked(asked.array, {
    ...{ queries: queries.pointer, k, effort, mask: mask?.pointer ?? 0 },
    ...{ rows: rows.pointer, raw: raw.pointer, counts: counts.pointer },
  })
  const answer = () => ({ rows: rows.array.slice(), raw: raw.array.slice(), counts: counts.array.slice() })
  return { index, asked, answer }
}

/** What one query found: rows and raw distances are views, good until the next query. */
export interface ForestAnswer {
  readonly rows: Uint32Array
  readonly raw: Float32Array
  readonly candidates: number
}

/** How listed rows are sifted by their codes. */
export interface Sift {
  /** Rows compared exactly. */
  readonly rerank: number
  /** This many of all rows are looked at; at most `mostNearer` of them may be nearer than the k-th listed. */
  readonly sampled: number
  readonly mostNearer: number
}

/** Answers one query at a time, in memory that is kept from query to query. */
export class ForestQueryBuffers {
  readonly #kernels: ForestKernels
  readonly #index: Slice<Uint32Array>
  readonly #asked: Slice<Uint32Array>
  readonly #query: Slice<Float32Array>
  readonly #count: Slice<Uint32Array>
  readonly #rows: GrowingSlice<Uint32Array>
  readonly #raw: GrowingSlice<Float32Array>
  readonly #listed: GrowingSlice<Uint32Array>
  readonly #scratch: GrowingSlice<Uint8Array>
  #steps = 0

  constructor(engine: Engine, dims: number) {
    const { arena } = engine
    this.#kernels = engine.exactKernels(forestKernels)
    this.#index = arena.allocate(Uint32Array, searchedBlock.length)
    this.#asked = arena.allocate(Uint32Array, askedBlock.length)
    this.#query = arena.allocate(Float32Array, dims)
    this.#count = arena.allocate(Uint32Array, 1)
    this.#rows = new GrowingSlice(arena, Uint32Array, { length: 16, what: 'neighbors' })
    this.#raw = new GrowingSlice(arena, Float32Array, { length: 16, what: 'neighbors' })
    this.#listed = new GrowingSlice(arena, Uint32Array, { length: 16, what: 'a list of rows' })
    this.#scratch = new GrowingSlice(arena, Uint8Array, { length: roomBytes, what: 'a search' })
  }

  /** Sets what is searched, and the number of labels. Call it whenever the index has changed. */
  open(searched: Searched, labels: number): void {
    writeSearched(this.#index.array, searched)
    const steps = Math.ceil(labels / labelStep)
    if (steps === this.#steps) return
    // If scores get another size, other working memory would be read as scores, which must begin as zeros.
    this.#scratch.array.fill(0)
    this.#steps = steps
  }

  /** The squared length of a query: four times faster than in JavaScript. */
  squareOf(query: Float32Array): number {
    this.#query.array.set(query)
    return this.#kernels.squareOf(this.#query.pointer, query.length)
  }

  answer(query: Float32Array, k: number, effort: TreeEffort, mask: RowMask): ForestAnswer {
    const scratch = this.#ask(query, k, effort, mask)
    return this.#answer(this.#kernels.forestSearch(scratch, this.#index.pointer, this.#asked.pointer, 0, 1))
  }

  /** Candidates by their codes alone, nearest first, at most `size` of them: a copy. */
  near(query: Float32Array, size: number, effort: TreeEffort, mask: RowMask): Uint32Array {
    const scratch = this.#ask(query, size, effort, mask)
    this.#kernels.forestNear(scratch, this.#index.pointer, this.#asked.pointer)
    return this.#rows.array.slice(0, this.#count.array[0])
  }

  /** Writes the question; returns the address of the scratch. */
  #ask(query: Float32Array, k: number, effort: TreeEffort, mask: RowMask): number {
    this.#rows.reserveAnew(k)
    this.#raw.reserveAnew(k)
    this.#query.array.set(query)
    writeAsked(this.#asked.array, {
      queries: this.#query.pointer,
      k,
      effort,
      mask: mask === undefined ? 0 : mask.pointer,
      rows: this.#rows.pointer,
      raw: this.#raw.pointer,
      counts: this.#count.pointer,
    })
    return this.#scratchFor()
  }

  #answer(candidates: number): ForestAnswer {
    const found = this.#count.array[0]
    return { rows: this.#rows.array.subarray(0, found), raw: this.#raw.array.subarray(0, found), candidates }
  }

  /** The nearest of the listed rows, all of them compared. */
  rank(query: Float32Array, k: number, listed: Uint32Array): ForestAnswer {
    const scratch = this.#ask(query, k, quickest, undefined)
    const { pointer } = this.#place(listed)
    this.#kernels.rankRows(scratch, this.#index.pointer, this.#asked.pointer, 0, pointer, listed.length)
    return this.#answer(listed.length)
  }

  /** The nearest of at least k listed rows: codes choose those to compare. Undefined if they are too far for that. */
  sift(query: Float32Array, k: number, listed: Uint32Array, sift: Sift, mask: RowMask): ForestAnswer | undefined {
    const scratch = this.#ask(query, k, { ...quickest, rerank: sift.rerank }, mask)
    const { pointer } = this.#place(listed)
    const { length } = listed
    const [index, asked] = [this.#index.pointer, this.#asked.pointer]
    const found = this.#kernels.siftRows(scratch, index, asked, pointer, length, sift.sampled, sift.mostNearer)
    return found === 0 ? undefined : this.#answer(length)
  }

  /** The listed rows with the nearest codes, nearest first, at most `size` of them: a copy. */
  codeOrder(query: Float32Array, size: number, listed: Uint32Array): Uint32Array {
    const scratch = this.#ask(query, size, quickest, undefined)
    const { pointer } = this.#place(listed)
    this.#kernels.codeOrder(scratch, this.#index.pointer, this.#asked.pointer, pointer, listed.length)
    return this.#rows.array.slice(0, this.#count.array[0])
  }

  free(): void {
    const blocks = [this.#index, this.#asked, this.#query, this.#count]
    for (const slice of [...blocks, this.#rows, this.#raw, this.#listed, this.#scratch]) slice.free()
  }

  #place(listed: Uint32Array): { readonly pointer: number } {
    this.#listed.reserveAnew(listed.length)
    this.#listed.array.set(listed)
    return this.#listed
  }

  /** The layout is at the beginning of the scratch, before the scores: asking how much is needed changes no score. */
  #scratchFor(): number {
    const { pointer } = this.#scratch
    this.#scratch.reserveAnew(this.#kernels.forestScratchBytes(pointer, this.#index.pointer, this.#asked.pointer))
    return this.#scratch.pointer
  }
}

/** Answers some queries of a batch again, by comparing all listed rows; on this thread, in turns. */
export async function rankAgain(
  engine: Engine,
  searched: Searched,
  queries: Slice<Float32Array>,
  found: ExactNeighbors,
  picked: readonly number[],
  listed: Uint32Array,
  { signal, onProgress }: LongWork,
): Promise<void> {
  if (picked.length === 0) return
  const { dims } = searched.rows
  const buffers = new ForestQueryBuffers(engine, dims)
  try {
    buffers.open(searched, searched.rows.rows)
    await eachInTurns(picked.length, 'comparing', { signal, onProgress }, at => {
      const i = picked[at]
      const { rows, raw } = buffers.rank(queries.array.slice(i * dims, (i + 1) * dims), found.k, listed)
      found.rows.set(rows, i * found.k)
      found.raw.set(raw, i * found.k)
      found.counts[i] = rows.length
    })
  } finally {
    buffers.free()
  }
}
