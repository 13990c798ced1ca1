// Approximate neighbors of dense rows by a forest (paper 000): trees lead a query to leaves, leaves vote for rows, small codes sift
// the candidates, and the few that are left are compared exactly. Distances are true ones; what may be missing is a neighbor.

import { assert, throwIfAborted } from '../errors.ts'
import { Forest, placeParts } from '../forest/forest.ts'
import { countsNeighbors } from '../forest/rule.ts'
import { defaultEngine, type Engine } from '../kernels/engine.ts'
import type { DenseMatrix } from '../matrix/dense-matrix.ts'
import { Random } from '../random.ts'
import type { AtomicWriteOptions } from '../store/atomic-file.ts'
import type { ModelContents } from '../store/header.ts'
import { readModel } from '../store/read-model.ts'
import { writeModel } from '../store/write-model.ts'
import { CodeRows } from './code-rows.ts'
import { checkCorpus, checkK, checkMetric } from './dense-checks.ts'
import type { DenseBatchOptions, DenseIndex, DenseMetric } from './dense-index.ts'
import { DenseRows } from './dense-rows.ts'
import { exactNeighbors, exactNeighborsNow } from './exact-search.ts'
import type { Effort, Searched } from './forest-block.ts'
import { forestMethod, packForest, unpackForest } from './forest-contents.ts'
import {
  checkEffort,
  checkNeighborLists,
  checkTraining,
  type ForestBatchOptions,
  type ForestEffort,
  type ForestFitOptions,
  type ForestSearchOptions,
  type ForestSettings,
  forestSettings,
} from './forest-options.ts'
import {
  type BuildOptions,
  growForest,
  pickTraining,
  sketchRows,
  type TrainingRows,
  trainingRows,
} from './forest-parts.ts'
import { ForestDesk, forestNeighbors } from './forest-search.ts'
import { type ForestTuning, tuneEffort } from './forest-tuning.ts'
import { IdTable, removedRow } from './id-table.ts'
import type { Filter, Id, Neighbor, NeighborBatch } from './neighbor.ts'
import type { RowMask } from './query-block.ts'
import { Readers } from './readers.ts'
import { RowMasks } from './row-masks.ts'
import { Sketch } from './sketch.ts'

interface IndexParts {
  readonly rows: DenseRows
  readonly ids: IdTable
  readonly sketch: Sketch
  readonly codes: CodeRows
  readonly forest: Forest
  readonly settings: ForestSettings
  readonly effort: Effort
  readonly tuning: ForestTuning | undefined
  readonly readers: Readers
}

/** Rows held out of growing while the effort is chosen. */
const heldOutRows = 500
/** With fewer rows, everything is worth comparing. */
const fewRows = 2000
/** A filter that lets less than this share pass is answered by computing all rows that do. */
const fewPassing = 0.02
/** A function asked about this many times k neighbors rarely leaves fewer than k. */
const filterReserve = 4
/** Leaves are packed anew when this share of their labels was added, or of the rows removed, since. */
const wornShare = 1 / 4
const fewestWorn = 4096

export class ForestIndex implements DenseIndex {
  readonly kind = forestMethod
  /** The options it was fitted with. */
  readonly settings: ForestSettings
  /** How thoroughly it searches where a search does not say otherwise. */
  readonly effort: Effort
  /** How the effort was chosen; undefined where it was given. */
  readonly tuning: ForestTuning | undefined
  readonly #engine: Engine
  readonly #readers: Readers
  readonly #masks: RowMasks
  readonly #rows: DenseRows
  readonly #sketch: Sketch
  readonly #codes: CodeRows
  readonly #forest: Forest
  readonly #desk: ForestDesk
  #ids: IdTable
  /** Rows removed since the leaves were packed. */
  #stale = new Set<number>()

  private constructor(engine: Engine, parts: IndexParts) {
    this.#engine = engine
    this.#readers = parts.readers
    this.#rows = parts.rows
    this.#sketch = parts.sketch
    this.#codes = parts.codes
    this.#forest = parts.forest
    this.#ids = parts.ids
    this.settings = parts.settings
    this.effort = parts.effort
    this.tuning = parts.tuning
    this.#masks = new RowMasks(engine.arena)
    for (let row = 0; row < parts.ids.rows; row++) if (parts.ids.idOf(row) === undefined) this.#masks.remove(row)
    this.#desk = new ForestDesk(engine, parts.rows.dims)
    this.#desk.open(this.#searched())
  }

  /** Values must be finite. */
  static async fit(matrix: DenseMatrix, options: ForestFitOptions = {}): Promise<ForestIndex> {
    const { metric = 'euclidean', engine = defaultEngine(), signal, onProgress } = options
    checkMetric(metric)
    checkCorpus(matrix)
    const settings = forestSettings(options)
    checkEffort(givenEffort(options), settings.trees, 'searchTrees')
    const { neighborLists = 'bootstrap', training, threads } = options
    checkNeighborLists(neighborLists)
    if (training) checkTraining(training, matrix.columns)
    const ids = new IdTable(matrix.rows, options.ids)
    onProgress?.({ what: 'indexing', done: 0, total: matrix.rows })
    throwIfAborted(signal)
    const readers = new Readers()
    const discard = (slice: { free(): void }) => readers.discard(() => slice.free())
    const rows = DenseRows.from(engine, metric, matrix, 'row', discard)
    const build = { settings, neighborLists, training, threads, discard, ...work(options) }
    try {
      const made = await buildParts(engine, rows, build, options)
      return new ForestIndex(engine, { ...made, ids, settings, readers })
    } catch (error) {
      rows.free()
      throw error
    }
  }

  get metric(): DenseMetric {
    return this.#rows.metric
  }

  get dims(): number {
    return this.#rows.dims
  }

  get rows(): number {
    return this.#ids.live
  }

  get rowNumbers(): number {
    return this.#ids.rows
  }

  idOf(row: number): Id | undefined {
    return this.#ids.idOf(row)
  }

  rowOf(id: Id): number | undefined {
    return this.#ids.rowOf(id)
  }

  search(query: ArrayLike<number>, options: ForestSearchOptions = {}): Neighbor[] {
    const { k = 10, filter } = options
    checkK(k)
    const effort = this.#effortFor(options, k)
    const prepared = this.#rows.prepare(query, 'the query')
    const found = filter
      ? this.#searchPassing(prepared, k, effort, filter)
      : this.#searchVisible(prepared, this.#possible(k), effort)
    const neighbors: Neighbor[] = []
    for (let i = 0; i < found.rows.length; i++) {
      neighbors.push({ id: this.#liveId(found.rows[i]), distance: this.#rows.distance(found.raw[i]) })
    }
    return neighbors
  }

  /** How many rows `search` would take for candidates. */
  searchCandidates(query: ArrayLike<number>, options: ForestSearchOptions = {}): number {
    const { k = 10 } = options
    checkK(k)
    const prepared = this.#rows.prepare(query, 'the query')
    return this.#desk.answer(prepared, this.#possible(k), this.#effortFor(options, k), this.#visible()).candidates
  }

  searchBatch(queries: DenseMatrix, options: ForestBatchOptions = {}): Promise<NeighborBatch> {
    return this.#readers.read(() => this.#answerBatch(queries, options))
  }

  /** The true neighbors of many queries, by computing all rows: what recall is measured by. */
  exactBatch(queries: DenseMatrix, options: DenseBatchOptions = {}): Promise<NeighborBatch> {
    return this.#readers.read(() => this.#exactBatch(queries, options))
  }

  add(row: ArrayLike<number>, id?: Id): Id {
    const prepared = this.#rows.prepare(row, 'the row')
    const added = this.#ids.nextId(id)
    this.#learn(prepared, this.#rows.rows)
    this.#ids.add(added)
    this.#packIfWorn()
    this.#desk.open(this.#searched())
    return added
  }

  remove(id: Id): boolean {
    const row = this.#ids.remove(id)
    if (row === undefined) return false
    this.#masks.remove(row)
    this.#stale.add(row)
    this.#packIfWorn()
    return true
  }

  compact(): Uint32Array {
    const { table, newRows } = this.#ids.compact()
    if (table === this.#ids) return newRows
    const kept = Uint32Array.from(newRows.keys()).filter(row => newRows[row] !== removedRow)
    this.#forest.repack(newRows, kept.length)
    this.#rows.keep(kept)
    this.#codes.keep(kept)
    this.#masks.reset()
    this.#stale.clear()
    this.#ids = table
    this.#desk.open(this.#searched())
    return newRows
  }

  contents(): ModelContents {
    this.#pack()
    const { settings, effort, tuning } = this
    return packForest({
      ...{ rows: this.#rows, ids: this.#ids, sketch: this.#sketch, codes: this.#codes },
      ...{ forest: this.#forest.parts, settings, effort, tuning },
    })
  }

  /** From what `contents` gave. `name` is what messages call the source. */
  static fromContents(
    contents: ModelContents,
    { engine = defaultEngine(), name = 'the model' }: { readonly engine?: Engine; readonly name?: string } = {},
  ): ForestIndex {
    const loaded = unpackForest(contents, name)
    const { metric, dims, values, ids, settings, effort, tuning } = loaded
    const readers = new Readers()
    const discard = (slice: { free(): void }) => readers.discard(() => slice.free())
    const sketch = new Sketch(engine, loaded.sketch)
    const rows = DenseRows.fromPrepared(engine, metric, dims, values, discard)
    const codes = new CodeRows(engine.arena, sketch.stride, engine.arena.place(loaded.codes), discard)
    const forest = new Forest(engine, placeParts(engine.arena, loaded.forest), discard)
    return new ForestIndex(engine, { rows, ids, sketch, codes, forest, settings, effort, tuning, readers })
  }

  async save(path: string, options: AtomicWriteOptions = {}): Promise<void> {
    await writeModel(path, this.contents(), options)
  }

  static async load(
    path: string,
    { engine = defaultEngine() }: { readonly engine?: Engine } = {},
  ): Promise<ForestIndex> {
    return ForestIndex.fromContents(await readModel(path), { engine, name: path })
  }

  free(): void {
    this.#rows.free()
    this.#codes.free()
    this.#forest.free()
    this.#desk.free()
    this.#masks.free()
    this.#readers.discard(() => this.#sketch.free())
  }

  #searched(): Searched {
    const treesSeeSketch = this.settings.view === 'sketch'
    return { rows: this.#rows, sketch: this.#sketch, codes: this.#codes, forest: this.#forest.pointer, treesSeeSketch }
  }

  #visible(): RowMask {
    return this.#masks.visible(this.rowNumbers)
  }

  /** Memory is set aside for k neighbors: no more of it than there are rows. */
  #possible(k: number): number {
    return Math.min(k, this.rowNumbers)
  }

  /** What the caller gives, else what the index has; for more neighbors than it was tuned for, more are compared. */
  #effortFor(given: ForestEffort, k: number): Effort {
    checkEffort(given, this.#forest.trees)
    const { trees, threshold, probes } = this.effort
    const rerank = given.rerank ?? Math.ceil(this.effort.rerank * Math.max(1, k / this.settings.k))
    return {
      trees: given.trees ?? trees,
      threshold: given.threshold ?? threshold,
      probes: given.probes ?? probes,
      rerank,
    }
  }

  /** Where the forest finds fewer than there are, all rows are computed. */
  #searchVisible(query: Float32Array, k: number, effort: Effort): FoundRows {
    const mask = this.#visible()
    const found = this.#desk.answer(query, k, effort, mask)
    return found.rows.length >= Math.min(k, this.rows) ? found : this.#searchAll(query, k, mask)
  }

  /** A function is asked only about the nearest, as long as that leaves k; else, and for a set, about all. */
  #searchPassing(query: Float32Array, k: number, effort: Effort, filter: Filter): FoundRows {
    if (typeof filter === 'function') {
      const more = { ...effort, rerank: filterReserve * effort.rerank }
      const near = this.#desk.answer(query, this.#possible(filterReserve * k), more, this.#visible())
      const passing = Array.from(near.rows.keys()).filter(i => filter(this.#liveId(near.rows[i])))
      if (passing.length >= k) return pick(near, passing.slice(0, k))
    }
    const mask = this.#masks.passing(filter, this.#ids)
    const count = mask?.array.reduce((sum, passes) => sum + passes, 0) ?? 0
    const wanted = Math.min(k, count)
    if (wanted === 0) return { rows: new Uint32Array(0), raw: new Float32Array(0) }
    if (count >= fewPassing * this.rows) {
      const probes = Math.ceil(effort.trees * Math.min(1 / fewPassing, this.rows / count - 1))
      const found = this.#desk.answer(query, wanted, { ...effort, probes: effort.probes + probes }, mask)
      if (found.rows.length === wanted) return found
    }
    return this.#searchAll(query, wanted, mask)
  }

  #searchAll(query: Float32Array, k: number, mask: RowMask): FoundRows {
    const placed = this.#engine.arena.place(query, 'the query')
    try {
      const queries = { pointer: placed.pointer, rows: 1 }
      const found = exactNeighborsNow(this.#engine, { rows: this.#rows, queries, k, mask })
      return { rows: found.rows.subarray(0, found.counts[0]), raw: found.raw }
    } finally {
      placed.free()
    }
  }

  async #answerBatch(queries: DenseMatrix, options: ForestBatchOptions): Promise<NeighborBatch> {
    const { k = 10, threads } = options
    checkK(k)
    const effort = this.#effortFor(options, k)
    const scope = this.#engine.arena.scope()
    try {
      const placed = { pointer: this.#rows.place(queries, scope).pointer, rows: queries.rows }
      const visible = this.#visible()
      const mask = visible && scope.place(visible.array)
      const wanted = Math.min(k, this.rows)
      const searched = { ...snapshotOf(this.#searched()), forest: this.#forest.snapshot(scope) }
      const question = { ...work(options), searched, queries: placed, k: this.#possible(k), effort, mask, threads }
      const found = await forestNeighbors(this.#engine, question)
      for (let i = 0; i < queries.rows; i++) {
        if (found.counts[i] >= wanted) continue
        const query = { pointer: placed.pointer + 4 * i * searched.rows.dims, rows: 1 }
        const all = exactNeighborsNow(this.#engine, {
          rows: searched.rows as DenseRows,
          queries: query,
          k: found.k,
          mask,
        })
        found.rows.set(all.rows, i * found.k)
        found.raw.set(all.raw, i * found.k)
        found.counts[i] = all.counts[0]
      }
      const { rows, raw, counts } = found
      return {
        queries: queries.rows,
        k: found.k,
        rows,
        counts,
        distances: raw.map(value => this.#rows.distance(value)),
      }
    } finally {
      scope.free()
    }
  }

  async #exactBatch(queries: DenseMatrix, options: DenseBatchOptions): Promise<NeighborBatch> {
    const { k = 10, threads } = options
    checkK(k)
    const scope = this.#engine.arena.scope()
    try {
      const placed = { pointer: this.#rows.place(queries, scope).pointer, rows: queries.rows }
      const query = {
        ...work(options),
        rows: this.#rows,
        queries: placed,
        k: this.#possible(k),
        mask: this.#visible(),
        threads,
      }
      const { raw, ...found } = await exactNeighbors(this.#engine, query)
      return { ...found, distances: raw.map(value => this.#rows.distance(value)) }
    } finally {
      scope.free()
    }
  }

  /** Puts a new row where rows, codes and leaves are: it counts as a training row, and for its neighbors. */
  #learn(row: Float32Array, number: number): void {
    const forest = this.#forest
    const near = this.#neighborsToCount(row)
    const sketch = this.#sketch.sketchOne(row)
    forest.extendLabels(number + 1)
    this.#rows.append(row)
    this.#codes.append(this.#codeOf(sketch))
    const leaves = this.#leavesOf(row, sketch)
    forest.countRow(leaves)
    forest.countLabel(number, leaves)
    near.forEach((neighbor, place) => {
      forest.countLabel(neighbor, leaves)
      // Being near goes both ways more often than not for the nearer half.
      if (place < near.length / 2) forest.countLabel(number, this.#leavesOf(this.#rows.row(neighbor).slice()))
    })
  }

  #neighborsToCount(row: Float32Array): Uint32Array {
    if (!countsNeighbors(this.settings.rule) || this.rows === 0) return new Uint32Array(0)
    const k = Math.min(this.settings.labelNeighbors, this.rows)
    return Uint32Array.from(this.#searchVisible(row, k, this.#effortFor({}, k)).rows)
  }

  #leavesOf(row: Float32Array, sketch: Float32Array = this.#sketch.sketchOne(row)): Uint32Array {
    const placed = this.#engine.arena.place(this.settings.view === 'sketch' ? sketch : row)
    try {
      return this.#forest.leavesOf(placed.pointer)
    } finally {
      placed.free()
    }
  }

  #codeOf(sketch: Float32Array): Uint8Array {
    const scope = this.#engine.arena.scope()
    try {
      const code = scope.allocate(Uint8Array, this.#sketch.stride)
      this.#sketch.encode(scope.place(sketch).pointer, 1, code.pointer)
      return code.array.slice()
    } finally {
      scope.free()
    }
  }

  #packIfWorn(): void {
    const { added, packed } = this.#forest.entryCounts
    const worn = added > Math.max(fewestWorn, wornShare * packed)
    if (worn || this.#stale.size > Math.max(fewestWorn, wornShare * this.rowNumbers)) this.#pack()
  }

  /** Takes added labels into the leaves, and those of removed rows out. */
  #pack(): void {
    if (this.#stale.size === 0 && this.#forest.entryCounts.added === 0) return
    const numbers = Uint32Array.from({ length: this.rowNumbers }, (_, row) => row)
    for (const row of this.#stale) numbers[row] = removedRow
    this.#forest.repack(numbers, this.rowNumbers)
    this.#stale.clear()
    this.#desk.open(this.#searched())
  }

  #liveId(row: number): Id {
    const id = this.#ids.idOf(row)
    assert(id !== undefined, `row ${row} was found, but it was removed`)
    return id
  }
}

interface FoundRows {
  readonly rows: Uint32Array
  readonly raw: Float32Array
}

function pick({ rows, raw }: FoundRows, places: readonly number[]): FoundRows {
  return { rows: Uint32Array.from(places, i => rows[i]), raw: Float32Array.from(places, i => raw[i]) }
}

/** Where rows and codes lie now: both move when they grow. */
function snapshotOf(searched: Searched): Searched {
  const { rows, codes } = searched
  const { pointer, rows: count, dims, products } = rows
  return {
    ...searched,
    // The parts that a block and a search read.
    rows: { pointer, rows: count, dims, products } as DenseRows,
    codes: { pointer: codes.pointer, stride: codes.stride } as CodeRows,
  }
}

function work({ signal, onProgress }: Pick<ForestFitOptions, 'signal' | 'onProgress'>) {
  return { ...(signal && { signal }), ...(onProgress && { onProgress }) }
}

function givenEffort({ searchTrees, threshold, probes, rerank }: ForestFitOptions): ForestEffort {
  return {
    ...(searchTrees !== undefined && { trees: searchTrees }),
    ...(threshold !== undefined && { threshold }),
    ...(probes !== undefined && { probes }),
    ...(rerank !== undefined && { rerank }),
  }
}

/** Everything but the ids; what is half made is freed where it fails. */
async function buildParts(engine: Engine, rows: DenseRows, build: BuildOptions, options: ForestFitOptions) {
  const scope = engine.arena.scope()
  const made: { free(): void }[] = []
  try {
    const parts = await sketchRows(engine, scope, rows, build)
    made.push(parts.sketch, parts.codes)
    const training = await trainingRows(engine, scope, parts, build)
    const tuning = await chooseEffort(engine, parts, training, build, options)
    const forest = await growForest(engine, training, rows.rows, build)
    const { settings } = build
    const most = {
      trees: settings.trees,
      threshold: 0,
      probes: 0,
      rerank: rows.rows < fewRows ? fewRows : 8 * settings.k,
    }
    const effort = tuning?.chosen.effort ?? { ...most, ...givenEffort(options) }
    return { rows, sketch: parts.sketch, codes: parts.codes, forest, effort, tuning }
  } catch (error) {
    for (const part of made) part.free()
    throw error
  } finally {
    scope.free()
  }
}

/** Tries efforts on a forest that has not seen some of the rows; undefined where the effort is given, or rows are few. */
async function chooseEffort(
  engine: Engine,
  parts: Omit<Searched, 'forest' | 'treesSeeSketch'>,
  training: TrainingRows,
  build: BuildOptions,
  options: ForestFitOptions,
): Promise<ForestTuning | undefined> {
  const { settings, threads } = build
  const { rows } = parts
  const isGiven = Object.keys(givenEffort(options)).length > 0
  if (settings.targetRecall === 0 || isGiven || rows.rows < fewRows || build.training) return undefined
  const scope = engine.arena.scope()
  const held = new Random(settings.seed, 3).sample(rows.rows, Math.min(heldOutRows, Math.floor(rows.rows / 10)))
  const isHeld = new Set(held)
  const others = Uint32Array.from({ length: rows.rows }, (_, row) => row).filter(row => !isHeld.has(row))
  try {
    const seen = pickTraining(scope, training, others)
    const forest = await growForest(engine, seen, rows.rows, build)
    try {
      const { entries, rows: leafRows } = forest.parts
      const searched = { ...parts, forest: forest.pointer, treesSeeSketch: settings.view === 'sketch' }
      return await tuneEffort(engine, {
        ...{ searched, trees: settings.trees, leafEntries: entries.length / leafRows.length, heldOut: held },
        ...{ k: settings.k, target: settings.targetRecall, threads, ...work(options) },
      })
    } finally {
      forest.free()
    }
  } finally {
    scope.free()
  }
}
