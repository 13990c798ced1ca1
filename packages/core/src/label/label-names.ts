// The labels of a model: their ids (number to id and back), and their names in a vocabulary. Ids are only ever appended.

import type { NamedLabel, Vocabulary } from '../data/vocabulary/vocabulary.ts'
import { EngineError } from '../errors.ts'
import { didYouMean } from '../nearest-names.ts'
import { refuse } from '../options.ts'

export type { NamedLabel }

export class LabelNames {
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()
  #vocabulary: Vocabulary | undefined

  /** Refuses repeated names: they would be ambiguous. */
  constructor(names: readonly string[], vocabulary?: Vocabulary) {
    for (const name of names) {
      if (this.#numbers.has(name)) throw new EngineError('BAD_DATA', `two labels are called "${name}"`)
      this.numberOrNew(name)
    }
    if (vocabulary) this.rename(vocabulary)
  }

  /** The names of the labels: a vocabulary with only these labels. */
  get vocabulary(): Vocabulary | undefined {
    return this.#vocabulary
  }

  /** Takes the names from `vocabulary`. Labels it does not have lose their names. */
  rename(vocabulary: Vocabulary): void {
    this.#vocabulary = vocabulary.only(this.#names)
  }

  /** Adds names for new labels, from the data that brought them. */
  nameMore(vocabulary: Vocabulary | undefined): void {
    const unnamed = this.#names.filter(id => vocabulary?.has(id) && !this.#vocabulary?.has(id))
    if (!vocabulary || unnamed.length === 0) return
    const more = vocabulary.only(unnamed)
    this.#vocabulary = this.#vocabulary?.with(more) ?? more
  }

  /** A label as answers refer to it. */
  named(label: number): NamedLabel {
    const id = this.#names[label]
    return this.#vocabulary?.named(id) ?? { label: id }
  }

  /** The same with a score. Spread only if there is more to say: in predictions of few labels, that took a tenth of the time. */
  scored(label: number, score: number): NamedLabel & { readonly score: number } {
    const id = this.#names[label]
    return this.#vocabulary ? { ...this.#vocabulary.named(id), score } : { label: id, score }
  }

  get all(): readonly string[] {
    return this.#names
  }

  get count(): number {
    return this.#names.length
  }

  nameOf(label: number): string {
    return this.#names[label]
  }

  /** The number of a label, by id or by name. The error for an unknown label lists the most similar ones. */
  numberOf(label: string): number {
    if (typeof label !== 'string') refuse('label', label, 'the name of a label')
    const number = this.#numbers.get(this.#idOf(label))
    if (number !== undefined) return number
    const known = Array.from(this.#names, (id, i) => this.named(i).name ?? id)
    const hint = didYouMean(label, known, 5) ?? this.#examples()
    throw new EngineError('UNKNOWN_NAME', `no label is called "${label}"`, { hint })
  }

  #examples(): string {
    const first = this.#names.slice(0, 3).map((id, i) => `"${this.named(i).name ?? id}"`)
    const which = this.count > first.length ? `${this.count} labels, such as` : 'the labels'
    return `The model knows ${which} ${first.join(', ')}.`
  }

  /** The labels of new rows as ids: an id stays, the name of one label becomes its id, anything else is the id of a new label. */
  idsOf(given: readonly string[], vocabulary: Vocabulary | undefined): string[] {
    return given.map(label => (vocabulary?.has(label) ? label : this.#idOf(label)))
  }

  #idOf(label: string): string {
    if (this.#numbers.has(label)) return label
    const ids = this.#vocabulary?.idsOf(label) ?? []
    if (ids.length > 1) throw ambiguous(label, ids)
    return ids[0] ?? label
  }

  /** The numbers of a row's labels, ascending; new labels get new numbers. A label given by id and by name is one. */
  numbersOf(ids: Iterable<string>): Uint32Array {
    return Uint32Array.from(new Set(Array.from(ids, id => this.numberOrNew(id)))).sort()
  }

  numberOrNew(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }
}

function ambiguous(name: string, ids: readonly string[]): EngineError {
  return new EngineError('UNKNOWN_NAME', `${ids.length} labels are called "${name}"`, {
    hint: `Give the id of the one you mean: ${ids.slice(0, 5).join(', ')}.`,
  })
}
