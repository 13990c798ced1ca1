// Exact neighbors of dense rows, by computing all of them: right for small corpora, for filters that let few rows pass, and
// as the truth that other indexes are measured by.

import { addedItem } from '../../data/given/added-item.ts'
import { type DenseItems, denseForms, denseRowsInTurns, idsOf, type VectorItem } from '../../data/given/rows.ts'
import { throwIfAborted } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { IdTable } from '../../ids/id-table.ts'
import { loadBytes, loadFile } from '../../ids/load-ahead.ts'
import { contentsOptions, defaultEngine, type Engine, type LoadOptions, type ModelPlace } from '../../kernels/engine.ts'
import { type Holding, lend, lendFor } from '../../kernels/owned.ts'
import { discarderOf } from '../../kernels/readers.ts'
import { finish, inTurns, type Steps } from '../../long-work.ts'
import { checkCorpus, checkMetric } from '../../matrix/dense-checks.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import type { DenseNumbers } from '../../matrix/dense-values.ts'
import type { DenseVector } from '../../matrix/given-vector.ts'
import { checkRowNumber } from '../../matrix/sparse-checks.ts'
import { checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { packDense, unpackDense } from '../dense/dense-contents.ts'
import { DenseRows } from '../dense/dense-rows.ts'
import { compareRows } from '../dense/exact-filter.ts'
import { exactNeighbors } from '../dense/exact-search.ts'
import { WaitingBatches } from '../dense/waiting-batches.ts'
import {
  type DenseBatchOptions,
  type DenseFitOptions,
  type DenseIndex,
  type DenseSearchOptions,
  denseBatchOptions,
  denseFitOptions,
  denseSearchOptions,
} from '../dense-index.ts'
import { RowMasks } from '../filters/row-masks.ts'
import { checkK, type Neighbor } from '../neighbor.ts'
import { type NeighborArrays, type NeighborBatch, neighborBatch } from '../neighbor-batch.ts'
import { RowIndex } from '../row-index.ts'

const kind = 'exact'

/** Exact nearest neighbors of dense vectors: all distances are computed. */
export class ExactIndex extends RowIndex implements DenseIndex {
  readonly kind = kind
  readonly #engine: Engine
  readonly #masks: RowMasks
  readonly #rows: DenseRows
  readonly #batches = new WaitingBatches()
  #ids: IdTable

  private constructor(holding: Holding, engine: Engine, ids: IdTable, rows: DenseRows) {
    super(holding)
    this.#engine = engine
    this.#ids = ids
    this.#rows = rows
    this.#masks = new RowMasks(engine.arena)
    for (const row of ids.removedRows()) this.#masks.remove(row)
  }

  /** Builds an index from arrays of numbers, `[{ id, vector }]` or a DenseMatrix. Numbers must be finite. */
  static async fit(items: DenseItems, options: DenseFitOptions = {}): Promise<ExactIndex> {
    checkOptions(options, denseFitOptions)
    const { rows, ids } = await denseRowsInTurns(items, 'row', options)
    const { metric = 'euclidean', engine = defaultEngine(), signal, onProgress } = options
    checkMetric(metric)
    checkCorpus(rows)
    const idSteps = IdTable.inSteps(rows.rows, idsOf(ids, options.ids))
    onProgress?.({ what: 'indexing', done: 0, total: rows.rows })
    throwIfAborted(signal)
    const index = await lendFor(engine, 'ExactIndex', async (lease, holding) => {
      const placed = await DenseRows.fromInTurns(lease, metric, rows, discarderOf(lease.readers), { signal })
      return new ExactIndex(holding, lease, await inTurns(idSteps, { signal }), placed)
    })
    onProgress?.({ what: 'indexing', done: rows.rows, total: rows.rows })
    return index
  }

  get metric(): DenseMetric {
    return this.#rows.metric
  }

  get dims(): number {
    return this.#rows.dims
  }

  /** The vector of an internal row, as stored: scaled to length 1 under 'cosine'. A copy. */
  vector(row: number): Float32Array {
    checkRowNumber(row, this.rowNumbers)
    return this.#rows.row(row).slice()
  }

  search(query: DenseVector, options: DenseSearchOptions = {}): Neighbor[] {
    this.checkLive()
    checkOptions(options, denseSearchOptions)
    const { k = 10, filter } = options
    checkK(k)
    const prepared = this.#rows.prepare(query, 'the query')
    // Memory is set aside for k neighbors: no more of it than there are rows.
    const question = {
      rows: this.#rows,
      query: prepared,
      k: Math.min(k, this.rowNumbers),
      mask: this.#masks.visible(this.rowNumbers),
    }
    // A filter may free the index: not before it is answered.
    const { rows, raw } = this.#engine.readers.readNow(() =>
      compareRows(this.#engine, question, filter && this.opened(filter)),
    )
    return Array.from(rows, (row, i) => ({ id: this.liveId(row), distance: this.#rows.distance(raw[i]) }))
  }

  async searchBatch(queries: DenseItems, options: DenseBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, denseBatchOptions)
    return this.#batches.answer(queries, this.dims, options, async matrix => {
      const ids = this.#ids
      const found = await this.#engine.readers.read(() => this.#answerBatch(matrix, options))
      return neighborBatch(found, ids)
    })
  }

  add(row: DenseVector | VectorItem<DenseVector>, id?: Id): Id {
    this.checkLive()
    this.#batches.beginAll()
    const given = addedItem(row, id, denseForms)
    const prepared = this.#rows.prepare(given.item as DenseVector, 'the row') // checked there
    const added = this.#ids.nextId(given.id)
    this.#rows.append(prepared)
    this.#ids.add(added)
    return added
  }

  remove(id: Id): boolean {
    this.checkLive()
    this.#batches.beginAll()
    const row = this.#ids.remove(id)
    if (row !== undefined) this.#masks.remove(row)
    return row !== undefined
  }

  compact(): Uint32Array {
    this.checkLive()
    this.#batches.beginAll()
    const { table, newRows } = this.#ids.compact()
    if (table === this.#ids) return newRows
    this.#rows.keep(this.#ids.liveRows())
    this.#masks.reset()
    this.#ids = table
    return newRows
  }

  override free(): void {
    this.#batches.beginAll()
    super.free()
  }

  contents(): ModelContents {
    return finish(this.contentSteps())
  }

  protected override contentSteps(): Steps<ModelContents> {
    this.checkLive()
    return packDense(this.#engine, this.#rows, this.#ids, { method: kind })
  }

  /** Restores what `contents()` returned. `name` is what messages call the source. */
  static fromContents(contents: ModelContents, options: ModelPlace & { readonly name?: string } = {}): ExactIndex {
    checkOptions(options, contentsOptions)
    checkContents(contents)
    const { engine = defaultEngine(), name = 'the model' } = options
    const { metric, dims, values, ids } = unpackDense(contents, kind, name)
    return lend(engine, 'ExactIndex', (lease, holding) => {
      const placed = lease.arena.place(values, 'the rows')
      const rows = new DenseRows(lease, metric, dims, placed, discarderOf(lease.readers))
      return new ExactIndex(holding, lease, ids, rows)
    })
  }

  /** Reads an index that `save` wrote. */
  static load(path: string, options: LoadOptions = {}): Promise<ExactIndex> {
    return loadFile(path, options, ExactIndex.fromContents, () => ['rows'])
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static fromBytes(bytes: ModelBytes, options: LoadOptions = {}): Promise<ExactIndex> {
    return loadBytes(bytes, options, ExactIndex.fromContents)
  }

  async #answerBatch(queries: DenseNumbers, options: DenseBatchOptions): Promise<NeighborArrays> {
    const { k = 10, threads, ...work } = options
    checkK(k)
    const scope = this.#engine.arena.scope()
    try {
      const placed = { pointer: this.#rows.place(queries, scope).pointer, rows: queries.rows }
      const mask = this.#masks.visible(this.rowNumbers)
      const query = { ...work, rows: this.#rows, queries: placed, k: Math.min(k, this.rowNumbers), mask, threads }
      const { raw, ...found } = await exactNeighbors(this.#engine, query)
      return { ...found, distances: raw.map(value => this.#rows.distance(value)) }
    } finally {
      scope.free()
    }
  }

  protected override get ids(): IdTable {
    return this.#ids
  }
}
