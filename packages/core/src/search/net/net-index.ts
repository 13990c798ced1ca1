// Neighbors in any metric space: exact, or at most 1 + η times as far as they could be. Items may be vectors, sparse rows, texts, or
// anything that a metric supplied by the caller compares. The net is in nets/net.ts, questions in nets/explore.ts, files in contents.ts.
// Invariant: a running batch keeps its net; changes in the meantime go to a copy.

import { addedItem, addedOwnItem } from '../../data/given/added-item.ts'
import {
  type NetRows,
  netForms,
  netRowsInTurns,
  netRowsOf,
  type OwnItem,
  ownItemsOf,
  type TextItem,
} from '../../data/given/net-rows.ts'
import { idsOf, type VectorItem } from '../../data/given/rows.ts'
import { assert, EngineError, throwIfAborted } from '../../errors.ts'
import type { Id } from '../../ids/id.ts'
import { IdTable, removedRow } from '../../ids/id-table.ts'
import { readInTurns } from '../../ids/load-ahead.ts'
import { Holding } from '../../kernels/owned.ts'
import { eachInTurns } from '../../long-work.ts'
import { checkSomeRows } from '../../matrix/checks.ts'
import type { DenseVector, SparseVector } from '../../matrix/given-vector.ts'
import { type DimensionEstimate, estimateDimension } from '../../nets/dimension.ts'
import { type NetNeighbor, nearestInNet } from '../../nets/explore.ts'
import { type ItemKind, itemKind, layoutOfItems, type NetItems } from '../../nets/items.ts'
import { distancesFrom, type Metric } from '../../nets/metrics/metric.ts'
import { guarded, requireMetric } from '../../nets/metrics/metric-fault.ts'
import { findNetMetric, type ItemLayout, type MetricItem, metricNamesFor } from '../../nets/metrics/named-metrics.ts'
import { Net } from '../../nets/net.ts'
import { checkNumber, checkOptions } from '../../options.ts'
import { checkContents, type ModelContents } from '../../store/header.ts'
import type { ModelBytes } from '../../store/open-model.ts'
import { checkK, type Neighbor } from '../neighbor.ts'
import { type NeighborArrays, type NeighborBatch, neighborBatch } from '../neighbor-batch.ts'
import { RowIndex } from '../row-index.ts'
import { type NetParts, netMethod, packNet, unpackNet } from './contents.ts'
import { nearestPassing } from './nearest-passing.ts'
import {
  type NetBatchOptions,
  type NetLoadOptions,
  type NetOptions,
  type NetSearchOptions,
  netBatchOptions,
  netContentsOptions,
  netFitOptions,
  netLoadOptions,
  netSearchOptions,
  type OwnNetOptions,
} from './options.ts'

/** A query: an item, or a vector in any form. */
export type NetQuery<Item> = Item | DenseVector | SparseVector

/** Nearest neighbors by any metric, including your own, with a cover tree. */
export class NetIndex<Item = MetricItem> extends RowIndex {
  readonly kind = netMethod
  #parts: NetParts<Item>
  /** How many batches read the net at this time. */
  #reading = 0

  private constructor(parts: NetParts<Item>) {
    super(new Holding('NetIndex'))
    this.#parts = parts
  }

  /**
   * Builds an index from texts, vectors, `[{ id, text }]`, `[{ id, vector }]` or a matrix. With your own metric: from any items it compares,
   * or `[{ id, item }]`. Such a metric is tried on some triples of items first. Vectors need finite numbers.
   */
  static async fit(items: NetRows, options?: NetOptions): Promise<NetIndex>
  static async fit<Item>(items: readonly OwnItem<Item>[], options: OwnNetOptions<Item>): Promise<NetIndex<Item>>
  static async fit<Item>(items: readonly Item[], options: OwnNetOptions<Item>): Promise<NetIndex<Item>>
  static async fit<Item>(given: NetRows | readonly unknown[], options: NetOptions<Item> = {}): Promise<NetIndex<Item>> {
    checkOptions(options, netFitOptions)
    const { triples, ...work } = options
    const isOwn = typeof options.metric === 'object'
    const { rows: items, ids } = isOwn ? ownItemsOf<Item>(given, 'row') : await netRowsInTurns(given, 'row', work)
    const columns = checkItems(items)
    const layout = layoutOfItems(items)
    const { metric, own } = chooseMetric(options.metric, layout)
    // Items have the layout's type, which is what the metric takes.
    const kind = itemKind(layout, columns) as ItemKind<Item>
    const table = new IdTable('rows' in items ? items.rows : items.length, idsOf(ids, options.ids))
    const itemAt = (row: number) => ('rows' in items ? items.row(row) : items[row])
    const net = new Net(metric)
    for (let row = 0; row < table.rows; row++) net.items.push(admit(kind, metric, itemAt(row), `row ${row}`))
    // Tried as you gave it, not guarded, so that messages name the items.
    if (own && triples !== 0) requireMetric(options.metric as Metric<Item>, net.items as Item[], triples)
    await eachInTurns(table.rows, 'indexing', work, row => net.insert(row))
    return new NetIndex({ kind, own, net, ids: table })
  }

  get metric(): string {
    return this.#parts.net.metric.name
  }

  /** What its items are. */
  get layout(): ItemLayout {
    return this.#parts.kind.layout
  }

  /** Dimensions of the vectors; 0 if items are not vectors. */
  get dims(): number {
    const { kind, net } = this.#parts
    return kind.columnsOf(net.items)
  }

  /** The item of a row; undefined if it was removed. */
  item(row: number): Item | undefined {
    this.checkLive()
    return typeof row === 'number' ? this.#parts.net.items[row] : undefined
  }

  /** The k nearest items, best first; ties in row order. Returns fewer if the index has fewer. */
  search(query: NetQuery<Item>, options: NetSearchOptions = {}): Neighbor[] {
    this.checkLive()
    checkOptions(options, netSearchOptions)
    // A filter may free the index: its ids stay until it is answered.
    const { ids } = this.#parts
    return this.#nearest(query, options).found.map(({ row, distance }) => ({ id: liveId(ids, row), distance }))
  }

  /** How many distances `search` computes. */
  searchCandidates(query: NetQuery<Item>, options: NetSearchOptions = {}): number {
    this.checkLive()
    checkOptions(options, netSearchOptions)
    return this.#nearest(query, options).computed
  }

  /** `search` for many queries. You may change the index in the meantime: answers are for the state when the call began. */
  async searchBatch(given: NetRows | readonly Item[], options: NetBatchOptions = {}): Promise<NeighborBatch> {
    this.checkLive()
    checkOptions(options, netBatchOptions)
    const { k = 10, tolerance = 0, signal, onProgress } = options
    checkQuery(k, tolerance)
    throwIfAborted(signal)
    const { kind, net, ids } = this.#parts
    const isOwn = kind.layout === 'any'
    const queries = isOwn ? ownItemsOf(given, 'query').rows : netRowsOf(given, 'query').rows
    const count = 'rows' in queries ? queries.rows : queries.length
    const queryAt = (i: number) => ('rows' in queries ? queries.row(i) : queries[i])
    const asked = Array.from({ length: count }, (_, i) => admit(kind, net.metric, queryAt(i), `query ${i}`))
    const found: NetNeighbor[][] = []
    this.#reading++
    try {
      await eachInTurns(count, 'searching', { signal, onProgress }, i => {
        found.push(nearestInNet(net, distancesFrom(net.metric, asked[i]), { k, tolerance }).found)
      })
    } finally {
      if (net === this.#parts.net) this.#reading--
    }
    return neighborBatch(toBatch(found, k), ids)
  }

  /**
   * Adds an item and returns its id (default: its row number). The next search can find it. Takes `{ id, vector }` and `{ id, text }`
   * too; with a metric of your own, `{ id, item }`.
   */
  add(item: NetQuery<Item> | TextItem | VectorItem<DenseVector | SparseVector> | OwnItem<Item>, id?: Id): Id {
    this.checkLive()
    const { kind, net: searched } = this.#parts
    const given = kind.layout === 'any' ? addedOwnItem(item, id) : addedItem(item, id, netForms)
    const admitted = admit(kind, searched.metric, given.item, 'the row')
    const added = this.#parts.ids.nextId(given.id)
    const { net, ids } = this.#writable()
    const row = ids.rows
    net.items[row] = admitted
    net.insert(row)
    ids.add(added)
    return added
  }

  /** Removes an item. Returns false if the id is unknown. */
  remove(id: Id): boolean {
    this.checkLive()
    if (this.rowOf(id) === undefined) return false
    const { net, ids } = this.#writable()
    const row = ids.remove(id)
    assert(row !== undefined, 'the id was there')
    net.remove(row)
    return true
  }

  /** Renumbers rows to close the holes of removed ones. Returns the new number of every old row, or 2³² − 1 if it was removed. */
  compact(): Uint32Array {
    this.checkLive()
    const { net, ids } = this.#parts
    const { table, newRows } = ids.compact()
    if (table === ids) return newRows
    const items = net.items.filter((_, row) => newRows[row] !== removedRow)
    this.#replace({ net: net.renumbered(items, row => newRows[row]), ids: table })
    return newRows
  }

  /**
   * Estimates the doubling dimension of the items: log₂ of how many balls of half the radius cover a ball, over sampled balls.
   */
  dimension(seed = 1): DimensionEstimate {
    this.checkLive()
    return estimateDimension(this.#parts.net, seed)
  }

  /** Everything a model file stores. Items of your own are kept as JSON. */
  contents(): ModelContents {
    this.checkLive()
    return packNet(this.#parts)
  }

  /** Restores what `contents()` returned. `name` is what messages call the source. Pass `metric` again if it was your own. */
  static fromContents<Item = MetricItem>(
    contents: ModelContents,
    options: { readonly name?: string; readonly metric?: Metric<Item> } = {},
  ): NetIndex<Item> {
    checkOptions(options, netContentsOptions)
    checkContents(contents)
    const { name = 'the model', metric } = options
    return new NetIndex(unpackNet(contents, name, metric && guarded(metric)))
  }

  /** Reads an index that `save` wrote. A metric of your own must be given again. */
  static async load<Item = MetricItem>(path: string, options: NetLoadOptions<Item> = {}): Promise<NetIndex<Item>> {
    checkOptions(options, netLoadOptions)
    const { signal, ...own } = options
    return NetIndex.fromContents<Item>(await readInTurns(path, { signal }), { ...own, name: path })
  }

  /** Like `load`, from the bytes that `toBytes` returned. */
  static async fromBytes<Item = MetricItem>(
    bytes: ModelBytes,
    options: NetLoadOptions<Item> = {},
  ): Promise<NetIndex<Item>> {
    checkOptions(options, netLoadOptions)
    const { signal, ...own } = options
    return NetIndex.fromContents<Item>(await readInTurns(bytes, { signal }), own)
  }

  /** Every later call throws. The memory is ordinary JavaScript memory, so this only matters for consistency with other indexes. */
  override free(): void {
    super.free()
    this.#replace({ net: new Net(this.#parts.net.metric), ids: new IdTable(0) })
  }

  protected override get ids(): IdTable {
    return this.#parts.ids
  }

  #nearest(query: NetQuery<Item>, { k = 10, tolerance = 0, filter }: NetSearchOptions) {
    checkQuery(k, tolerance)
    const { kind, net } = this.#parts
    const asked = admit(kind, net.metric, query, 'the query')
    const measure = distancesFrom(net.metric, asked)
    if (!filter) return nearestInNet(net, measure, { k, tolerance })
    return nearestPassing(net, measure, { k, tolerance }, this.opened(filter))
  }

  /** The parts, for writing: a copy if a batch reads them. */
  #writable(): NetParts<Item> {
    const { net, ids } = this.#parts
    if (this.#reading > 0) this.#replace({ net: net.renumbered([...net.items]), ids })
    return this.#parts
  }

  #replace(parts: Pick<NetParts<Item>, 'net' | 'ids'>): void {
    this.#parts = { ...this.#parts, ...parts }
    this.#reading = 0
  }
}

function liveId(ids: IdTable, row: number): Id {
  const id = ids.idOf(row)
  assert(id !== undefined, `row ${row} was found, but it was removed`)
  return id
}

function chooseMetric<Item>(
  given: string | Metric<Item> | undefined,
  layout: ItemLayout,
): { metric: Metric<Item>; own: boolean } {
  if (typeof given === 'object') return { metric: guarded(given), own: true }
  const name = given ?? metricNamesFor(layout)[0] ?? 'none'
  return { metric: findNetMetric(name, layout) as Metric<unknown> as Metric<Item>, own: false } // of the items' layout
}

/** How many columns the items have. */
function checkItems(items: NetItems<unknown>): number {
  const rows = 'rows' in items ? items.rows : items.length
  checkSomeRows(rows)
  const columns = 'columns' in items ? items.columns : 0
  if (columns === 0 && layoutOfItems(items) === 'dense') {
    throw new EngineError('EMPTY_DATA', 'the rows to index have no dimensions')
  }
  return columns
}

function admit<Item>(kind: ItemKind<Item>, metric: Metric<Item>, item: unknown, name: string): Item {
  const admitted = kind.admit(item, name)
  metric.check?.(admitted, name)
  return admitted
}

function checkQuery(k: number, tolerance: number): void {
  checkK(k)
  checkNumber('tolerance', tolerance, isAmount, 'a finite number of at least 0')
}

function isAmount(value: number): boolean {
  return value >= 0 && value < Number.POSITIVE_INFINITY
}

function toBatch(found: readonly NetNeighbor[][], asked: number): NeighborArrays {
  const most = found.reduce((longest, { length }) => Math.max(longest, length), 1)
  const k = Math.min(asked, most)
  const [rows, distances] = [new Uint32Array(found.length * k), new Float32Array(found.length * k)]
  found.forEach((neighbors, i) => {
    neighbors.forEach(({ row, distance }, place) => {
      rows[i * k + place] = row
      distances[i * k + place] = distance
    })
  })
  return { queries: found.length, k, rows, distances, counts: Uint32Array.from(found, ({ length }) => length) }
}
