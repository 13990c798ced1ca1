// The vectors of a collection. A few are compared one by one; many are in a forest. Another index is built in the background when the present one is worn,
// and takes over. Keys are numbers that are never reused.

import { assert } from '../../errors.ts'
import {
  ForestGrower,
  fewestHoles,
  type GrowingVectors,
  type GrownIndex,
  holeShare,
  tidily,
} from '../../growing/forest-grower.ts'
import type { Engine } from '../../kernels/engine.ts'
import type { LongWork, Progress, Steps } from '../../long-work.ts'
import type { DenseMetric } from '../../matrix/dense-metric.ts'
import { ExactIndex } from '../../search/exact/exact-index.ts'
import type { PreparedFilter } from '../../search/filters/prepared-filter.ts'
import { ForestIndex } from '../../search/forest/forest-index.ts'
import type { ForestOptions } from '../../search/forest/options.ts'
import type { ItemFilter, Neighbor } from '../../search/neighbor.ts'
import type { ModelContents } from '../../store/header.ts'
import { contentStepsOf } from '../../store/saveable.ts'

/** What shapes the index of vectors. */
export interface VectorSettings {
  readonly metric: DenseMetric
  /** The number of vectors from which on a forest is grown; undefined: when comparing all numbers takes some milliseconds. */
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
  /** Whether the index is being rebuilt in the background. */
  readonly isBuilding: boolean
  /** How far that is, and with which step. */
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
/** Holes of removed vectors are closed in the background; at once if that takes a millisecond or two, or if callers leave no time for that. */
const quickNumbers = 2 ** 19
const mostHoleShare = 0.6

export class VectorIndex {
  readonly #engine: Engine
  readonly #settings: VectorSettings
  readonly #grower: ForestGrower
  #index: GrownIndex | undefined
  #nextKey = 0
  #prepared = new WeakMap<object, PreparedFilter>()

  constructor(engine: Engine, settings: VectorSettings) {
    this.#engine = engine
    this.#settings = settings
    this.#grower = new ForestGrower(engine, { ...settings, payingNumbers }, this.#growing())
  }

  get dims(): number | undefined {
    return this.#index?.dims
  }

  get metric(): DenseMetric {
    return this.#settings.metric
  }

  get stats(): VectorStats {
    const { isBuilding, builds, changes, progress, buildError } = this.#grower
    return {
      ...{ vectors: this.#index?.rows ?? 0, dims: this.dims, metric: this.metric },
      ...{ index: this.#index instanceof ForestIndex ? ('forest' as const) : ('exact' as const) },
      ...{ isBuilding, builds, changesSinceBuild: changes },
      ...(progress && { building: progress }),
      ...(buildError !== undefined && { buildError }),
    }
  }

  /** Adds a prepared vector; returns its key. */
  add(vector: Float32Array): number {
    const key = this.#nextKey
    this.#index ??= emptyIndex(this.#engine, this.metric, vector.length)
    this.#index.add(vector, key)
    this.#nextKey++
    this.#grower.added(key)
    return key
  }

  remove(key: number): void {
    const index = this.#index
    assert(index !== undefined && index.rowOf(key) !== undefined, `there is no vector ${key} to remove`)
    this.#grower.removed(key)
    tidily(() => index.remove(key))
    if (this.#mustCompact(index)) tidily(() => index.compact())
    if (index.rows === 0 && !this.#grower.isBuilding) this.#reset()
    else this.#grower.rebuildIfWorn()
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

  /** Waits for the index that is being built. */
  settled(): Promise<void> {
    return this.#grower.settled()
  }

  /** Rebuilds the index now, if anything can be better, and waits for it. */
  optimize(work: LongWork): Promise<void> {
    return this.#grower.optimize(work)
  }

  /** What a model file needs, in steps, as it is when the first one is taken; undefined without vectors. */
  contentSteps(): Steps<ModelContents> | undefined {
    return this.#index && contentStepsOf(this.#index)
  }

  /** Restores what `contents()` returned. */
  restore(contents: ModelContents, nextKey: number, name: string): void {
    const options = { engine: this.#engine, name }
    const isForest = contents.method === 'forest'
    this.#index = isForest ? ForestIndex.fromContents(contents, options) : ExactIndex.fromContents(contents, options)
    this.#nextKey = nextKey
    this.#grower.restored(isForest ? this.#index.rows : 0)
  }

  get nextKey(): number {
    return this.#nextKey
  }

  has(key: number): boolean {
    return this.#index?.rowOf(key) !== undefined
  }

  free(): void {
    this.#grower.stop()
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

  #mustCompact(index: GrownIndex): boolean {
    const { rows, rowNumbers, dims } = index
    const isQuick = index instanceof ExactIndex && rowNumbers * dims <= quickNumbers
    return rowNumbers - rows > Math.max(fewestHoles, (isQuick ? holeShare : mostHoleShare) * rowNumbers)
  }

  #growing(): GrowingVectors {
    const index = () => this.#index
    return {
      get rows() {
        return index()?.rows ?? 0
      },
      get dims() {
        return index()?.dims ?? 0
      },
      get hasForest() {
        return index() instanceof ForestIndex
      },
      get holes() {
        const { rows = 0, rowNumbers = 0 } = index() ?? {}
        return rowNumbers - rows
      },
      keys: () => (this.#index ? keysOf(this.#index) : []),
      vector: key => (this.has(key) ? this.get(key) : undefined),
      takeIndex: built => {
        this.#index?.free()
        this.#index = built
        this.#prepared = new WeakMap()
      },
      compact: () => this.#index?.compact(),
      onEnd: () => {
        if (this.#index?.rows === 0) this.#reset()
      },
    }
  }

  /** Without vectors, the next one may have another length. */
  #reset(): void {
    this.#index?.free()
    this.#index = undefined
    this.#prepared = new WeakMap()
    this.#grower.reset()
  }
}

function emptyIndex(engine: Engine, metric: DenseMetric, dims: number): ExactIndex {
  const rows = { array: new Float32Array(0), shape: [0, dims] }
  const contents = { method: 'exact', options: { metric }, meta: { rows: 0, dims }, tensors: { rows } }
  return ExactIndex.fromContents(contents, { engine, name: 'an empty index' })
}

function keysOf(index: GrownIndex): number[] {
  const keys: number[] = []
  for (let row = 0; row < index.rowNumbers; row++) {
    const key = index.idOf(row)
    if (key !== undefined) keys.push(key as number) // all keys are numbers
  }
  return keys
}
