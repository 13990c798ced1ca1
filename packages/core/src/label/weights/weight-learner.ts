// The learning of feature weights in the arena: the data, the state, and the steps that assembly/label/weights.ts takes over
// them. Steps follow one another, so they run in one thread; the layout is that of assembly/blocks/weights.ts.

import type { Scope, Slice, TypedArray, TypedArrayType } from '../../kernels/arena.ts'
import type { Engine } from '../../kernels/engine.ts'
import {
  candidateLength,
  featureLength,
  learningBytes,
  learningDataAt,
  learningDataBlock,
  movingFloatAt,
  movingLength,
} from '../../kernels/generated/blocks/weights.ts'
import { labelKernels } from '../../kernels/sets/label.ts'
import type { LongWork } from '../../long-work.ts'
import type { LabelMatrix } from '../../matrix/label-matrix.ts'
import type { SparseMatrix } from '../../matrix/sparse-matrix.ts'
import type { LeaveOneOutNeighbors } from './leave-one-out-neighbors.ts'

/** A multiple of the kernel's batch of 32: a run ends where a step does. */
const rowsPerRun = 512
/** A feature that only this many rows have moves half as far as one that all have: few rows say little about it. */
const halfPaceRows = 20

export interface LearnerOptions {
  /** Rows to learn from a time, at most. */
  readonly sample: number
  /** LeaveOneOutNeighbors of a row, at most. */
  readonly k: number
}

export interface Judgment {
  /** The sum of the rows' losses. */
  readonly loss: number
  /** Rows whose first label is one of their own. */
  readonly hits: number
}

export class WeightLearner {
  readonly #engine: Engine
  readonly #scope: Scope
  readonly #block: Slice<Uint32Array>
  readonly #weights: Slice<Float32Array>
  readonly #moving: Slice<Float64Array>
  readonly #sampled: Slice<Uint32Array>
  readonly #candidates: Slice<Uint32Array>
  readonly #counts: Slice<Uint32Array>
  readonly #order: Slice<Uint32Array>

  /** Begins with the weights `start`. All memory is the scope's. */
  constructor(
    engine: Engine,
    scope: Scope,
    features: SparseMatrix,
    labels: LabelMatrix,
    start: Float32Array,
    { sample, k }: LearnerOptions,
  ) {
    this.#engine = engine
    this.#scope = scope
    this.#block = this.#make(Uint32Array, learningBytes / 4)
    this.#weights = this.#place(start)
    this.#sampled = this.#make(Uint32Array, sample)
    this.#candidates = this.#make(Uint32Array, sample * k)
    this.#counts = this.#make(Uint32Array, sample)
    this.#order = this.#make(Uint32Array, sample)
    this.#moving = this.#make(Float64Array, (features.columns + 1) * movingLength)
    const fields = {
      ...{ features: features.columns, k, hits: 0 },
      rowOffsets: this.#place(Uint32Array.from(features.offsets)).pointer,
      rowPairs: this.#placePairs(features).pointer,
      labelOffsets: this.#place(Uint32Array.from(labels.offsets)).pointer,
      rowLabels: this.#place(labels.indices).pointer,
      sampled: this.#sampled.pointer,
      candidates: this.#candidates.pointer,
      counts: this.#counts.pointer,
      order: this.#order.pointer,
      columns: this.#make(Uint32Array, features.columns * featureLength).pointer,
      moving: this.#moving.pointer,
      changed: this.#make(Uint32Array, features.columns).pointer,
      near: this.#make(Float64Array, k * candidateLength).pointer,
      shares: this.#make(Float64Array, labels.columns).pointer,
      pulls: this.#make(Float64Array, labels.columns).pointer,
    }
    learningDataBlock.write(this.#block.array, fields)
    engine.exactKernels(labelKernels).weightsStart(this.#block.pointer, this.#weights.pointer)
    this.#setPaces(features, sample / features.rows)
  }

  /** Takes the rows to learn from, from now on. */
  use({ sampled, rows, counts }: LeaveOneOutNeighbors): void {
    this.#sampled.array.set(sampled)
    this.#candidates.array.set(rows)
    this.#counts.array.set(counts)
  }

  /** Goes once over the rows, in this order of their places; returns the sum of their losses before each was learned from. */
  learn(order: Uint32Array, rate: number, work: LongWork = {}): Promise<number> {
    return this.#run('weightsLearn', order, rate, work)
  }

  /** How the rows at these places are labeled with this sharpness; nothing is learned. */
  async judge(places: Uint32Array, sharpness: number, work: LongWork = {}): Promise<Judgment> {
    this.#block.array[learningDataAt.hits] = 0
    const loss = await this.#run('weightsLoss', places, sharpness, work)
    return { loss, hits: this.#block.array[learningDataAt.hits] }
  }

  /** The weights as they are now. */
  get weights(): Float32Array {
    this.#engine.exactKernels(labelKernels).weightsNow(this.#block.pointer, this.#weights.pointer)
    return this.#weights.array.slice()
  }

  /** The exponent of the similarities. */
  get sharpness(): number {
    return this.#engine.exactKernels(labelKernels).weightsNow(this.#block.pointer, this.#weights.pointer)
  }

  /** The gradients' running means, one per feature and last the sharpness': a tenth of the gradient after the first step. */
  get gradientMeans(): Float64Array {
    return this.#moving.array.filter((_, i) => i % movingLength === movingFloatAt.mean)
  }

  async #run(
    kernel: 'weightsLearn' | 'weightsLoss',
    order: Uint32Array,
    knob: number,
    work: LongWork,
  ): Promise<number> {
    this.#order.array.set(order)
    const runs: number[][] = []
    for (let from = 0; from < order.length; from += rowsPerRun) {
      runs.push([this.#block.pointer, from, Math.min(from + rowsPerRun, order.length), knob])
    }
    // One thread takes the runs in their order.
    const losses = await this.#engine.pool(1).run(labelKernels, kernel, runs, { ...work, what: 'learning weights' })
    return losses.reduce((sum, loss) => sum + loss, 0)
  }

  #setPaces({ columns, indices }: SparseMatrix, share: number): void {
    const rows = new Float64Array(columns)
    for (let e = 0; e < indices.length; e++) rows[indices[e]] += share
    const { array } = this.#moving
    rows.forEach((expected, feature) => {
      array[feature * movingLength + movingFloatAt.pace] = expected / (expected + halfPaceRows)
    })
  }

  /** Features and values interleaved: one memory stream instead of two. */
  #placePairs({ indices, values }: SparseMatrix): Slice<Uint32Array> {
    const slice = this.#make(Uint32Array, 2 * indices.length)
    const pairs = slice.array
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length)
    for (let e = 0; e < indices.length; e++) {
      pairs[2 * e] = indices[e]
      pairs[2 * e + 1] = bits[e]
    }
    return slice
  }

  #place<T extends TypedArray>(array: T): Slice<T> {
    return this.#scope.place(array, 'learning feature weights')
  }

  #make<T extends TypedArray>(type: TypedArrayType<T>, length: number): Slice<T> {
    return this.#scope.allocate(type, length, 'learning feature weights')
  }
}
