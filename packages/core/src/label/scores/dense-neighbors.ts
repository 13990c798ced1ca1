// The nearest rows of dense items, with similarities as labels are scored by: compares all rows if they are few, otherwise uses a forest.
// Rows are dense, or empty if they have no direction: empty rows have no neighbors.

import type { Id } from '../../ids/id.ts'
import type { Engine } from '../../kernels/engine.ts'
import { labelKernels } from '../../kernels/sets/label.ts'
import type { LongWork } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import { filledRows } from '../../matrix/row-numbers.ts'
import type { SparseMatrix, SparseRow } from '../../matrix/sparse-matrix.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import type { NeighborArrays } from '../../search/neighbor-batch.ts'
import type { NearestRows } from '../../search/sparse/query-buffers.ts'
import type { ModelContents } from '../../store/header.ts'
import type { ScoredNeighbors } from './label-scores.ts'
import { withoutOwn } from './leave-out.ts'
import { localSimilarities } from './local-similarity.ts'
import type { NearestOptions, NeighborFinder } from './neighbor-finder.ts'

/** Rows times columns: up to this many numbers, comparing all of them takes a few milliseconds at most. */
const mostCompared = 2 ** 23
/** The share of the true neighbors that a forest finds. */
const targetRecall = 0.95

export interface DenseNeighborsFit extends LongWork {
  readonly ids?: readonly Id[] | undefined
  readonly engine: Engine
  readonly threads?: number | undefined
  /** How many neighbors searches will ask for. */
  readonly neighbors: number
  readonly seed: number
  /** Compare all rows, however many there are. */
  readonly exact?: boolean
}

export interface DenseNearestOptions extends NearestOptions {
  /** If queries are rows: their numbers. A row is not its own neighbor. */
  readonly own?: Uint32Array | undefined
}

export class DenseNeighbors implements NeighborFinder {
  readonly #index: ExactIndex | ForestIndex
  readonly #engine: Engine
  readonly #indices: Uint32Array

  private constructor(index: ExactIndex | ForestIndex, engine: Engine) {
    this.#index = index
    this.#engine = engine
    this.#indices = Uint32Array.from({ length: index.dims }, (_, j) => j)
  }

  /** Rows are dense. */
  static async fit(rows: SparseMatrix, fit: DenseNeighborsFit): Promise<DenseNeighbors> {
    const { ids, engine, threads, neighbors, seed, exact = false, signal, onProgress } = fit
    const matrix = new DenseMatrix(rows.rows, rows.columns, rows.values)
    const options = { ...(ids && { ids }), engine, signal, onProgress }
    if (exact || rows.rows * rows.columns <= mostCompared) {
      return new DenseNeighbors(await ExactIndex.fit(matrix, options), engine)
    }
    // One more than is asked for: a row that looks for others finds itself.
    const tuning = { targetRecall, k: neighbors + 1, seed, ...(threads !== undefined && { threads }) }
    return new DenseNeighbors(await ForestIndex.fit(matrix, { ...options, ...tuning }), engine)
  }

  /** Restores what `contents()` returned. */
  static fromContents(contents: ModelContents, { engine, name }: { engine: Engine; name: string }): DenseNeighbors {
    const type = contents.method === 'forest' ? ForestIndex : ExactIndex
    return new DenseNeighbors(type.fromContents(contents, { engine, name }), engine)
  }

  get columns(): number {
    return this.#index.dims
  }

  get rows(): number {
    return this.#index.rows
  }

  get rowNumbers(): number {
    return this.#index.rowNumbers
  }

  idOf(row: number): Id | undefined {
    return this.#index.idOf(row)
  }

  rowOf(id: Id): number | undefined {
    return this.#index.rowOf(id)
  }

  row(row: number): SparseRow {
    if (this.#index.idOf(row) === undefined) return { indices: new Uint32Array(0), values: new Float32Array(0) }
    return { indices: this.#indices, values: this.#index.vector(row) }
  }

  nearest(query: SparseRow, k: number): NearestRows {
    const found = this.neighbors(query, k)
    return { rows: found.rows, similarities: found.similarities }
  }

  /** The same with distances. */
  neighbors({ indices, values }: SparseRow, k: number): NearestRows & { readonly distances: Float32Array } {
    const found = indices.length === 0 ? [] : this.#index.search(values, { k })
    const distances = Float32Array.from(found, ({ distance }) => distance)
    const similarities = new Float32Array(found.length)
    localSimilarities(distances, 0, found.length, similarities, this.#engine.exactKernels(labelKernels))
    return { rows: Uint32Array.from(found, ({ id }) => this.#index.rowOf(id) ?? 0), similarities, distances }
  }

  async nearestBatch(queries: SparseMatrix, options: DenseNearestOptions = {}): Promise<ScoredNeighbors> {
    const { k = 10, own, ...work } = options
    const asked = queries.entries === queries.rows * queries.columns ? undefined : filledRows(queries)
    const values = new DenseMatrix(asked?.length ?? queries.rows, queries.columns, queries.values)
    // One more than needed: the row itself is among them, or there are enough without it.
    const found = await this.#index.searchBatch(values, { ...work, k: own ? k + 1 : k })
    const all = asked ? spread(found, asked, queries.rows) : found
    const { rows, distances, counts } = all
    if (own) withoutOwn({ k: all.k, rows, values: distances, counts }, own, k)
    const similarities = new Float32Array(distances.length)
    for (let query = 0; query < counts.length; query++) {
      localSimilarities(distances, query * all.k, counts[query], similarities, this.#engine.exactKernels(labelKernels))
    }
    return { k: all.k, rows, similarities, counts }
  }

  add({ values }: SparseRow, id?: Id): Id {
    return this.#index.add(values, id)
  }

  remove(id: Id): boolean {
    return this.#index.remove(id)
  }

  contents(): ModelContents {
    return this.#index.contents()
  }

  free(): void {
    this.#index.free()
  }
}

/** Expands the answers of some queries to all queries: the others have none. */
function spread(found: NeighborArrays, asked: Uint32Array, queries: number): NeighborArrays {
  const { k } = found
  const all = { rows: new Uint32Array(queries * k), distances: new Float32Array(queries * k), counts: new Uint32Array(queries) } // biome-ignore format: one answer
  asked.forEach((query, i) => {
    all.rows.set(found.rows.subarray(i * k, (i + 1) * k), query * k)
    all.distances.set(found.distances.subarray(i * k, (i + 1) * k), query * k)
    all.counts[query] = found.counts[i]
  })
  return { queries, k, ...all }
}
