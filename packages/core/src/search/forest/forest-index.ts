// Approximate neighbors of dense rows by a forest (paper 000): trees lead a query to leaves, leaves vote for rows, small codes sift
// the candidates, and the few that are left are compared exactly. Distances are exact if
// rows are kept; a neighbor may be missing.

import { addedItem } from '../../data/given/added-item.ts'
import { type DenseItems, denseForms, type VectorItem } from '../../data/given/rows.ts'
import { EngineError, throwIfAborted } from '../../errors.ts'
import { Forest, placeParts } from '../../forest/forest.ts'
import { countsNeighbors } from '../../forest/rule.ts'
import type { Id } from '../../ids/id.ts'
import type { IdTable } from '../../ids/id-table.ts'
import { loadBytes, loadFile } from '../../ids/load-ahead.ts'
import { contentsOptions, defaultEngine, type Engine, type LoadOptions, type ModelPlace } from '../../kernels/engine.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import { discarderOf } from '../../kernels/readers.ts'
import { finish, inTurns, type Steps } from '../../long-work.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import type { DenseVector } from '../../matrix/given-vector.ts'
import { checkRowNumber } from '../../matrix/sparse-checks.ts'
import { checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { DenseRows } from '../dense/dense-rows.ts'
import { compareRows } from '../dense/exact-filter.ts'
import { WaitingBatches } from '../dense/waiting-batches.ts'
import { type DenseBatchOptions, type DenseIndex, denseBatchOptions } from '../dense-index.ts'
import type { FoundRows } from '../filters/row-filter.ts'
import { RowMasks } from '../filters/row-masks.ts'
import { checkK, type Filter, type Neighbor } from '../neighbor.ts'
import { type NeighborArrays, type NeighborBatch, neighborBatch } from '../neighbor-batch.ts'
import type { RowMask } from '../query-block.ts'
import { RowIndex } from '../row-index.ts'
import { addRow, isWorn, linkingEffort } from './added-row.ts'
import { exactForestBatch, type ForestBatch, searchForestBatch } from './batch/batch.ts'
import type { Effort, Searched } from './block.ts'
import { buildParts } from './build.ts'
import { forestMethod, placedTensors, unpackForest } from './contents.ts'
import { shapeOf } from './cost.ts'
import { effortFor, farthestFor } from './efforts.ts'
import { compareByCodes } from './exact-by-codes.ts'
import { candidatesOf, nearestPassing } from './filter.ts'
import {
  checkEffort,
  type ForestBatchOptions,
  type ForestEffort,
  type ForestFitOptions,
  type ForestSearchOptions,
  type ForestSettings,
  fitRequest,
  forestBatchOptions,
  forestSearchOptions,
} from './options.ts'
import { type ForestState, numbersWithout, packForest } from './pack.ts'
import { ForestRows } from './rows.ts'
import { ForestQueryBuffers } from './search.ts'
import type { ForestTuning } from './tuning.ts'
import { reachOf, settle, widerEfforts } from './unlike-queries.ts'

type IndexParts = Omit<ForestState, 'stale'>

/** Approximate nearest neighbors of dense vectors, with the recall you ask for (`targetRecall`). */
export class ForestIndex extends RowIndex implements DenseIndex {
  readonly kind = forestMethod
  /** The options it was fitted with. */
  readonly settings: ForestSettings
  /** The effort of searches that do not set their own. */
  readonly effort: Effort
  /** How the effort was chosen; undefined if you set it. */
  readonly tuning: ForestTuning | undefined
  readonly #engine: Engine
  readonly #masks: RowMasks
  readonly #rows: ForestRows
  readonly #forest: Forest
  readonly #buffers: ForestQueryBuffers
  #ids: IdTable
  /** Where the query of a search is prepared, and what its effort is checked by. */
  readonly #query: Float32Array
  readonly #limits: ForestSettings
  readonly #squareOf = (query: Float32Array) => this.#buffers.squareOf(query)
  /** Rows removed since the leaves were packed. */
  #stale = new Set<number>()
  #changes = 0
  readonly #batches = new WaitingBatches()

  private constructor(holding: Holding, engine: Engine, parts: IndexParts) {
    super(holding)
    this.#engine = engine
    this.#rows = parts.rows
    this.#forest = parts.forest
    this.#ids = parts.ids
    this.settings = parts.settings
    this.effort = parts.effort
    this.tuning = parts.tuning
    this.#masks = new RowMasks(engine.arena)
    for (const row of parts.ids.removedRows()) this.#masks.remove(row)
    this.#buffers = new ForestQueryBuffers(engine, parts.rows.rows.dims)
    this.#reopen()
    this.#query = new Float32Array(this.dims)
    this.#limits = { ...this.settings, trees: this.#forest.trees }
  }

  /** Builds an index from arrays of numbers, `[{ id, vector }]` or a DenseMatrix. Numbers must be finite. */
  static async fit(items: DenseItems, options: ForestFitOptions = {}): Promise<ForestIndex> {
    const { matrix, idSteps, metric, settings, neighborLists, training } = await fitRequest(items, options)
    const { engine = defaultEngine(), threads, signal, onProgress } = options
    onProgress?.({ what: 'indexing', done: 0, total: matrix.rows })
    throwIfAborted(signal)
    return lendFor(engine, 'ForestIndex', async (lease, holding) => {
      const discard = discarderOf(lease.readers)
      const rows = await DenseRows.fromInTurns(lease, metric, matrix, discard, { signal })
      const ids = await inTurns(idSteps, { signal })
      const takesMoreAxes = options.sketchDims === undefined
      const build = { settings, neighborLists, training, threads, discard, takesMoreAxes, signal, onProgress }
      const { forest, effort, tuning, settings: grown, ...parts } = await buildParts(lease, rows, build, options)
      const kept = new ForestRows(lease, { ...parts, keep: settings.keep })
      return new ForestIndex(holding, lease, { rows: kept, ids, forest, settings: grown, effort, tuning })
    })
  }

  get metric(): DenseMetric {
    return this.#rows.rows.metric
  }

  get dims(): number {
    return this.#rows.rows.dims
  }

  /** The share of the rows of `fit` that were replaced by others since, as of when votes were cleaned up. Searches walk longer then. */
  get turnover(): number {
    const most = Math.min(this.tuning?.rows ?? 0, this.rows)
    return most > 0 ? Math.max(0, 1 - this.#rows.fitted.left / most) : 0
  }

  /** The vector of an internal row, as stored: scaled to length 1 under 'cosine'. A copy. */
  vector(row: number): Float32Array {
    checkRowNumber(row, this.rowNumbers)
    if (this.settings.keep === 'sketch')
      throw new EngineError('UNSUPPORTED', "an index with keep: 'sketch' has no rows")
    return this.#rows.row(row)
  }

  search(query: DenseVector, options: ForestSearchOptions = {}): Neighbor[] {
    this.checkLive()
    checkOptions(options, forestSearchOptions)
    const { k = 10, filter } = options
    checkK(k)
    const effort = this.#effortFor(options, k)
    // A filter may search the index itself: it needs a query of its own.
    const target = filter ? new Float32Array(this.dims) : this.#query
    const prepared = this.#rows.rows.prepareIn(target, query, 'the query', this.#squareOf)
    const found = filter
      ? this.#engine.readers.readNow(() => this.#searchPassing(prepared, this.#possible(k), options, filter))
      : this.#searchVisible(prepared, this.#possible(k), effort, farthestFor(this, options))
    const neighbors: Neighbor[] = []
    for (let i = 0; i < found.rows.length; i++) {
      neighbors.push({ id: this.liveId(found.rows[i]), distance: this.#rows.rows.distance(found.raw[i]) })
    }
    return neighbors
  }

  /** How many candidate rows `search` would compare. */
  searchCandidates(query: DenseVector, options: ForestSearchOptions = {}): number {
    this.checkLive()
    checkOptions(options, forestSearchOptions)
    const { k = 10 } = options
    checkK(k)
    const [effort, prepared] = [this.#effortFor(options, k), this.#rows.rows.prepare(query, 'the query')]
    if (effort.exact) return this.rows
    let candidates = 0
    const answer = (how: Effort) => {
      const found = this.#buffers.answer(prepared, this.#possible(k), how, this.#visible())
      candidates += found.candidates
      return found
    }
    const found = answer(effort)
    if (!this.#isUnlike(prepared, found, farthestFor(this, options))) return candidates
    return settle(found, this.#wider(effort), answer) ? candidates : this.rows
  }

  async searchBatch(queries: DenseItems, options: ForestBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, forestBatchOptions)
    return this.#answerBatch(queries, options, batch => {
      const effort = this.#effortFor(options, options.k ?? 10)
      return effort.exact
        ? exactForestBatch(this.#engine, batch)
        : searchForestBatch(this.#engine, {
            ...{ ...batch, effort, farthest: farthestFor(this, options), wider: this.#wider(effort) },
          })
    })
  }

  /** The true neighbors of many queries, by comparing every stored row. Recall is measured against them. */
  async exactBatch(queries: DenseItems, options: DenseBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, denseBatchOptions)
    return this.#answerBatch(queries, options, batch => exactForestBatch(this.#engine, batch))
  }

  add(row: DenseVector | VectorItem<DenseVector>, id?: Id): Id {
    this.checkLive()
    this.#batches.beginAll()
    const given = addedItem(row, id, denseForms)
    const prepared = this.#rows.rows.prepare(given.item as DenseVector, 'the row') // checked there
    const added = this.#ids.nextId(given.id)
    const [seesSketch, walks] = [this.settings.view === 'sketch', this.effort.walk > 0]
    const growing = { engine: this.#engine, forest: this.#forest, rows: this.#rows, seesSketch, walks }
    addRow(growing, prepared, this.rowNumbers, this.#neighborsToCount(prepared))
    this.#ids.add(added)
    this.#changed()
    return added
  }

  remove(id: Id): boolean {
    this.checkLive()
    this.#batches.beginAll()
    const row = this.#ids.remove(id)
    if (row === undefined) return false
    this.#masks.remove(row)
    this.#stale.add(row)
    this.#rows.unlink(row)
    this.#changed()
    return true
  }

  compact(): Uint32Array {
    this.checkLive()
    this.#batches.beginAll()
    const { table, newRows } = this.#ids.compact()
    if (table === this.#ids) return newRows
    const kept = this.#ids.liveRows()
    this.#changes++
    this.#rows.forget(this.#stale)
    this.#forest.repack(newRows, kept.length)
    this.#rows.select(kept, newRows)
    this.#rows.widenCodes()
    this.#masks.reset()
    this.#ids = table
    this.#reopen()
    return newRows
  }

  contents(): ModelContents {
    return finish(this.contentSteps())
  }

  protected override *contentSteps(): Steps<ModelContents> {
    this.checkLive()
    this.#rows.widenCodes()
    this.#reopen()
    const [changes, { settings, effort, tuning }] = [this.#changes, this]
    const [rows, ids, forest, stale] = [this.#rows, this.#ids, this.#forest, this.#stale]
    const state = { rows, ids, forest, stale, settings, effort, tuning }
    const { contents, leaves, links } = yield* packForest(this.#engine, state)
    if (this.#changes !== changes) return contents // else it takes over what was cleaned up
    if (leaves) forest.takeLeaves(leaves, this.rowNumbers)
    if (links) rows.takeLinks(links)
    rows.forget(stale)
    this.#reopen()
    return contents
  }

  override free(): void {
    this.#changes++
    this.#batches.beginAll()
    super.free()
  }

  /** Restores what `contents()` returned. `name` is what messages call the source. */
  static fromContents(contents: ModelContents, options: ModelPlace & { readonly name?: string } = {}): ForestIndex {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    const loaded = unpackForest(contents, name)
    return lend(engine, 'ForestIndex', (lease, holding) => {
      const discard = discarderOf(lease.readers)
      const rows = ForestRows.fromLoaded(lease, loaded, discard)
      const forest = new Forest(lease, placeParts(lease.arena, loaded.forest), discard)
      return new ForestIndex(holding, lease, { ...loaded, rows, forest })
    })
  }

  /** Reads an index that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<ForestIndex> {
    return loadFile(path, options, ForestIndex.fromContents, () => placedTensors)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<ForestIndex> {
    return loadBytes(bytes, options, ForestIndex.fromContents)
  }

  protected override get ids(): IdTable {
    return this.#ids
  }

  #searched(): Searched {
    return {
      ...this.#rows.searched(),
      forest: this.#forest.pointer,
      treesSeeSketch: this.settings.view === 'sketch',
    }
  }

  /** Searches from here on see rows and leaves as they are now. */
  #reopen(): void {
    this.#buffers.open(this.#searched(), this.#forest.labels)
  }

  #visible(): RowMask {
    return this.#masks.visible(this.#ids.rows)
  }

  /** Memory is set aside for k neighbors: no more of it than there are rows. */
  #possible(k: number): number {
    return Math.min(k, this.rowNumbers)
  }

  /** What the caller gives, else what the index has; more of it for more neighbors than it was tuned for. */
  #effortFor(given: ForestEffort, k: number): Effort {
    checkEffort(given, this.#limits)
    return effortFor(this, given, k)
  }

  /** All rows are compared if the forest finds fewer than there are; a query unlike the rows is searched more thoroughly. */
  #searchVisible(query: Float32Array, k: number, effort: Effort, farthest: number): FoundRows {
    if (effort.exact) return this.#compareAll(query, k)
    const answer = (how: Effort) => this.#buffers.answer(query, k, how, this.#visible())
    const found = answer(effort)
    if (found.rows.length < Math.min(k, this.rows)) return this.#buffers.rank(query, k, this.#ids.liveRows())
    if (!this.#isUnlike(query, found, farthest)) return found
    return settle(found, this.#wider(effort), answer) ?? this.#compareAll(query, k)
  }

  #wider(effort: Effort): Effort[] {
    const { rows, dims } = this
    return widerEfforts(effort, this.tuning?.chosen, { rows, dims, trees: this.#forest.trees })
  }

  #isUnlike(query: Float32Array, { raw }: FoundRows, farthest: number): boolean {
    return raw.length > 0 && reachOf(query, raw[0], this.#rows.rows.products) > farthest
  }

  #compareAll(query: Float32Array, k: number): FoundRows {
    if (this.#rows.keep !== 'rows') return this.#buffers.rank(query, k, this.#ids.liveRows())
    return compareByCodes(this.#engine, { query, k, mask: this.#visible() }, this.#rows)
  }

  /** A filter may free the index: private methods must not ask whether it is live. */
  #searchPassing(query: Float32Array, k: number, given: ForestEffort, filter: Filter): FoundRows {
    const [{ exact }, { turnover }] = [this.#effortFor(given, k), this]
    const passing = this.opened(filter)
    if (exact && this.#rows.keep === 'rows') {
      return compareRows(this.#engine, { rows: this.#rows.rows, query, k, mask: this.#visible() }, passing)
    }
    const candidates = candidatesOf(this.#buffers, query, this.#ids, () => this.#visible())
    if (exact) return candidates.rank(k, passing.rows())
    const { settings, tuning } = this
    const shape = shapeOf(this.#rows, this.#forest, this.#ids.live)
    const isUnlike = (found: FoundRows) => this.#isUnlike(query, found, farthestFor(this, given))
    const forest = { settings, tuning, turnover, effort: this.effort, shape, ...candidates, isUnlike }
    return nearestPassing(forest, k, given, passing)
  }

  #answerBatch(
    given: DenseItems,
    { k = 10, threads, signal, onProgress }: DenseBatchOptions,
    answer: (batch: ForestBatch) => Promise<NeighborArrays>,
  ): Promise<NeighborBatch> {
    checkK(k)
    return this.#batches.answer(given, this.dims, { signal }, async queries => {
      const [ids, searched, live, mask] = [this.#ids, this.#searched(), this.#ids.liveRows(), this.#visible()]
      const index = { rows: this.#rows, forest: this.#forest, searched, live, mask, k: this.#possible(k) }
      const batch = { ...index, queries, threads, signal, onProgress }
      return neighborBatch(await this.#engine.readers.read(() => answer(batch)), ids)
    })
  }

  #neighborsToCount(row: Float32Array): Uint32Array {
    if (!countsNeighbors(this.settings.rule) || this.rows === 0) return new Uint32Array(0)
    const k = Math.min(this.settings.labelNeighbors, this.rows)
    if (!this.#rows.links) {
      return Uint32Array.from(this.#searchVisible(row, k, this.#effortFor({}, k), farthestFor(this, {})).rows)
    }
    const effort = linkingEffort(this.#forest, k)
    return Uint32Array.from(this.#buffers.answer(row, k, effort, this.#visible()).rows)
  }

  /** Mends some links; takes added labels into the leaves, and those of removed rows out, now and then. */
  #changed(): void {
    this.#changes++
    this.#rows.mendSomeLinks()
    if (isWorn(this.#forest, this.#stale.size, this.rowNumbers)) {
      this.#forest.repack(numbersWithout(this.#stale, this.rowNumbers), this.rowNumbers)
      this.#rows.forget(this.#stale)
      this.#rows.widenCodes()
    }
    this.#reopen()
  }
}
