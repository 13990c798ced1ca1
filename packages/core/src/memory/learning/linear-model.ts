// A small linear model that learns online: the weights of one router, or of the scorer. Its table starts small and doubles
// when it is three quarters full; a model of few features stays in the caches.

import { assert } from '../../errors.ts'
import {
  emptySlot,
  slotAt,
  slotFloatAt,
  slotLength,
  tableAt,
  tableFloatAt,
  tableLength,
} from '../../kernels/generated/blocks/memory.ts'
import type { GrowingSlice } from '../../kernels/growing-slice.ts'
import type { MemoryKernels } from '../../kernels/sets/memory.ts'
import type { FrozenModels } from './frozen-models.ts'
import { type TablePool, type TableRoom, tableWords } from './table-pool.ts'

/** Tables of so many slots are copied sooner than their slots are saved one by one: 2 to this. */
const copiedBits = 9

/** A sparse key in the arena: addresses of its features and values. */
export interface KeyAt {
  readonly features: number
  readonly values: number
  readonly count: number
}

/** The memory that holds models, and the learner that updates them. */
export interface LinearModelPlace {
  readonly kernels: MemoryKernels
  readonly pool: TablePool
  /** What a step overwrites. */
  readonly saved: GrowingSlice<Uint32Array>
  /** Called with every model that is about to change. */
  readonly frozen: Set<FrozenModels>
}

/** Where it begins in the table, and three words. */
export const savedWords = 4

const fullest = 0.75
const fewestBits = 6

export class LinearModel {
  readonly #place: LinearModelPlace
  #bits: number
  #used = 0
  /** Features it has room for. Not computed when asked: powers took a tenth of an insert. */
  #most: number
  #table: TableRoom

  /** An empty model with 2^bits slots. */
  constructor(place: LinearModelPlace, bits: number) {
    this.#place = place
    this.#bits = bits
    this.#most = mostFeatures(bits)
    this.#table = place.pool.take(bits)
    place.kernels.linearClear(this.#table.pointer, bits)
  }

  /** The model whose `words()` these were; undefined if they are not a table. */
  static fromWords(place: LinearModelPlace, words: Uint32Array): LinearModel | undefined {
    const [bits, used] = [words[tableAt.bits], words[tableAt.used]]
    if (!(bits >= 1 && bits <= 28) || words.length !== tableWords(bits) || used > mostFeatures(bits)) return undefined
    if (!isTable(words)) return undefined
    const model = new LinearModel(place, bits)
    model.#table.words().set(words)
    model.#used = used
    return model
  }

  /** bias + Σ weight · value. */
  sum({ features, values, count }: KeyAt): number {
    return this.#place.kernels.linearSum(this.#table.pointer, features, values, count)
  }

  /** out[e] = values[e] · (1 + weight). */
  weigh({ features, values, count }: KeyAt, out: number): void {
    this.#place.kernels.linearWeigh(this.#table.pointer, features, values, count, out)
  }

  /** How many features it knows. */
  get features(): number {
    return this.#used
  }

  /** Whether a step with this many features makes the table grow. */
  isFullFor(count: number): boolean {
    return this.#used + count > this.#most
  }

  /** Forgets all features except these. If memory is short, nothing changes. */
  keepOnly(features: ReadonlySet<number>): void {
    const { pool, kernels } = this.#place
    const kept = countSlots(this.#table.words(), features)
    const bits = Math.max(fewestBits, Math.ceil(Math.log2((2 * kept) / fullest)))
    const smaller = pool.take(bits)
    this.#changing()
    dropSlots(this.#table.words(), features, kept)
    kernels.linearClear(smaller.pointer, bits)
    kernels.linearMove(this.#table.pointer, smaller.pointer)
    this.#replaceTable(smaller, bits)
    this.#used = kept
  }

  /** One AdaGrad step against `gradient`, the loss' by the sum. With a `prior`, small gradients make small first steps. */
  step(key: KeyAt, gradient: number, rate: number, { biased = true, prior = 0 } = {}): void {
    const { features, values, count } = key
    if (this.isFullFor(count) || this.#bits <= copiedBits) this.#changing()
    else this.#saveSlots(key, gradient)
    while (this.isFullFor(count)) this.#grow()
    const { pointer } = this.#table
    this.#used = this.#place.kernels.linearStep(pointer, features, values, count, gradient, rate, biased, prior)
  }

  /** The whole model as 32-bit words: a view, invalid after the next step. */
  words(): Uint32Array {
    return this.#table.words()
  }

  /** How many words there are. */
  get wordCount(): number {
    return tableWords(this.#bits)
  }

  free(): void {
    this.#changing()
    this.#place.pool.give(this.#bits, this.#table)
  }

  #changing(): void {
    if (this.#place.frozen.size > 0) for (const models of this.#place.frozen) models.changing(this)
  }

  /** Tells the others what a step is about to overwrite: the head's numbers and the slots of the key. */
  #saveSlots({ features, values, count }: KeyAt, gradient: number): void {
    const { frozen, saved, kernels } = this.#place
    if (frozen.size === 0) return
    const waiting = [...frozen].filter(models => models.isWaiting(this))
    if (waiting.length === 0) return
    saved.reserve(savedWords * (count + 1))
    const head = this.#table.words().subarray(tableAt.used, tableLength)
    saved.array.set([tableAt.used, ...head])
    const to = saved.pointer + 4 * savedWords
    const slots = kernels.linearSave(this.#table.pointer, features, values, count, gradient, to)
    for (const models of waiting) models.overwriting(this, saved.array.subarray(0, savedWords * (slots + 1)))
  }

  #grow(): void {
    const { pool, kernels } = this.#place
    assert(this.#bits < 28, 'a router met more features than there can be')
    const larger = pool.take(this.#bits + 1)
    kernels.linearClear(larger.pointer, this.#bits + 1)
    kernels.linearMove(this.#table.pointer, larger.pointer)
    this.#replaceTable(larger, this.#bits + 1)
  }

  #replaceTable(table: TableRoom, bits: number): void {
    this.#place.pool.give(this.#bits, this.#table)
    this.#table = table
    this.#bits = bits
    this.#most = mostFeatures(bits)
  }
}

function mostFeatures(bits: number): number {
  return fullest * 2 ** bits
}

function countSlots(words: Uint32Array, features: ReadonlySet<number>): number {
  let count = 0
  for (let at = tableLength; at < words.length; at += slotLength) if (features.has(words[at + slotAt.feature])) count++
  return count
}

/** Empties the slots of other features. Lookups no longer work in the table then; it can only be copied. */
function dropSlots(words: Uint32Array, features: ReadonlySet<number>, kept: number): void {
  for (let at = tableLength; at < words.length; at += slotLength) {
    if (!features.has(words[at + slotAt.feature])) words[at + slotAt.feature] = emptySlot
  }
  words[tableAt.used] = kept
}

/** Whether as many slots are used as the head says, or a search for an empty one may never end; and all numbers are finite. */
function isTable(words: Uint32Array): boolean {
  const floats = new Float32Array(words.slice().buffer)
  let [used, numbers] = [0, floats[tableFloatAt.bias] + floats[tableFloatAt.biasSquares]]
  for (let at = tableLength; at < words.length; at += slotLength) {
    if (words[at + slotAt.feature] !== emptySlot) used++
    numbers += floats[at + slotFloatAt.weight] + floats[at + slotFloatAt.squares]
  }
  // One that is not finite stays so in a sum; 32-bit numbers are too small for a sum of 64 bits to overflow.
  return used === words[tableAt.used] && Number.isFinite(numbers)
}
