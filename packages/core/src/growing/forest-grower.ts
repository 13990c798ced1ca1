// Rebuilds in the background the index of vectors that come and go: when a forest pays off, when much of a forest has changed, so that recall does not
// decay, or when many removed vectors have left holes. The new index takes over once it has caught up with changes made in the meantime. Vectors have
// keys: numbers that are never reused.
// When it takes over depends on the clock, so nothing that is stored or logged may depend on what it answers.

import { assert, EngineError, throwIfAborted } from '../errors.ts'
import { isOutOfMemory } from '../kernels/collection.ts'
import type { Engine } from '../kernels/engine.ts'
import { eachInTurns, type LongWork, Pauses, type Progress, shortTurn } from '../long-work.ts'
import { DenseMatrix } from '../matrix/dense-matrix.ts'
import type { DenseMetric } from '../matrix/dense-metric.ts'
import { leaveUnchanged } from '../search/dense/dense-rows.ts'
import { ExactIndex } from '../search/exact/exact-index.ts'
import { ForestIndex } from '../search/forest/forest-index.ts'
import type { ForestOptions } from '../search/forest/options.ts'

/** What vectors are searched with. */
export type GrownIndex = ExactIndex | ForestIndex

/** Vectors that an index is built of. */
export interface GrowingVectors {
  readonly rows: number
  readonly dims: number
  readonly hasForest: boolean
  /** Room of removed vectors in the present index. */
  readonly holes: number
  keys(): number[]
  /** Undefined if it was removed. */
  vector(key: number): Float32Array | undefined
  /** Takes over the index, which has caught up. It is exact if a forest does not pay. */
  takeIndex(index: GrownIndex): void
  /** No other index could be built: closes the holes. */
  compact?(): void
  /** Nothing is being built any more. */
  onEnd?(): void
}

export interface GrowerSettings {
  readonly metric: DenseMetric
  readonly forest: ForestOptions
  /** From how many vectors on a forest is grown; undefined: when comparing all takes so long that one pays. */
  readonly forestFrom: number | undefined
  /** The number of numbers in all vectors from which on a forest pays. */
  readonly payingNumbers: number
}

const payingRows = 10_000
/** A forest is regrown when this share of its vectors has changed; a replaced vector counts twice. */
const wornShare = 0.4
/** Fewer changes or holes than this are not worth it. */
export const fewestHoles = 1024
/** Holes are closed when they are this share. */
export const holeShare = 0.25

export class ForestGrower {
  readonly #engine: Engine
  readonly #settings: GrowerSettings
  readonly #vectors: GrowingVectors
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

  constructor(engine: Engine, settings: GrowerSettings, vectors: GrowingVectors) {
    this.#engine = engine
    this.#settings = settings
    this.#vectors = vectors
  }

  get isBuilding(): boolean {
    return this.#build !== undefined
  }

  /** How far the forest is that is being grown. */
  get progress(): Progress | undefined {
    return this.#build && this.#progress
  }

  get builds(): number {
    return this.#builds
  }

  /** Vectors added and removed since the forest was grown. */
  get changes(): number {
    return this.#changes
  }

  /** Why the last forest could not be grown. */
  get buildError(): string | undefined {
    return this.#buildError
  }

  /** A vector was added. */
  added(key: number): void {
    this.#changes++
    this.#missed?.added.add(key)
    this.rebuildIfWorn()
  }

  /** A vector is being removed; call `rebuildIfWorn` after it. */
  removed(key: number): void {
    this.#changes++
    this.#missed?.removed.add(key)
  }

  rebuildIfWorn(): void {
    if (this.#build) return
    const { rows, holes } = this.#vectors
    const isWorn = this.#isWorn(Math.max(fewestHoles, wornShare * this.#builtRows))
    // After a failure, not before there is twice as much.
    if (isWorn ? rows >= 2 * this.#failedRows : holes > Math.max(fewestHoles, holeShare * (rows + holes))) {
      this.#start({})
    }
  }

  /** Waits for the index that is being built. */
  async settled(): Promise<void> {
    while (this.#build) await this.#build
  }

  /** Rebuilds the index now, if anything can be better, and waits for it. */
  async optimize(work: LongWork): Promise<void> {
    await this.settled()
    if (!this.#isWorn(0) && this.#vectors.holes === 0) return
    this.#start(work)
    await this.settled()
    throwIfAborted(work.signal)
    if (this.#buildError !== undefined) throw new EngineError('OUT_OF_MEMORY', this.#buildError)
  }

  /** The vectors have a forest of so many rows already; 0: none. */
  restored(rows: number): void {
    this.#builtRows = rows
    this.#builds = rows > 0 ? 1 : 0
  }

  /** All vectors are gone, and their forest too. */
  reset(): void {
    this.#builtRows = 0
    this.#changes = 0
  }

  stop(): void {
    this.#stop.abort()
  }

  #pays(): boolean {
    const { forestFrom, payingNumbers } = this.#settings
    const { rows, dims } = this.#vectors
    return forestFrom === undefined ? rows >= payingRows && rows * dims >= payingNumbers : rows >= forestFrom
  }

  /** Whether another forest would be better than comparing all vectors, or than a forest that has had more than `changes` changes. */
  #isWorn(changes: number): boolean {
    return this.#pays() && (!this.#vectors.hasForest || this.#changes > changes)
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
        this.#failedRows = this.#vectors.rows
        // Closing the holes takes less memory, and may be enough.
        tidily(() => this.#vectors.compact?.())
      })
      .finally(() => {
        this.#build = undefined
        this.#missed = undefined
        if (stop.signal.aborted) return
        this.#vectors.onEnd?.()
        // What changed while it grew may have worn it already, and no further change may come.
        this.rebuildIfWorn()
      })
  }

  async #grow({ onProgress }: LongWork): Promise<void> {
    const { signal } = this.#stop
    const report = (progress: Progress) => {
      this.#progress = progress
      onProgress?.(progress)
    }
    // Changes from now on are recorded, and applied to the new index later.
    const before = this.#changes
    const { matrix, keys } = await this.#copy(report)
    if (keys.length === 0) return
    const { forest: options, metric } = this.#settings
    const place = { metric, ids: keys, engine: this.#engine, signal, onProgress: report }
    const isForest = this.#pays()
    const index = await (isForest ? ForestIndex.fit(matrix, { ...options, ...place }) : ExactIndex.fit(matrix, place))
    try {
      // What changes while this waits for its turn is missed, too.
      while (this.#hasMissed) await this.#catchUp(index)
    } catch (error) {
      index.free()
      throw error
    }
    this.#vectors.takeIndex(index)
    this.#builtRows = keys.length
    this.#changes -= before
    if (isForest) this.#builds++
    this.#buildError = undefined
    this.#failedRows = 0
  }

  /** Copies the vectors with pauses. Those removed in a pause are left out, if they were not copied yet. */
  async #copy(onProgress: (progress: Progress) => void): Promise<{ matrix: DenseMatrix; keys: number[] }> {
    const { dims } = this.#vectors
    const wanted = this.#vectors.keys()
    const values = new Float32Array(wanted.length * dims)
    const keys: number[] = []
    await eachInTurns(wanted.length, 'copying vectors', { signal: this.#stop.signal, onProgress }, i => {
      const vector = this.#vectors.vector(wanted[i])
      if (!vector) return
      values.set(vector, keys.length * dims)
      keys.push(wanted[i])
    })
    const matrix = new DenseMatrix(keys.length, dims, values.subarray(0, keys.length * dims))
    return { matrix: leaveUnchanged(matrix), keys }
  }

  get #hasMissed(): boolean {
    return this.#missed !== undefined && this.#missed.added.size + this.#missed.removed.size > 0
  }

  /** Applies to the new index what has changed in the present one, with pauses. */
  async #catchUp(renewed: GrownIndex): Promise<void> {
    const pauses = new Pauses({ signal: this.#stop.signal }, shortTurn)
    const missed = this.#missed
    assert(missed !== undefined, 'an index was built that nobody waits for')
    for (const key of missed.removed) {
      missed.removed.delete(key)
      if (!missed.added.delete(key)) renewed.remove(key)
      if (pauses.due) await pauses.take()
    }
    for (const key of missed.added) {
      missed.added.delete(key)
      // It may have been removed in a pause.
      const vector = this.#vectors.vector(key)
      if (vector) renewed.add(vector, key)
      if (pauses.due) await pauses.take()
    }
  }
}

/** Compaction may run out of memory: it can wait. */
export function tidily(work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!isOutOfMemory(error)) throw error
  }
}
