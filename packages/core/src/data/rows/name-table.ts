// Numbers names in the order in which they first appear: labels of a text file, features of a dictionary.

import { checkCount, maxLabels } from '../limits.ts'

export class NameTable {
  readonly #numbers = new Map<string, number>()
  readonly #names: string[] = []

  /** All names so far; a name's place is its number. */
  get names(): readonly string[] {
    return this.#names
  }

  /** The number of `name`; a new name gets the next one. */
  number(name: string): number {
    const known = this.#numbers.get(name)
    if (known !== undefined) return known
    checkCount('different names', this.#names.length + 1, maxLabels)
    const next = this.#names.push(name) - 1
    this.#numbers.set(name, next)
    return next
  }
}
