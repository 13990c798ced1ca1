// Labels for sparse rows from a forest: one row at once, or many in worker threads. The loop is in assembly/forest/labels.ts, whose
// blocks are written here. The model may change while a batch runs: the batch still sees the state when it began.

import type { RankedLabels } from '../../evaluate/predictions.ts'
import type { Forest } from '../../forest/forest.ts'
import type { Scope, Slice } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { labelBatchBlock, labelerBlock } from '../../kernels/generated/blocks/forest-labels.ts'
import { roomBytes } from '../../kernels/generated/blocks/rooms.ts'
import { forestLabelKernels } from '../../kernels/sets/forest-label.ts'
import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { ScoredLabels } from '../scores/label-scores.ts'
import type { LeafRows } from './leaf-rows.ts'

/** How leaves turn into scores. */
export interface LeafReading {
  /** The factor of each label's score; 1 for labels beyond the end. */
  readonly labelScales: Float32Array
  readonly probes: number
  readonly blend: number
  readonly blendPower: number
}

export interface Reached {
  readonly tree: number
  readonly leaf: number
}

export interface ForestBatchWork extends LongWork {
  readonly threads?: number | undefined
  /** If the queries are training rows: their numbers. Each is scored as if the model had not seen it. */
  readonly own?: Uint32Array
}

interface Queries {
  readonly rows: number
  readonly offsets: ArrayLike<number>
  readonly indices: Uint32Array
  readonly values: Float32Array
}

/** Scores batches as the model was at one moment. */
export interface ForestScoresSnapshot {
  scoreBatch(rows: SparseMatrix, top: number, work: ForestBatchWork): Promise<RankedLabels>
  free(): void
}

/**
 * Queries of one job, which are routed together: later ones find cached what earlier ones read of a tree (0.70 of the time with 50 trees of
 * debtags). Each needs about 64 numbers per tree, so with many trees there are fewer.
 */
function queriesPerJob(trees: number): number {
  return Math.min(512, Math.max(16, Math.floor(2 ** 16 / trees)))
}

export class ForestScores {
  readonly #arrays: CopyOnWriteArrays
  readonly #forest: Forest
  readonly #rows: LeafRows
  /** Scratch of single queries, and what it was made for. */
  #scratch: Slice<Uint8Array> | undefined
  #scratchFor = ''
  #scales: { readonly given: Float32Array; readonly placed: Slice<Float32Array> } | undefined

  constructor(arrays: CopyOnWriteArrays, forest: Forest, rows: LeafRows) {
    this.#arrays = arrays
    this.#forest = forest
    this.#rows = rows
  }

  /** The best labels of one row. */
  score({ indices, values }: SparseRow, top: number, reading: LeafReading): ScoredLabels {
    const { engine } = this.#arrays
    const scope = engine.arena.scope()
    try {
      const queries = { rows: 1, offsets: [0, indices.length], indices, values }
      const labeler = this.#placeLabeler(scope, reading, this.#forest.pointer)
      const { asked, labels, scores, counts } = placeQueries(scope, queries, top)
      engine.exactKernels(forestLabelKernels).forestLabels(this.#scratchOf(scope, labeler, top), labeler, asked, 0, 1)
      const [found] = counts.array
      return { labels: labels.array.slice(0, found), scores: scores.array.slice(0, found) }
    } finally {
      scope.free()
    }
  }

  async scoreBatch(
    rows: SparseMatrix,
    top: number,
    reading: LeafReading,
    work: ForestBatchWork,
  ): Promise<RankedLabels> {
    const snapshot = this.snapshot(reading)
    try {
      return await snapshot.scoreBatch(rows, top, work)
    } finally {
      snapshot.free()
    }
  }

  /** Scores batches with the model as it is now, even if it changes later. Must be freed. */
  snapshot(reading: LeafReading): ForestScoresSnapshot {
    const { placed, free } = this.#arrays.snapshot(scope =>
      this.#placeLabeler(scope, reading, this.#forest.snapshot(scope)),
    )
    return { scoreBatch: (rows, top, work) => this.#scoreBatch(placed, rows, top, work), free }
  }

  async #scoreBatch(labeler: number, rows: SparseMatrix, top: number, work: ForestBatchWork): Promise<RankedLabels> {
    const { engine } = this.#arrays
    const scope = engine.arena.scope()
    try {
      const { asked, labels, scores, counts } = placeQueries(scope, rows, top, work.own)
      const jobs: number[][] = []
      const size = queriesPerJob(this.#forest.trees)
      for (let from = 0; from < rows.rows; from += size) {
        jobs.push([labeler, asked, from, Math.min(from + size, rows.rows)])
      }
      const room = scope.allocate(Uint8Array, roomBytes).pointer
      const scratchBytes = engine.exactKernels(forestLabelKernels).forestLabelBytes(room, labeler, top, size)
      const { threads, signal, onProgress } = work
      const run = { what: 'labeling', scratchBytes, signal, onProgress }
      await engine.pool(threads).run(forestLabelKernels, 'forestLabels', jobs, run)
      const answer = { labels: labels.array.slice(), scores: scores.array.slice(), counts: counts.array.slice() }
      return { rows: rows.rows, top, ...answer }
    } finally {
      scope.free()
    }
  }

  /** The leaves that a row reaches: one of each tree, then those probed. */
  reach({ indices, values }: SparseRow, reading: LeafReading): Reached[] {
    const { engine } = this.#arrays
    const scope = engine.arena.scope()
    try {
      const queries = { rows: 1, offsets: [0, indices.length], indices, values }
      const labeler = this.#placeLabeler(scope, reading, this.#forest.pointer)
      const { asked } = placeQueries(scope, queries, 1)
      const pairs = scope.allocate(Uint32Array, 2 * (this.#forest.trees + reading.probes))
      const scratch = this.#scratchOf(scope, labeler, 1)
      const count = engine.exactKernels(forestLabelKernels).forestReach(scratch, labeler, asked, 0, pairs.pointer)
      return Array.from({ length: count }, (_, i) => ({ tree: pairs.array[2 * i], leaf: pairs.array[2 * i + 1] }))
    } finally {
      scope.free()
    }
  }

  free(): void {
    this.#scratch?.free()
    this.#scratch = undefined
    if (this.#scales) this.#arrays.discard(this.#scales.placed)
    this.#scales = undefined
  }

  /** Address of the kernel block that describes the forest. */
  #placeLabeler(scope: Scope, reading: LeafReading, forest: number): number {
    return placeBlock(scope, labelerBlock, {
      ...{ forest, rows: this.#rows.block(scope), labelScales: this.#scalesOf(reading) },
      ...{ probes: reading.probes, blend: reading.blend, power: reading.blendPower },
    }).pointer
  }

  /** Address of one scale per label; kept until labels or scales change. */
  #scalesOf({ labelScales }: LeafReading): number {
    const { labels } = this.#forest
    if (this.#scales?.given !== labelScales || this.#scales.placed.length !== labels) {
      if (this.#scales) this.#arrays.discard(this.#scales.placed)
      const placed = this.#arrays.reserve(Float32Array, labels)
      placed.array.fill(1).set(labelScales)
      this.#scales = { given: labelScales, placed }
    }
    return this.#scales.placed.pointer
  }

  /** Zeros at first, and left so by every call: kept, as long as there are no new labels and rows. */
  #scratchOf(scope: Scope, labeler: number, top: number): number {
    const { engine } = this.#arrays
    const room = scope.allocate(Uint8Array, roomBytes).pointer
    const bytes = engine.exactKernels(forestLabelKernels).forestLabelBytes(room, labeler, top, 1)
    const purpose = `${this.#forest.labels} labels, ${this.#rows.count} rows`
    if (!this.#scratch || this.#scratchFor !== purpose || this.#scratch.length < bytes) {
      this.#scratch?.free()
      this.#scratch = engine.arena.allocate(Uint8Array, bytes, 'scores')
      this.#scratchFor = purpose
    }
    return this.#scratch.pointer
  }
}

/** The kernel block that describes the queries, and room for the answers. */
function placeQueries(scope: Scope, queries: Queries, top: number, own?: Uint32Array) {
  const labels = scope.allocate(Uint32Array, queries.rows * top, 'scores')
  const scores = scope.allocate(Float32Array, queries.rows * top, 'scores')
  const counts = scope.allocate(Uint32Array, queries.rows, 'scores')
  const asked = placeBlock(scope, labelBatchBlock, {
    offsets: scope.place(Uint32Array.from(queries.offsets)).pointer,
    indices: scope.place(queries.indices).pointer,
    values: scope.place(queries.values).pointer,
    own: own ? scope.place(own).pointer : 0,
    top,
    ...{ outLabels: labels.pointer, outScores: scores.pointer, outCounts: counts.pointer },
  })
  return { asked: asked.pointer, labels, scores, counts }
}
