// Approximate neighbors of sparse rows by a forest (paper 000's natural classifier over trees of any grower, by default paper 001's): a
// row's labels are its nearest rows, leaves vote for rows, and the best are compared exactly. Rows, ids and truth are those of an inverted
// index, which also answers what the leaves know too little about. Distances are true ones; what may be missing is a neighbor.

import { addedItem } from '../../data/given/added-item.ts'
import {
  idsOf,
  type SparseItems,
  sparseForms,
  sparseRowsInTurns,
  sparseRowsOf,
  type VectorItem,
} from '../../data/given/rows.ts'
import { assert } from '../../errors.ts'
import { Forest, placeParts } from '../../forest/forest.ts'
import { sparseLeaves } from '../../forest/sparse-leaves.ts'
import type { Id } from '../../ids/id.ts'
import { removedRow } from '../../ids/id-table.ts'
import { loadBytes, loadFile } from '../../ids/load-ahead.ts'
import type { Slice } from '../../kernels/arena.ts'
import { placeBlock } from '../../kernels/blocks.ts'
import { contentsOptions, defaultEngine, type Engine, type LoadOptions, type ModelPlace } from '../../kernels/engine.ts'
import { type FinderBlock, finderBlock } from '../../kernels/generated/blocks/sparse-search.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import { discarderOf } from '../../kernels/readers.ts'
import { type SparseVector, sparseArraysOf } from '../../matrix/given-vector.ts'
import { knownColumns, knownFeatures } from '../../matrix/known-features.ts'
import { rowNumbersTo } from '../../matrix/row-numbers.ts'
import { checkMatrix, checkRow } from '../../matrix/sparse-checks.ts'
import type { SparseRow } from '../../matrix/sparse-matrix.ts'
import { checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { Saveable } from '../../store/saveable.ts'
import type { PreparedFilter } from '../filters/prepared-filter.ts'
import { firstPassing, nearFor } from '../filters/row-filter.ts'
import { InvertedIndex } from '../inverted/inverted-index.ts'
import type { Filter, ItemFilter, Neighbor } from '../neighbor.ts'
import { checkK } from '../neighbor.ts'
import { type NeighborBatch, neighborBatch } from '../neighbor-batch.ts'
import { forestNames } from '../query-block.ts'
import { type VectorBatchOptions, vectorBatchOptions } from '../search-index.ts'
import { answerBatch } from '../sparse/batch.ts'
import type { SparseMetric } from '../sparse/metric.ts'
import { scaleRow, scaleRows, toDistance } from '../sparse/metric.ts'
import { type NearestRows, pickNearest, type QueryAnswer, QueryBuffers } from '../sparse/query-buffers.ts'
import { growSparseForest } from './build.ts'
import { packSparseForest, unpackSparseForest } from './contents.ts'
import { finderFields, type SparseEffort } from './finder.ts'
import {
  type SparseForestBatchOptions,
  type SparseForestFitOptions,
  type SparseForestSearchOptions,
  type SparseForestSettings,
  sparseBatchOptions,
  sparseEffort,
  sparseForestFitOptions,
  sparseForestSettings,
  sparseSearchOptions,
} from './options.ts'

/** For more times k neighbors than this the forest is not asked: the lists are as quick. */
const mostNear = 16
/** Leaves are repacked when this share of their labels was added, or of their rows removed. */
const wornShare = 1 / 4
const fewestWorn = 4096

/** Approximate nearest neighbors of sparse vectors, with a forest. */
export class SparseForestIndex extends Saveable {
  /** The options it was fitted with. */
  readonly settings: SparseForestSettings
  readonly #engine: Engine
  readonly #rows: InvertedIndex
  readonly #forest: Forest
  readonly #buffers: QueryBuffers
  readonly #finder: Slice<Uint32Array>
  /** Rows removed since the leaves were packed. */
  readonly #stale = new Set<number>()

  private constructor(
    holding: Holding,
    engine: Engine,
    rows: InvertedIndex,
    forest: Forest,
    settings: SparseForestSettings,
  ) {
    super(holding)
    this.#engine = engine
    this.#rows = rows
    this.#forest = forest
    this.settings = settings
    this.#buffers = new QueryBuffers(engine, forestNames)
    this.#finder = placeBlock(engine.arena, finderBlock, this.#finderFor(0, 0, sparseEffort({}, settings, 1)))
  }

  /**
   * Builds an index from sparse vectors, `[{ id, vector }]` or a SparseMatrix. You do not have to scale rows; values must be finite and at least 0.
   */
  static async fit(items: SparseItems, options: SparseForestFitOptions = {}): Promise<SparseForestIndex> {
    const settings = sparseForestSettings(options, sparseForestFitOptions)
    const { engine = defaultEngine(), threads, signal, onProgress } = options
    const { rows: matrix, ids: ofItems } = await sparseRowsInTurns(items, 'row', options)
    const ids = idsOf(ofItems, options.ids)
    const work = { signal, onProgress }
    return lendFor(engine, 'SparseForestIndex', async (lease, holding) => {
      const place = { metric: settings.metric, engine: lease, ...(ids && { ids }) }
      const rows = await InvertedIndex.fit(matrix, { ...work, ...place })
      const build = { ...work, settings, threads, discard: discarderOf(rows.placed().engine.readers) }
      const forest = await growSparseForest(lease, rows, matrix, build)
      return new SparseForestIndex(holding, lease, rows, forest, settings)
    })
  }

  get metric(): SparseMetric {
    return this.#rows.metric
  }

  get columns(): number {
    return this.#rows.columns
  }

  /** Number of rows, without removed ones. */
  get rows(): number {
    this.checkLive()
    return this.#rows.rows
  }

  /** Internal row numbers in use, including the holes of removed rows. Every row number is below this. */
  get rowNumbers(): number {
    this.checkLive()
    return this.#rows.rowNumbers
  }

  /** The id of an internal row; undefined if it was removed. */
  idOf(row: number): Id | undefined {
    this.checkLive()
    return this.#rows.idOf(row)
  }

  /** The internal row of an id; undefined if the id is unknown. */
  rowOf(id: Id): number | undefined {
    this.checkLive()
    return this.#rows.rowOf(id)
  }

  /** The vector of an internal row, as stored: scaled to length 1 under 'cosine'. A copy; empty if the row was removed. */
  row(row: number): SparseRow {
    this.checkLive()
    return this.#rows.row(row)
  }

  /** Near items that share a feature with the query, best first: k of them, or fewer if there are fewer. */
  search(query: SparseVector, options: SparseForestSearchOptions = {}): Neighbor[] {
    this.checkLive()
    checkOptions(options, sparseSearchOptions)
    const { k = 10, filter } = options
    if (!filter) return this.#neighbors(this.#find(query, k, options))
    // A filter may free the index: not before it is answered.
    return this.#engine.readers.readNow(() => this.#searchPassing(query, k, options, filter))
  }

  /** Evaluates a filter on all items once, for use in many searches: see `PreparedFilter`. */
  filter(filter: ItemFilter): PreparedFilter {
    this.checkLive()
    return this.#rows.filter(filter)
  }

  /** How many rows `search` would compare. */
  searchCandidates(query: SparseVector, options: SparseForestSearchOptions = {}): number {
    this.checkLive()
    checkOptions(options, sparseSearchOptions)
    return this.#find(query, options.k ?? 10, options).candidates
  }

  /** `search` for many queries, in worker threads. You may change the index in the meantime. */
  async searchBatch(given: SparseItems, options: SparseForestBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, sparseBatchOptions)
    const { k = 10, threads, signal, onProgress } = options
    checkK(k)
    const queries = sparseRowsOf(given, 'query').rows
    checkMatrix(queries, 'query')
    const effort = sparseEffort(options, this.settings, k)
    const { block, mask, engine, ids } = this.#rows.placed()
    const { rows, similarities, counts, ...found } = await engine.readers.read(() =>
      answerBatch(this.#engine, {
        ...{
          index: block,
          queries: knownColumns(scaleRows(queries, this.metric), this.columns),
          k: Math.min(k, this.rowNumbers),
          mask,
        },
        ...{ algorithm: 'auto', excludeSelf: false, threads, signal, onProgress },
        finder: (scope, index) => {
          const fields = this.#finderFor(index, k, effort, this.#forest.snapshot(scope))
          return placeBlock(scope, finderBlock, fields).pointer
        },
      }),
    )
    const distances = similarities.map(similarity => toDistance(similarity, this.metric))
    return neighborBatch({ queries: found.queries, k: found.k, rows, distances, counts }, ids)
  }

  /** The true neighbors of many queries. Recall is measured against them. */
  async exactBatch(queries: SparseItems, options: VectorBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, vectorBatchOptions)
    return this.#rows.searchBatch(queries, options)
  }

  /**
   * Adds a vector or `{ id, vector }` and returns its id (default: its row number). The next search can find it. It may have features that
   * no row had before: items are compared by them, but the trees do not know them.
   */
  add(row: SparseVector | VectorItem<SparseVector>, id?: Id): Id {
    this.checkLive()
    checkRow(sparseArraysOf(addedItem(row, id, sparseForms).item, 'the row'), 'the row')
    const number = this.rowNumbers
    this.#forest.extendLabels(number + 1)
    this.#buffers.reset()
    const added = this.#rows.add(row, id)
    this.#learn(number)
    this.#packIfWorn()
    return added
  }

  /** Removes an item. Returns false if the id is unknown. */
  remove(id: Id): boolean {
    this.checkLive()
    const row = this.rowOf(id)
    if (row === undefined) return false
    this.#buffers.reset()
    this.#rows.remove(id)
    this.#stale.add(row)
    this.#packIfWorn()
    return true
  }

  /** Renumbers rows to close the holes of removed ones. Returns the new number of every old row, or 2³² − 1 if it was removed. */
  compact(): Uint32Array {
    this.checkLive()
    const newRows = this.#rows.compact()
    this.#forest.repack(newRows, this.rowNumbers)
    this.#stale.clear()
    this.#buffers.reset()
    return newRows
  }

  /** Everything a model file stores. */
  contents(): ModelContents {
    this.checkLive()
    this.#pack()
    this.#buffers.reset()
    return packSparseForest(this.#rows.contents(), this.#forest.parts, this.settings)
  }

  /** Restores what `contents()` returned. `name` is what messages call the source. */
  static fromContents(
    contents: ModelContents,
    options: ModelPlace & { readonly name?: string } = {},
  ): SparseForestIndex {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    const { settings, forest, lists } = unpackSparseForest(contents, name)
    return lend(engine, 'SparseForestIndex', (lease, holding) => {
      const rows = InvertedIndex.fromContents(lists, { engine: lease, name })
      const placed = new Forest(lease, placeParts(lease.arena, forest), discarderOf(rows.placed().engine.readers))
      return new SparseForestIndex(holding, lease, rows, placed, settings)
    })
  }

  /** Reads an index that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<SparseForestIndex> {
    return loadFile(path, options, SparseForestIndex.fromContents)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<SparseForestIndex> {
    return loadBytes(bytes, options, SparseForestIndex.fromContents)
  }

  #find(vector: SparseVector, k: number, given: Partial<SparseEffort>): QueryAnswer {
    checkK(k)
    const query = sparseArraysOf(vector, 'the query')
    checkRow(query, 'the query')
    return this.#answer(
      knownFeatures(scaleRow(query, this.metric), this.columns),
      k,
      sparseEffort(given, this.settings, k),
    )
  }

  #answer(query: SparseRow, k: number, effort: SparseEffort): QueryAnswer {
    const { block, mask } = this.#rows.placed()
    finderBlock.write(this.#finder.array, this.#finderFor(block.pointer, k, effort))
    const possible = Math.min(k, this.#rows.rowNumbers)
    return this.#buffers.answer({ index: this.#finder.pointer, query, k: possible, algorithm: 'auto', mask })
  }

  #finderFor(index: number, k: number, effort: SparseEffort, forest: number = this.#forest.pointer): FinderBlock {
    return finderFields({ forest, index, effort, wanted: Math.min(k, this.#rows.rows), scales: this.metric === 'dot' })
  }

  /** Where too few of the nearest pass, the lists answer, exactly. */
  #searchPassing(query: SparseVector, k: number, given: Partial<SparseEffort>, filter: Filter): Neighbor[] {
    const passing = this.#rows.openFilter(filter)
    const wide = nearFor(k, passing.share)
    if (wide <= mostNear * k) {
      const near = this.#find(query, wide, given)
      const places = firstPassing(near.rows, passing, k)
      if (places.length === k) return this.#neighbors(pickNearest(near, places))
    }
    return this.#rows.search(query, { k, filter })
  }

  #neighbors({ rows, similarities }: NearestRows): Neighbor[] {
    return Array.from(rows, (row, i) => {
      const id = this.#rows.idOf(row)
      assert(id !== undefined, `row ${row} was found, but it was removed`)
      return { id, distance: toDistance(similarities[i], this.metric) }
    })
  }

  /** A new row counts as a training row, and for its neighbors. */
  #learn(number: number): void {
    const forest = this.#forest
    const row = this.row(number)
    const { labelNeighbors } = this.settings
    const found = this.#answer(row, labelNeighbors, sparseEffort({}, this.settings, labelNeighbors))
    const near = found.rows.filter(other => other !== number)
    const leaves = this.#leavesOf(row)
    forest.countRow(leaves)
    forest.countLabel(number, leaves)
    near.forEach((neighbor, place) => {
      forest.countLabel(neighbor, leaves)
      // Being near goes both ways more often than not for the nearer half.
      if (place < near.length / 2) forest.countLabel(number, this.#leavesOf(this.row(neighbor)))
    })
  }

  #leavesOf(row: SparseRow): Uint32Array {
    // At length 1 already under 'cosine': scaled again, it could end in another leaf.
    return sparseLeaves(this.#engine, this.#forest, this.metric === 'cosine' ? row : scaleRow(row, 'cosine'))
  }

  #packIfWorn(): void {
    const { added, packed } = this.#forest.entryCounts
    const worn = added > Math.max(fewestWorn, wornShare * packed)
    if (worn || this.#stale.size > Math.max(fewestWorn, wornShare * this.rowNumbers)) this.#pack()
  }

  /** Takes added labels into the leaves, and those of removed rows out. */
  #pack(): void {
    const isPacked = this.#forest.entryCounts.added === 0 && this.#forest.labels === this.rowNumbers
    if (isPacked && this.#stale.size === 0) return
    const numbers = rowNumbersTo(this.rowNumbers)
    for (const row of this.#stale) numbers[row] = removedRow
    this.#forest.repack(numbers, this.rowNumbers)
    this.#stale.clear()
    this.#buffers.reset()
  }
}
