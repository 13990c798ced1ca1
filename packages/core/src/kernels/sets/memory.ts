// What MemoryTree runs.

import { wasm } from '../generated/memory.ts'
import type { KernelSet } from '../modules/kernel-set.ts'

/** What MemoryTree runs. They take byte addresses and counts, and check nothing. */
export interface MemoryKernels {
  /** Makes an empty linear model of 2^bits slots (see memory/learning/linear-model.ts). */
  readonly linearClear: (table: number, bits: number) => void
  /** Copies a model into an empty one with more slots. */
  readonly linearMove: (from: number, to: number) => void
  /** bias + Σ weight · value over a key of `count` features. */
  readonly linearSum: (table: number, features: number, values: number, count: number) => number
  /** out[e] = values[e] · (1 + weight), f32. */
  readonly linearWeigh: (table: number, features: number, values: number, count: number, out: number) => void
  /** One AdaGrad step against the gradient of the loss by the sum; returns how many slots are used now. */
  readonly linearStep: (
    table: number,
    features: number,
    values: number,
    count: number,
    gradient: number,
    rate: number,
    biased: boolean,
    prior: number,
  ) => number
  /** What a step will overwrite, four words a slot: where it begins, and its words. Returns how many slots there are. */
  readonly linearSave: (
    table: number,
    features: number,
    values: number,
    count: number,
    gradient: number,
    out: number,
  ) => number
  /** 1 / (1 + e^−x), the same bits on every machine. */
  readonly logistic: (x: number) => number
  /** log(left + 1) − log(right + 1), the same bits on every machine. */
  readonly logRatio: (left: number, right: number) => number
  /** out[i] = the query · the key of memory picked[i], f32 (see memory/table/key-store.ts); `dims` of dense keys, else 0. */
  readonly keyScores: (
    features: number,
    values: number,
    starts: number,
    sizes: number,
    picked: number,
    count: number,
    queryFeatures: number,
    queryValues: number,
    querySize: number,
    dims: number,
    pivoted: boolean,
    out: number,
  ) => void
  /** Adds the products of the query with the last `dims` values of keys; see the kernel. */
  readonly keyVectorSums: (
    values: number,
    starts: number,
    sizes: number,
    picked: number,
    count: number,
    query: number,
    dims: number,
    sums: number,
  ) => void
  /** The sixteenth root of a key's size, by which longer keys count more. */
  readonly pivotOf: (size: number) => number
  /** The features that two keys share, and the products of their values; returns how many. */
  readonly keyProducts: (
    features: number,
    values: number,
    size: number,
    others: number,
    weights: number,
    otherSize: number,
    outFeatures: number,
    outValues: number,
  ) => number
  /** Writes entry `place` of a list of rows and values (see memory/index/posting-lists.ts). */
  readonly postingPut: (list: number, place: number, row: number, value: number) => void
  /** Copies `count` entries to a larger list. */
  readonly postingMove: (from: number, to: number, count: number) => void
  /** sums[row] += weight · value, for the `count` entries of a list. */
  readonly postingAdd: (list: number, count: number, weight: number, sums: number) => void
  /** Gives entries the new numbers of their rows, and drops those without one (0xffffffff); returns how many are left. */
  readonly postingRenumber: (list: number, count: number, numbers: number) => number
  /** The k largest scores, descending; `heap` is scratch of 8 · k bytes. Returns how many there are. */
  readonly selectLargest: (
    scores: number,
    count: number,
    k: number,
    heap: number,
    outRows: number,
    outScores: number,
  ) => number
}

/** For `engine.exactKernels` and `pool.run`. */
export const memoryKernels: KernelSet<MemoryKernels> = { name: 'memory', first: 'linearClear', plain: wasm }
