// Exact neighbors of sparse rows (paper 003, sections 3.1 and 4), by lists of the rows that have a feature. Rows are never
// renumbered behind the caller's back: an added row gets the next number, a removed one leaves a hole until compact().
// Added rows wait outside the lists and removed ones stay hidden in them, until there are enough of either to rebuild the lists.

import { addedItem } from '../../data/given/added-item.ts'
import {
  idsOf,
  type SparseItems,
  sparseForms,
  sparseRowsInTurns,
  sparseRowsOf,
  type VectorItem,
} from '../../data/given/rows.ts'
import { EngineError } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { IdTable } from '../../ids/id-table.ts'
import { loadBytes, loadFile } from '../../ids/load-ahead.ts'
import type { Slice } from '../../kernels/arena.ts'
import { contentsOptions, defaultEngine, type Engine, type LoadOptions, type ModelPlace } from '../../kernels/engine.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import { discarderOf } from '../../kernels/readers.ts'
import { finish, inTurns, type LongWork, Pauses, type Steps } from '../../long-work.ts'
import { checkSomeRows } from '../../matrix/checks.ts'
import { type SparseVector, sparseArraysOf } from '../../matrix/given-vector.ts'
import { knownColumns, knownFeatures } from '../../matrix/known-features.ts'
import { checkFeatures, checkMatrix, checkRow, checkRowNumber } from '../../matrix/sparse-checks.ts'
import { SparseMatrix, type SparseRow } from '../../matrix/sparse-matrix.ts'
import { checkOptions, checkWhole, checkWord } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { ListMask } from '../filters/list-mask.ts'
import { firstPassing, nearFor, type RowFilter } from '../filters/row-filter.ts'
import { RowMasks } from '../filters/row-masks.ts'
import { checkFilter, checkK, type Filter, type Neighbor } from '../neighbor.ts'
import { type NeighborBatch, neighborBatch } from '../neighbor-batch.ts'
import type { RowMask } from '../query-block.ts'
import { RowIndex } from '../row-index.ts'
import { AppendedRows } from '../sparse/appended-rows.ts'
import { answerBatch, type NearestBatch } from '../sparse/batch.ts'
import { type InvertedParts, packInverted, unpackInverted } from '../sparse/contents.ts'
import { type FrequentColumns, splitInSteps } from '../sparse/frequent-columns.ts'
import { type Algorithm, checkAlgorithm, InvertedLayout } from '../sparse/layout.ts'
import { type SparseMetric, scaleRow, scaleRows, toDistance } from '../sparse/metric.ts'
import { listByRowInSteps } from '../sparse/posting-lists.ts'
import { type NearestRows, pickNearest, QueryBuffers } from '../sparse/query-buffers.ts'
import {
  type InvertedOptions,
  invertedFitOptions,
  type SparseBatchOptions,
  type SparseSearchOptions,
  sparseBatchOptions,
  sparseSearchOptions,
} from './options.ts'

/** Rows as kernels find them. */
interface PlacedRows {
  /** The index block. */
  readonly block: Slice<Uint32Array>
  /** Which rows may be found. */
  readonly mask: RowMask
  /** Whose memory they are in, and whose readers must be waited for. */
  readonly engine: Engine
  /** The callers' keys of the rows. */
  readonly ids: IdTable
}

/** Lists are rebuilt when this many rows, or this share of all, were added or removed. */
const fewestChanges = 1024
const changedShare = 1 / 16
/** How much wider lists get than a new feature needs. */
const columnGrowth = 1.5
/** Every list takes some bytes, even an empty one, of a memory of 4 GiB. */
const mostColumns = 2 ** 28
/** What finding one more neighbor costs, about. */
const neighborNanos = 100

/** Exact nearest neighbors of sparse rows, by cosine or dot product. */
export class InvertedIndex extends RowIndex {
  readonly metric: SparseMetric
  readonly partitionBest: number
  readonly #engine: Engine
  readonly #buffers: QueryBuffers
  readonly #masks: RowMasks
  readonly #listMask: ListMask
  #layout: InvertedLayout
  #tail: AppendedRows
  #ids: IdTable
  /** Lists have room for more, so that they are not rebuilt for every new feature. */
  #columns: number

  private constructor(holding: Holding, engine: Engine, { metric, partitionBest, rows, split, ids }: InvertedParts) {
    super(holding)
    this.metric = metric
    this.partitionBest = partitionBest
    this.#engine = engine
    this.#ids = ids
    this.#columns = rows.columns
    this.#layout = new InvertedLayout(engine, rows, split, partitionBest)
    this.#tail = this.#newTail()
    this.#buffers = new QueryBuffers(engine)
    this.#masks = new RowMasks(engine.arena)
    this.#listMask = new ListMask(engine.arena)
  }

  /**
   * Builds an index from sparse vectors, `[{ id, vector }]` or a SparseMatrix. You do not have to scale rows; values must be finite and at least 0.
   */
  static async fit(items: SparseItems, options: InvertedOptions & LongWork = {}): Promise<InvertedIndex> {
    checkOptions(options, invertedFitOptions)
    const { rows: given, ids } = await sparseRowsInTurns(items, 'row', options)
    const { metric = 'cosine', engine = defaultEngine(), partitionBest = 100, signal, onProgress } = options
    checkWord('metric', metric, ['cosine', 'dot'])
    checkWhole('partitionBest', partitionBest, 1, Number.MAX_SAFE_INTEGER)
    checkSomeRows(given.rows)
    // A copy: in the pauses, callers may change what they gave.
    const { offsets, indices, values } = given
    const rows = new SparseMatrix(given.rows, given.columns, offsets.slice(), indices.slice(), values.slice())
    checkMatrix(rows, 'row')
    const idTable = await inTurns(IdTable.inSteps(rows.rows, idsOf(ids, options.ids)), { signal })
    const pauses = new Pauses({ signal })
    await pauses.rest()
    const scaled = scaleRows(rows, metric)
    onProgress?.({ what: 'indexing', done: 0, total: rows.rows })
    await pauses.rest()
    const split = await inTurns(splitInTurns(scaled), { signal })
    await pauses.rest()
    const parts = { metric, partitionBest, rows: scaled, split, ids: idTable }
    const index = await lendFor(engine, 'InvertedIndex', async (lease, holding) => {
      return new InvertedIndex(holding, lease, parts)
    })
    onProgress?.({ what: 'indexing', done: rows.rows, total: rows.rows })
    return index
  }

  /** One more than the highest feature. */
  get columns(): number {
    return this.#columns
  }

  /** The vector of an internal row, as stored: scaled to length 1 under 'cosine'. A copy; empty if the row was removed. */
  row(row: number): SparseRow {
    this.checkLive()
    checkRowNumber(row, this.#ids.rows)
    if (this.#ids.idOf(row) === undefined) return { indices: new Uint32Array(0), values: new Float32Array(0) }
    const listed = this.#layout.rows
    return row < listed ? this.#layout.row(row) : this.#tail.row(row - listed)
  }

  /**
   * The k nearest items that share a feature with the query, best first. Returns fewer if there are fewer. Features that no item has match
   * nothing, but count towards the length of the query under 'cosine'.
   */
  search(query: SparseVector, options: SparseSearchOptions = {}): Neighbor[] {
    this.checkLive()
    checkOptions(options, sparseSearchOptions)
    const { k = 10, algorithm = 'auto', filter } = options
    const scaled = this.#checked(query, k, algorithm)
    const { rows, similarities } = filter
      ? // A filter may free the index: not before it is answered.
        this.#engine.readers.readNow(() => this.#nearestPassing(scaled, k, algorithm, filter))
      : this.#answer(scaled, k, algorithm, this.#visible())
    return Array.from(rows, (row, i) => ({ id: this.liveId(row), distance: toDistance(similarities[i], this.metric) }))
  }

  /** Like `search`, but returns internal rows and similarities, as classifiers need them. The arrays are copies: yours to keep. */
  nearest(query: SparseVector, k: number, algorithm: Algorithm = 'auto'): NearestRows {
    this.checkLive()
    return this.#answer(this.#checked(query, k, algorithm), k, algorithm, this.#visible())
  }

  /**
   * `nearest` for many queries, in worker threads. You may change the index in the meantime: answers are for the state when the call began.
   */
  async nearestBatch(given: SparseItems, options: SparseBatchOptions = {}): Promise<NearestBatch> {
    this.checkLive()
    checkOptions(options, sparseBatchOptions)
    const { k = 10, algorithm = 'auto', threads, excludeSelf = false, ...work } = options
    checkK(k)
    checkAlgorithm(algorithm)
    const queries = sparseRowsOf(given, 'query').rows
    checkMatrix(queries, 'query')
    if (excludeSelf) this.#checkSelves(queries)
    const scaled = knownColumns(scaleRows(queries, this.metric), this.columns)
    const mask = this.#visible()
    const batch = { ...work, queries: scaled, k: this.#possible(k), algorithm, mask, excludeSelf, threads }
    const index = this.#layout.blockFor(algorithm, this.#tail)
    return this.#engine.readers.read(() => answerBatch(this.#engine, { ...batch, index }))
  }

  /**
   * `search` for many queries, in worker threads. You may change the index in the meantime: answers are for the state when the call began.
   */
  async searchBatch(queries: SparseItems, options: SparseBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    const ids = this.#ids
    const { queries: count, k, rows, similarities, counts } = await this.nearestBatch(queries, options)
    const distances = similarities.map(similarity => toDistance(similarity, this.metric))
    return neighborBatch({ queries: count, k, rows, distances, counts }, ids)
  }

  /**
   * Adds a vector or `{ id, vector }` and returns its id (default: its row number). The next search can find it. It may have features that
   * no row had before.
   */
  add(vector: SparseVector | VectorItem<SparseVector>, id?: Id): Id {
    this.checkLive()
    const given = addedItem(vector, id, sparseForms)
    const row = sparseArraysOf(given.item, 'the row')
    checkRow(row, 'the row')
    checkFeatures(row, mostColumns, 'the row')
    const added = this.#ids.nextId(given.id)
    this.#renewIfWorn()
    this.#widen(1 + (row.indices.at(-1) ?? -1))
    this.#tail.append(scaleRow(row, this.metric))
    this.#ids.add(added)
    return added
  }

  /** Removes an item. Returns false if the id is unknown. */
  remove(id: Id): boolean {
    this.checkLive()
    this.#renewIfWorn()
    const row = this.#ids.remove(id)
    if (row !== undefined) this.#masks.remove(row)
    return row !== undefined
  }

  /** Renumbers rows to close the holes of removed ones. Returns the new number of every old row, or 2³² − 1 if it was removed. */
  compact(): Uint32Array {
    this.checkLive()
    const matrix = this.#liveMatrix()
    const { table, newRows } = this.#ids.compact()
    this.#replaceLists(matrix.select(this.#ids.liveRows()))
    this.#ids = table
    return newRows
  }

  /** The stored rows, for an index that searches them in another way. Valid until a row is added or removed. */
  placed(): PlacedRows {
    this.checkLive()
    const block = this.#layout.blockFor('auto', this.#tail)
    return { block, mask: this.#visible(), engine: this.#engine, ids: this.#ids }
  }

  /** A filter over these rows. Valid until a row is added or removed. */
  openFilter(filter: Filter): RowFilter {
    this.checkLive()
    checkFilter('filter', filter)
    return this.opened(filter)
  }

  /** Everything a model file stores; a classifier can store it among its own tensors. */
  contents(): ModelContents {
    this.checkLive()
    this.#renew()
    if (this.#layout.columns > this.#columns) this.#replaceLists(withColumns(this.#layout.toMatrix(), this.#columns))
    const { metric, partitionBest } = this
    return packInverted({
      ...{ metric, partitionBest, ids: this.#ids },
      ...{ rows: this.#layout.toMatrix(), split: this.#layout.toSplit() },
    })
  }

  /** Restores what `contents()` returned. Nothing is sorted again. `name` is what messages call the source. */
  static fromContents(contents: ModelContents, options: ModelPlace & { readonly name?: string } = {}): InvertedIndex {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    const parts = unpackInverted(contents, name)
    return lend(engine, 'InvertedIndex', (lease, holding) => new InvertedIndex(holding, lease, parts))
  }

  /** Reads an index that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<InvertedIndex> {
    return loadFile(path, options, InvertedIndex.fromContents)
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<InvertedIndex> {
    return loadBytes(bytes, options, InvertedIndex.fromContents)
  }

  protected override get ids(): IdTable {
    return this.#ids
  }

  #newTail(): AppendedRows {
    return new AppendedRows(this.#engine.arena, discarderOf(this.#engine.readers))
  }

  #checked(vector: SparseVector, k: number, algorithm: Algorithm): SparseRow {
    checkK(k)
    checkAlgorithm(algorithm)
    const query = sparseArraysOf(vector, 'the query')
    checkRow(query, 'the query')
    return knownFeatures(scaleRow(query, this.metric), this.columns)
  }

  #answer(query: SparseRow, k: number, algorithm: Algorithm, mask: RowMask): NearestRows {
    const { pointer: index } = this.#layout.blockFor(algorithm, this.#tail)
    return this.#buffers.answer({ index, query, k: this.#possible(k), algorithm, mask })
  }

  /** Memory is set aside for k neighbors: no more of it than there are rows. */
  #possible(k: number): number {
    return Math.min(k, this.#ids.rows)
  }

  /** A filter is asked about the nearest only, if that is cheaper and leaves k; else about all. */
  #nearestPassing(query: SparseRow, k: number, algorithm: Algorithm, filter: Filter): NearestRows {
    const passing = this.opened(filter)
    const wide = nearFor(k, passing.share)
    if (wide * (passing.askNanos + neighborNanos) < passing.listNanos) {
      const near = this.#answer(query, wide, algorithm, this.#visible())
      const places = firstPassing(near.rows, passing, k)
      // Where fewer share a feature with the query, there are no others.
      if (places.length === k || near.rows.length < this.#possible(wide)) return pickNearest(near, places)
    }
    const listed = passing.rows()
    return this.#answer(
      query,
      Math.max(1, Math.min(k, listed.length)),
      algorithm,
      this.#listMask.of(listed, this.#ids.rows),
    )
  }

  #visible(): RowMask {
    return this.#masks.visible(this.#ids.rows)
  }

  #checkSelves(queries: SparseMatrix): void {
    if (queries.rows <= this.#ids.rows) return
    const message = `excludeSelf needs one query per row: you gave ${queries.rows} queries, this index has ${this.#ids.rows} rows`
    throw new EngineError('DIMENSION_MISMATCH', message, { hint: 'Query i must be row i of the index.' })
  }

  #renewIfWorn(): void {
    const changes = this.#tail.rows + this.#masks.removedCount
    if (changes > Math.max(fewestChanges, this.#ids.rows * changedShare)) this.#renew()
  }

  /** Takes added rows into the lists, and removed ones out of them: their numbers stay, as empty rows. */
  #renew(): void {
    if (this.#tail.rows + this.#masks.removedCount > 0) this.#replaceLists(this.#liveMatrix())
  }

  /** All rows by their numbers, removed ones empty. */
  #liveMatrix(): SparseMatrix {
    const matrix = this.#layout.toMatrix().concat(this.#tail.toMatrix(this.columns))
    return this.#masks.removedCount === 0 ? matrix : emptyRows(matrix, row => this.#ids.idOf(row) === undefined)
  }

  /** Makes room for that many columns. If memory runs out, nothing changes. */
  #widen(columns: number): void {
    if (columns > this.#layout.columns) {
      const roomy = Math.min(mostColumns, Math.max(columns, Math.ceil(columnGrowth * this.#layout.columns)))
      this.#replaceLists(withColumns(this.#liveMatrix(), roomy))
    }
    this.#columns = Math.max(this.#columns, columns)
  }

  #replaceLists(rows: SparseMatrix): void {
    const [oldLayout, oldTail] = [this.#layout, this.#tail]
    this.#layout = new InvertedLayout(this.#engine, rows, splitOf(rows), this.partitionBest)
    this.#tail = this.#newTail()
    this.#engine.readers.discard(() => oldLayout.free())
    oldTail.free()
    this.#masks.reset()
    this.#listMask.free()
    this.#buffers.reset()
  }
}

function splitOf(rows: SparseMatrix): FrequentColumns {
  return finish(splitInTurns(rows))
}

function* splitInTurns(rows: SparseMatrix): Steps<FrequentColumns> {
  return yield* splitInSteps(yield* listByRowInSteps(rows), rows.rows)
}

function withColumns({ rows, offsets, indices, values }: SparseMatrix, columns: number): SparseMatrix {
  return new SparseMatrix(rows, columns, offsets, indices, values)
}

/** A copy in which some rows have no entries. */
function emptyRows(matrix: SparseMatrix, isEmpty: (row: number) => boolean): SparseMatrix {
  const offsets = new Float64Array(matrix.rows + 1)
  const kept = new Uint8Array(matrix.entries)
  for (let row = 0; row < matrix.rows; row++) {
    const [from, to] = [matrix.offsets[row], matrix.offsets[row + 1]]
    const keep = !isEmpty(row)
    if (keep) kept.fill(1, from, to)
    offsets[row + 1] = offsets[row] + (keep ? to - from : 0)
  }
  const indices = matrix.indices.filter((_, e) => kept[e] === 1)
  const values = matrix.values.filter((_, e) => kept[e] === 1)
  return new SparseMatrix(matrix.rows, matrix.columns, offsets, indices, values)
}
