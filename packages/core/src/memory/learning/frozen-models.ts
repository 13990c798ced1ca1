// Models as they were at some moment, while they continue to learn: a model is copied only if it changes before its turn.

import type { Steps } from '../../long-work.ts'
import type { LinearModel, LinearModelPlace } from './linear-model.ts'

export class FrozenModels {
  readonly #place: LinearModelPlace
  /** Not read yet, and unchanged. */
  readonly #waiting = new Set<LinearModel>()
  /** Not read yet, as they were before they changed. */
  readonly #copies = new Map<LinearModel, Uint32Array>()

  /** Call `release` when done with it. */
  constructor(place: LinearModelPlace) {
    this.#place = place
    place.frozen.add(this)
  }

  /** The words of these models as they are now, one after the other. Each model may be asked for once. */
  pack(models: readonly LinearModel[]): Steps<Uint32Array> {
    let words = 0
    for (const model of models) {
      this.#waiting.add(model)
      words += model.wordCount
    }
    return this.#collect(models, words)
  }

  /** For a model that is about to change. */
  changing(model: LinearModel): void {
    if (this.#waiting.delete(model)) this.#copies.set(model, model.words().slice())
  }

  release(): void {
    this.#place.frozen.delete(this)
  }

  *#collect(models: readonly LinearModel[], words: number): Steps<Uint32Array> {
    const all = new Uint32Array(words)
    let end = 0
    for (const model of models) {
      const part = this.#copies.get(model) ?? model.words()
      this.#waiting.delete(model)
      this.#copies.delete(model)
      all.set(part, end)
      end += part.length
      yield end
    }
    return all
  }
}
