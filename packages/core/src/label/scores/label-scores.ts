// Scores labels for queries whose nearest rows are known (paper 003, Definitions 6, 8 and 9): one query at once, or a batch in
// worker threads. The loops are in assembly/label/scores.ts, whose blocks are written here. The model may change while a batch runs: the
// batch still sees the state when it began.

import { EngineError } from '../../errors.ts'
import type { RankedLabels } from '../../evaluate/predictions.ts'
import type { Scope, Slice, TypedArray } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import type { CopyOnWriteArrays } from '../../kernels/copy-on-write-arrays.ts'
import { scoreBatchBlock, scoreModelBlock } from '../../kernels/generated/blocks/label-scores.ts'
import { labelKernels } from '../../kernels/sets/label.ts'
import type { LongWork } from '../../long-work.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { FeatureLabels } from './feature-labels.ts'
import type { RowLabels } from './row-labels.ts'

export interface ScoreOptions {
  /** How many labels at most. */
  readonly top: number
  /** The power of row similarities, above 0: the paper's α. */
  readonly neighborPower: number
  /** The share of the nearest rows' score, 0 to 1: the paper's λ. */
  readonly mix: number
}

export interface ScoreBatchOptions extends ScoreOptions, LongWork {
  /** Worker threads. Default: one per core. */
  readonly threads?: number
}

/** Nearest rows of many queries: query i's are at [i · k, i · k + counts[i]). */
export interface ScoredNeighbors extends NearestRows {
  readonly k: number
  readonly counts: Uint32Array
}

/** Labels of one query, best first, ties by label. */
export interface ScoredLabels {
  readonly labels: Uint32Array
  readonly scores: Float32Array
}

/** Queries of one job: enough to make the call cheap, few enough to share out evenly. */
const queriesPerJob = 64

/** Scores batches as the model was at one moment. */
export interface LabelScoresSnapshot {
  scoreBatch(queries: SparseMatrix, nearest: ScoredNeighbors, options: ScoreBatchOptions): Promise<RankedLabels>
  free(): void
}

export class LabelScores {
  readonly #arrays: CopyOnWriteArrays
  readonly #rows: RowLabels
  readonly #features: FeatureLabels | undefined
  /** Scratch of single queries, and the number of labels it was made for. */
  #scratch: Slice<Uint8Array> | undefined
  #scratchLabels = 0

  /** Without `features` only the nearest rows vote, and `mix` must be 1. */
  constructor(arrays: CopyOnWriteArrays, rows: RowLabels, features?: FeatureLabels) {
    this.#arrays = arrays
    this.#rows = rows
    this.#features = features
  }

  /** How many labels are known, to the rows or to the features. */
  get labels(): number {
    return Math.max(this.#rows.columns, this.#features?.labels.length ?? 0)
  }

  /** The best labels of a query. Its values must not be negative. */
  score({ indices, values }: SparseRow, { rows, similarities }: NearestRows, options: ScoreOptions): ScoredLabels {
    const { top, neighborPower, mix } = this.#check(options, this.labels)
    const columns = indices.reduce((most, index) => Math.max(most, index + 1), 0)
    const { engine } = this.#arrays
    const scope = engine.arena.scope()
    try {
      const queries = { rows: 1, columns, offsets: Uint32Array.of(0, indices.length), indices, values }
      const nearest = { k: rows.length, rows, similarities, counts: Uint32Array.of(rows.length) }
      this.#checkQueries(queries)
      const model = this.#placeModel(scope)
      const { batch, labels, scores, counts } = placeQueries(scope, queries, nearest, top)
      engine.exactKernels(labelKernels).labelScores(this.#scratchFor(top), model, batch, 0, 1, neighborPower, mix)
      const [found] = counts.array
      return { labels: labels.array.slice(0, found), scores: scores.array.slice(0, found) }
    } finally {
      scope.free()
    }
  }

  /** The best labels of every query, in worker threads. */
  async scoreBatch(queries: SparseMatrix, nearest: ScoredNeighbors, options: ScoreBatchOptions): Promise<RankedLabels> {
    const snapshot = this.snapshot()
    try {
      return await snapshot.scoreBatch(queries, nearest, options)
    } finally {
      snapshot.free()
    }
  }

  /** Scores batches with the model as it is now, even if it changes later. Must be freed. */
  snapshot(): LabelScoresSnapshot {
    const { placed, free } = this.#arrays.snapshot(scope => ({ model: this.#placeModel(scope), labels: this.labels }))
    return { scoreBatch: (queries, nearest, options) => this.#scoreBatch(placed, queries, nearest, options), free }
  }

  async #scoreBatch(
    { model, labels: known }: { readonly model: number; readonly labels: number },
    queries: SparseMatrix,
    nearest: ScoredNeighbors,
    options: ScoreBatchOptions,
  ): Promise<RankedLabels> {
    const { top, neighborPower, mix } = this.#check(options, known)
    const { engine } = this.#arrays
    const scope = engine.arena.scope()
    try {
      this.#checkQueries(queries)
      const { batch, labels, scores, counts } = placeQueries(scope, queries, nearest, top)
      const jobs: number[][] = []
      for (let from = 0; from < queries.rows; from += queriesPerJob) {
        jobs.push([model, batch, from, Math.min(from + queriesPerJob, queries.rows), neighborPower, mix])
      }
      const scratchBytes = engine.exactKernels(labelKernels).labelScratchBytes(known, top)
      const work = { ...options, what: 'scoring labels', scratchBytes }
      await engine.pool(options.threads).run(labelKernels, 'labelScores', jobs, work)
      const answer = { labels: labels.array.slice(), scores: scores.array.slice(), counts: counts.array.slice() }
      return { rows: queries.rows, top, ...answer }
    } finally {
      scope.free()
    }
  }

  free(): void {
    this.#scratch?.free()
    this.#scratch = undefined
  }

  #check(options: ScoreOptions, labels: number): ScoreOptions {
    const { top, neighborPower, mix } = options
    const fail = (name: string, value: number, expected: string): never => {
      throw new EngineError('INVALID_OPTION', `${name} is ${value}, expected ${expected}`)
    }
    if (!Number.isInteger(top) || top < 0) fail('top', top, 'a whole number of at least 0')
    if (!(neighborPower > 0)) fail('neighborPower', neighborPower, 'a number above 0')
    if (!(mix >= 0 && mix <= 1)) fail('mix', mix, 'a number from 0 to 1')
    if (!this.#features && mix < 1) fail('mix', mix, '1, because there are no feature similarities')
    return { ...options, top: Math.min(top, labels) }
  }

  /** The kernel does not check: features must be known, and values not negative. */
  #checkQueries({ columns, values }: Queries): void {
    const known = this.#features?.pairs.lists ?? columns
    if (columns > known) {
      throw new EngineError('DIMENSION_MISMATCH', `the queries have ${columns} features, expected at most ${known}`)
    }
    const negative = values.find(value => !(value >= 0))
    if (negative === undefined) return
    throw new EngineError('BAD_DATA', `a query has the value ${negative}, expected at least 0`)
  }

  /** Address of the kernel block that describes the model. */
  #placeModel(scope: Scope): number {
    const { offsets, labels: rowLabels } = this.#rows
    const pairs = this.#features?.pairs
    return placeBlock(scope, scoreModelBlock, {
      labels: this.labels,
      rowOffsets: offsets.pointer,
      rowLabels: rowLabels.pointer,
      pairStarts: pairs?.starts.pointer ?? 0,
      pairCounts: pairs?.counts.pointer ?? 0,
      pairs: pairs?.pairs.pointer ?? 0,
      featureScales: this.#features?.features.scales.pointer ?? 0,
      labelScales: this.#features?.labels.scales.pointer ?? 0,
    }).pointer
  }

  /** Zeros at first, and left as zeros by every call: kept, as long as there are no new labels. */
  #scratchFor(top: number): number {
    const bytes = this.#arrays.engine.exactKernels(labelKernels).labelScratchBytes(this.labels, top)
    if (!this.#scratch || this.#scratchLabels !== this.labels || this.#scratch.length < bytes) {
      this.#scratch?.free()
      this.#scratch = this.#arrays.engine.arena.allocate(Uint8Array, bytes, 'scores')
      this.#scratchLabels = this.labels
    }
    return this.#scratch.pointer
  }
}

interface Queries {
  readonly rows: number
  readonly columns: number
  readonly offsets: ArrayLike<number>
  readonly indices: Uint32Array
  readonly values: Float32Array
}

interface Placed {
  readonly batch: number
  readonly labels: Slice<Uint32Array>
  readonly scores: Slice<Float32Array>
  readonly counts: Slice<Uint32Array>
}

/** The kernel block that describes the queries, and room for the answers. */
function placeQueries(scope: Scope, queries: Queries, nearest: ScoredNeighbors, top: number): Placed {
  const labels = scope.allocate(Uint32Array, queries.rows * top, 'scores')
  const scores = scope.allocate(Float32Array, queries.rows * top, 'scores')
  const counts = scope.allocate(Uint32Array, queries.rows, 'scores')
  const place = (array: TypedArray): number => scope.place(array, 'queries').pointer
  const batch = placeBlock(scope, scoreBatchBlock, {
    offsets: place(Uint32Array.from(queries.offsets)),
    indices: place(queries.indices),
    values: place(queries.values),
    neighbors: place(nearest.rows),
    similarities: place(nearest.similarities),
    counts: place(nearest.counts),
    ...{ k: nearest.k, top },
    ...{ outLabels: labels.pointer, outScores: scores.pointer, outCounts: counts.pointer },
  })
  return { batch: batch.pointer, labels, scores, counts }
}
