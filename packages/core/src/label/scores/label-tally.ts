// Adds up scores of labels for one row after the other: sparse in, the best out. Invariant: between rows all sums are zero.

import { EngineError } from '../../errors.ts'

/** Labels that fit beside a score in the 53 bits of an exact whole number. */
const mostLabels = 2 ** 22

export class LabelTally {
  readonly #sums: Float64Array
  readonly #touched: Uint32Array
  readonly #keys: Float64Array
  readonly #score = new Float32Array(1)
  readonly #bits = new Uint32Array(this.#score.buffer)
  #count = 0

  constructor(labels: number) {
    if (labels > mostLabels) {
      throw new EngineError('UNSUPPORTED', `cannot rank ${labels} labels here, at most ${mostLabels}`, {
        hint: 'Give the threshold as a number, and set options instead of tuning them.',
      })
    }
    this.#sums = new Float64Array(labels)
    this.#touched = new Uint32Array(labels)
    this.#keys = new Float64Array(labels)
  }

  add(label: number, amount: number): void {
    if (this.#sums[label] === 0 && amount > 0) this.#touched[this.#count++] = label
    this.#sums[label] += amount
  }

  /** Adds factor · amounts[e] to labels[e] for e in [from, to). */
  addList(labels: Uint32Array, amounts: Float32Array, from: number, to: number, factor: number): void {
    const [sums, touched] = [this.#sums, this.#touched]
    let count = this.#count
    for (let e = from; e < to; e++) {
      const label = labels[e]
      const amount = factor * amounts[e]
      if (sums[label] === 0 && amount > 0) touched[count++] = label
      sums[label] += amount
    }
    this.#count = count
  }

  /** Adds `amount` to each of labels[from, to). */
  addEach(labels: Uint32Array, from: number, to: number, amount: number): void {
    for (let e = from; e < to; e++) this.add(labels[e], amount)
  }

  /** All labels with a sum, in no order; starts over. */
  takeAll(): { labels: Uint32Array; scores: Float32Array } {
    const labels = this.#touched.slice(0, this.#count)
    const scores = new Float32Array(labels.length)
    const sums = this.#sums
    for (let i = 0; i < labels.length; i++) {
      scores[i] = sums[labels[i]]
      sums[labels[i]] = 0
    }
    this.#count = 0
    return { labels, scores }
  }

  /** Writes the `top` largest sums to the arrays from `at` on, largest first, ties by label; starts over. Returns how many. */
  takeBest(top: number, labels: Uint32Array, scores: Float32Array, at: number): number {
    const keys = this.#keys.subarray(0, this.#count)
    for (let i = 0; i < this.#count; i++) {
      const label = this.#touched[i]
      this.#score[0] = this.#sums[label]
      this.#sums[label] = 0
      // Bits of positive floats order as the floats do, so one sort of plain numbers orders by score, then by label.
      keys[i] = this.#bits[0] * mostLabels + (mostLabels - 1 - label)
    }
    keys.sort()
    const found = Math.min(top, this.#count)
    for (let rank = 0; rank < found; rank++) {
      const key = keys[this.#count - 1 - rank]
      this.#bits[0] = Math.floor(key / mostLabels)
      labels[at + rank] = mostLabels - 1 - (key % mostLabels)
      scores[at + rank] = this.#score[0]
    }
    this.#count = 0
    return found
  }
}
