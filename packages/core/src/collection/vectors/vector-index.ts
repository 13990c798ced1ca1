// The vectors of a collection. A few are compared one by one. When a forest pays off, one is grown in the background and takes over once it
// has caught up with changes made in the meantime. It is regrown when half of it has changed, so that recall does not decay. Keys are numbers
// that are never reused.

import { assert, EngineError, throwIfAborted } from '../../errors.ts'
import { isOutOfMemory } from '../../kernels/collection.ts'
import type { Engine } from '../../kernels/engine.ts'
import { eachInTurns, type LongWork, Pauses, type Progress } from '../../long-work.ts'
import { DenseMatrix } from '../../matrix/dense-matrix.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import type { PreparedFilter } from '../../search/filters/prepared-filter.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import type { ForestOptions } from '../../search/forest/options.ts'
import type { ItemFilter, Neighbor } from '../../search/neighbor.ts'
import type { ModelContents } from '../../store/header.ts'

/** What shapes the index of vectors. */
export interface VectorSettings {
  readonly metric: DenseMetric
  /** From how many vectors on a forest is grown; undefined: when comparing all numbers takes some milliseconds. */
  readonly forestFrom: number | undefined
  readonly forest: ForestOptions
}

/** How vectors are currently searched. */
export interface VectorStats {
  readonly vectors: number
  /** Numbers in each; undefined before the first. */
  readonly dims: number | undefined
  readonly metric: DenseMetric
  /** 'exact': all are compared. 'forest': approximate, tuned for its target recall. */
  readonly index: 'exact' | 'forest'
  /** Whether a forest is being grown in the background. */
  readonly isBuilding: boolean
  /** How far the forest is that is being grown, and with which step. */
  readonly building?: Progress
  /** Forests grown so far. */
  readonly builds: number
  /** Vectors added and removed since the forest was grown. */
  readonly changesSinceBuild: number
  /** Why the last forest could not be grown; searches work without it. */
  readonly buildError?: string
}

/** A forest pays off from this many numbers on: comparing them takes about 5 ms. */
const payingNumbers = 2 ** 24
const payingRows = 10_000
/** Regrown when this share of its vectors has changed. */
const wornShare = 0.5
/** Holes of removed vectors are closed when there are at least this many, and this share. */
const fewestHoles = 1024
const holeShare = 0.25

type Index = ExactIndex | ForestIndex

export class VectorIndex {
  readonly #engine: Engine
  readonly #settings: VectorSettings
  #index: Index | undefined
  #nextKey = 0
  #prepared = new WeakMap<object, PreparedFilter>()
  #stop = new AbortController()
  #build: Promise<void> | undefined
  #progress: Progress | undefined
  /** Keys added and removed while a forest is being grown. */
  #missed: { added: Set<number>; removed: Set<number> } | undefined
  #builds = 0
  #changes = 0
  #builtRows = 0
  #failedRows = 0
  #buildError: string | undefined

  constructor(engine: Engine, settings: VectorSettings) {
    this.#engine = engine
    this.#settings = settings
  }

  get dims(): number | undefined {
    return this.#index?.dims
  }

  get metric(): DenseMetric {
    return this.#settings.metric
  }

  get stats(): VectorStats {
    return {
      ...{ vectors: this.#index?.rows ?? 0, dims: this.dims, metric: this.metric },
      ...{ index: this.#index instanceof ForestIndex ? ('forest' as const) : ('exact' as const) },
      ...{ isBuilding: this.#build !== undefined, builds: this.#builds, changesSinceBuild: this.#changes },
      ...(this.#build && this.#progress && { building: this.#progress }),
      ...(this.#buildError !== undefined && { buildError: this.#buildError }),
    }
  }

  /** Adds a prepared vector; returns its key. */
  add(vector: Float32Array): number {
    const key = this.#nextKey
    this.#index ??= emptyIndex(this.#engine, this.metric, vector.length)
    this.#index.add(vector, key)
    this.#nextKey++
    this.#changes++
    this.#missed?.added.add(key)
    this.#buildIfItPays()
    return key
  }

  remove(key: number): void {
    const index = this.#index
    assert(index !== undefined && index.rowOf(key) !== undefined, `there is no vector ${key} to remove`)
    this.#changes++
    this.#missed?.removed.add(key)
    tidily(() => index.remove(key))
    const holes = index.rowNumbers - index.rows
    if (holes > Math.max(fewestHoles, holeShare * index.rowNumbers)) tidily(() => index.compact())
    if (index.rows === 0 && !this.#build) this.#reset()
    else this.#buildIfItPays()
  }

  /** As it is searched: of length 1 under cosine. A copy. */
  get(key: number): Float32Array {
    const row = this.#index?.rowOf(key)
    assert(this.#index !== undefined && row !== undefined, `there is no vector ${key}`)
    return this.#index.vector(row)
  }

  /** The nearest keys. `filter` is kept with the object it comes from, if that is given: its answers must not change. */
  search(query: Float32Array, k: number, filter?: ItemFilter, from?: object): Neighbor[] {
    if (!this.#index) return []
    if (!filter) return this.#index.search(query, { k })
    return this.#index.search(query, { k, filter: from ? this.#prepare(filter, from) : filter })
  }

  /** Waits for the forest that is being grown. */
  async settled(): Promise<void> {
    while (this.#build) await this.#build
  }

  /** Grows a forest now, if one pays at all, and waits for it. */
  async optimize(work: LongWork): Promise<void> {
    await this.settled()
    if (this.#index && this.#pays() && (this.#changes > 0 || this.#index instanceof ExactIndex)) {
      this.#start(work)
      await this.settled()
      throwIfAborted(work.signal)
      if (this.#buildError !== undefined) throw new EngineError('OUT_OF_MEMORY', this.#buildError)
    }
  }

  /** What a model file needs; undefined without vectors. */
  contents(): ModelContents | undefined {
    return this.#index?.contents()
  }

  /** Restores what `contents()` returned. */
  restore(contents: ModelContents, nextKey: number, name: string): void {
    const options = { engine: this.#engine, name }
    const isForest = contents.method === 'forest'
    this.#index = isForest ? ForestIndex.fromContents(contents, options) : ExactIndex.fromContents(contents, options)
    this.#nextKey = nextKey
    this.#builtRows = isForest ? this.#index.rows : 0
    this.#builds = isForest ? 1 : 0
  }

  get nextKey(): number {
    return this.#nextKey
  }

  has(key: number): boolean {
    return this.#index?.rowOf(key) !== undefined
  }

  free(): void {
    this.#stop.abort()
    this.#index?.free()
  }

  #prepare(filter: ItemFilter, from: object): PreparedFilter {
    let prepared = this.#prepared.get(from)
    if (!prepared) {
      assert(this.#index !== undefined, 'a filter was prepared without vectors')
      prepared = this.#index.filter(filter)
      this.#prepared.set(from, prepared)
    }
    return prepared
  }

  #pays(): boolean {
    const { forestFrom } = this.#settings
    const [rows, dims] = [this.#index?.rows ?? 0, this.dims ?? 0]
    return forestFrom === undefined ? rows >= payingRows && rows * dims >= payingNumbers : rows >= forestFrom
  }

  #buildIfItPays(): void {
    if (this.#build || !this.#pays() || !this.#index) return
    const isWorn =
      this.#index instanceof ExactIndex || this.#changes > Math.max(fewestHoles, wornShare * this.#builtRows)
    // After a failure, not before there is twice as much.
    if (isWorn && this.#index.rows >= 2 * this.#failedRows) this.#start({})
  }

  #start(work: LongWork): void {
    const stop = new AbortController()
    this.#stop = stop
    work.signal?.addEventListener('abort', () => stop.abort(), { once: true })
    this.#missed = { added: new Set(), removed: new Set() }
    this.#progress = undefined
    this.#build = this.#grow(work)
      .catch(error => {
        if (stop.signal.aborted) return
        this.#buildError = error instanceof Error ? error.message : String(error)
        this.#failedRows = this.#index?.rows ?? 0
      })
      .finally(() => {
        this.#build = undefined
        this.#missed = undefined
        if (stop.signal.aborted) return
        if (this.#index?.rows === 0) this.#reset()
        // What changed while it grew may have worn it already, and no further change may come.
        else this.#buildIfItPays()
      })
  }

  async #grow({ onProgress }: LongWork): Promise<void> {
    const { signal } = this.#stop
    const report = (progress: Progress) => {
      this.#progress = progress
      onProgress?.(progress)
    }
    // What changes from now on is missing in the forest, or worn.
    const before = this.#changes
    const { matrix, keys } = await this.#snapshot(report)
    if (keys.length === 0) return
    const { forest: options, metric } = this.#settings
    const place = { metric, ids: keys, engine: this.#engine, signal, onProgress: report }
    const forest = await ForestIndex.fit(matrix, { ...options, ...place })
    try {
      await this.#catchUp(forest)
    } catch (error) {
      forest.free()
      throw error
    }
    this.#index?.free()
    this.#index = forest
    this.#prepared = new WeakMap()
    this.#builtRows = keys.length
    this.#changes -= before
    this.#builds++
    this.#buildError = undefined
    this.#failedRows = 0
  }

  /** Copies the vectors with pauses. Those removed in a pause are left out, if they were not copied yet. */
  async #snapshot(onProgress: (progress: Progress) => void): Promise<{ matrix: DenseMatrix; keys: number[] }> {
    const index = this.#index
    assert(index !== undefined, 'a forest was to be grown of nothing')
    const wanted = keysOf(index)
    const values = new Float32Array(wanted.length * index.dims)
    const keys: number[] = []
    await eachInTurns(wanted.length, 'copying vectors', { signal: this.#stop.signal, onProgress }, i => {
      const row = index.rowOf(wanted[i])
      if (row === undefined) return
      values.set(index.vector(row), keys.length * index.dims)
      keys.push(wanted[i])
    })
    return { matrix: new DenseMatrix(keys.length, index.dims, values.subarray(0, keys.length * index.dims)), keys }
  }

  /** Applies to the forest what has changed in the index since, with pauses, until nothing is left. */
  async #catchUp(forest: ForestIndex): Promise<void> {
    const pauses = new Pauses({ signal: this.#stop.signal })
    const missed = this.#missed
    assert(missed !== undefined, 'a forest was grown that nobody waits for')
    while (missed.added.size + missed.removed.size > 0) {
      for (const key of missed.removed) {
        missed.removed.delete(key)
        if (!missed.added.delete(key)) forest.remove(key)
        if (pauses.due) await pauses.take()
      }
      for (const key of missed.added) {
        missed.added.delete(key)
        // It may have been removed in a pause.
        if (this.has(key)) forest.add(this.get(key), key)
        if (pauses.due) await pauses.take()
      }
    }
  }

  /** Without vectors, the next one may have another length. */
  #reset(): void {
    this.#index?.free()
    this.#index = undefined
    this.#prepared = new WeakMap()
    this.#builtRows = 0
    this.#changes = 0
  }
}

/** Compaction may run out of memory: it can wait. */
function tidily(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
  }
}

function emptyIndex(engine: Engine, metric: DenseMetric, dims: number): ExactIndex {
  const rows = { array: new Float32Array(0), shape: [0, dims] }
  const contents = { method: 'exact', options: { metric }, meta: { rows: 0, dims }, tensors: { rows } }
  return ExactIndex.fromContents(contents, { engine, name: 'an empty index' })
}

function keysOf(index: Index): number[] {
  const keys: number[] = []
  for (let row = 0; row < index.rowNumbers; row++) {
    const key = index.idOf(row)
    if (key !== undefined) keys.push(key as number) // all keys are numbers
  }
  return keys
}
