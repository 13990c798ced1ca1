// Linear models one after the other, as 32-bit words, as in files. Each one stores its own length.

import { LinearModel, type LinearModelPlace } from './linear-model.ts'
import { tableWords } from './table-pool.ts'

export function packModels(models: readonly LinearModel[]): Uint32Array {
  const parts = models.map(model => model.words())
  const all = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0))
  let end = 0
  for (const part of parts) {
    all.set(part, end)
    end += part.length
  }
  return all
}

/** Yields the models one after the other; undefined if the words are not a table. */
export class ModelReader {
  readonly #words: Uint32Array
  readonly #place: LinearModelPlace
  #at = 0

  constructor(words: Uint32Array, place: LinearModelPlace) {
    this.#words = words
    this.#place = place
  }

  next(): LinearModel | undefined {
    const from = this.#at
    this.#at += tableWords(this.#words[from])
    return LinearModel.fromWords(this.#place, this.#words.subarray(from, this.#at))
  }

  get atEnd(): boolean {
    return this.#at === this.#words.length
  }
}
