// The names of a model's labels, both ways. Names are only ever added, at the end.

import { EngineError } from '../errors.ts'
import { didYouMean } from '../nearest-names.ts'
import { refuse } from '../options.ts'

export class LabelNames {
  readonly #names: string[] = []
  readonly #numbers = new Map<string, number>()

  /** Names that repeat are refused: nobody could say which one is meant. */
  constructor(names: readonly string[]) {
    for (const name of names) {
      if (this.#numbers.has(name)) throw new EngineError('BAD_DATA', `two labels are called "${name}"`)
      this.numberOrNew(name)
    }
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

  /** The number of a label; an unknown name is an error that lists the nearest ones. */
  numberOf(name: string): number {
    const number = this.#numbers.get(name)
    if (number !== undefined) return number
    if (typeof name !== 'string') refuse('label', name, 'the name of a label')
    const hint = didYouMean(name, this.#names, 5) ?? this.#examples()
    throw new EngineError('UNKNOWN_NAME', `no label is called "${name}"`, { hint })
  }

  #examples(): string {
    const first = this.#names.slice(0, 3).map(name => `"${name}"`)
    const which = this.count > first.length ? `${this.count} labels, such as` : 'the labels'
    return `The model knows ${which} ${first.join(', ')}.`
  }

  numberOrNew(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    this.#numbers.set(name, this.#names.length)
    return this.#names.push(name) - 1
  }
}
