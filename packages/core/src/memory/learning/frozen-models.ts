// Models as they were at some moment, while they continue to learn. A model is read when its turn comes. If it changes before, what a step overwrites
// is kept, and put back at the end: the oldest last, which was there first. If a model is small, or gets another table, it is read at once instead.

import type { Steps } from '../../long-work.ts'
import { type LinearModel, type LinearModelPlace, savedWords } from './linear-model.ts'
import { OverwrittenWords } from './overwritten-words.ts'

export class FrozenModels {
  readonly #place: LinearModelPlace
  /** Not read yet, and where each goes. */
  readonly #waiting = new Map<LinearModel, number>()
  readonly #overwritten = new OverwrittenWords(savedWords)
  readonly #length: number
  /** Made when it is needed: the collector may take its turn to make room for hundreds of megabytes, and others wait for the freeze. */
  #words: Uint32Array | undefined

  /** These models as they are now. Call `release` when done with it. */
  constructor(place: LinearModelPlace, models: readonly LinearModel[]) {
    let words = 0
    for (const model of models) {
      this.#waiting.set(model, words)
      words += model.wordCount
    }
    this.#length = words
    this.#place = place
    place.frozen.add(this)
  }

  /** The words of all models, one after the other. */
  *pack(): Steps<Uint32Array> {
    for (const model of [...this.#waiting.keys()]) {
      this.changing(model)
      yield
    }
    const words = this.#room()
    yield* this.#overwritten.putBack(words)
    return words
  }

  isWaiting(model: LinearModel): boolean {
    return this.#waiting.has(model)
  }

  /** For a model that is about to change: reads it. */
  changing(model: LinearModel): void {
    const at = this.#waiting.get(model)
    if (at === undefined) return
    this.#room().set(model.words(), at)
    this.#waiting.delete(model)
  }

  /** For a waiting model that is about to overwrite these words: for every slot where it begins in the model, and what it held. */
  overwriting(model: LinearModel, saved: Uint32Array): void {
    this.#overwritten.add(saved, this.#waiting.get(model) ?? 0)
  }

  release(): void {
    this.#place.frozen.delete(this)
  }

  #room(): Uint32Array {
    this.#words ??= new Uint32Array(this.#length)
    return this.#words
  }
}
