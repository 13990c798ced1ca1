// Concepts by number: their ids, their names by language, their notations, and which of them are deprecated, with what replaces them. One column of names a language, so
// that half a million concepts in five languages are a few arrays. Grows, and never changes what it has.

export class ConceptTable {
  readonly ids: string[] = []
  readonly deprecated = new Set<number>()
  readonly notations = new Map<number, string>()
  /** By deprecated concept: the id of the one to use instead. */
  readonly replacements = new Map<number, string>()
  /** What readers left out because it was wrong. */
  readonly warnings: string[] = []
  readonly #numbers = new Map<string, number>()
  /** By language, in the order in which languages first appear; '' for names without one. */
  readonly #names = new Map<string, (string | undefined)[]>()
  /** By language: which concepts have a name. Made on first use. */
  readonly #byName = new Map<string, Map<string, number[]>>()

  numberOf(id: string): number | undefined {
    return this.#numbers.get(id)
  }

  /** The number of the concept, which is added if it is new. */
  add(id: string): number {
    const known = this.#numbers.get(id)
    if (known !== undefined) return known
    this.#numbers.set(id, this.ids.length)
    return this.ids.push(id) - 1
  }

  /** Gives a concept its name in a language, unless it has another one there already: then that one is returned. */
  name(concept: number, language: string, name: string): string {
    const names = this.#names.get(language) ?? []
    if (names.length === 0) this.#names.set(language, names)
    while (names.length < concept) names.push(undefined) // no holes: arrays with holes are slow and large
    const known = names[concept]
    if (known === undefined) names[concept] = name
    return known ?? name
  }

  nameOf(concept: number, language: string): string | undefined {
    return this.#names.get(language)?.[concept]
  }

  /** The languages that names are in, without ''. */
  languages(): string[] {
    return [...this.#names.keys()].filter(language => language !== '')
  }

  /** The concepts with this name in this language. */
  named(name: string, language: string): readonly number[] {
    const concepts = this.#byName.get(language) ?? this.#conceptsByName(language)
    this.#byName.set(language, concepts)
    return concepts.get(name) ?? []
  }

  #conceptsByName(language: string): Map<string, number[]> {
    const concepts = new Map<string, number[]>()
    this.#names.get(language)?.forEach((name, concept) => {
      if (name === undefined) return
      const others = concepts.get(name)
      if (others) others.push(concept)
      else concepts.set(name, [concept])
    })
    return concepts
  }
}
