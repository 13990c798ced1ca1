// A controlled vocabulary: names for the ids of labels, in one language or in several. A label is known by its id, a URI
// or whatever the data says; the vocabulary adds the name that people read.

import { EngineError, shown } from '../../errors.ts'
import { didYouMean } from '../../nearest-names.ts'
import { checkIterable, checkObject, checkOptions, checkText, optionTable, refuse } from '../../options.ts'
import { ConceptTable } from './concept-table.ts'

/** One entry of a vocabulary. */
export interface Concept {
  /** What data calls it: a URI, a code, or the number of a label. */
  readonly id: string
  /** Its name by language: `{ en: 'ships', fi: 'laivat' }`; '' for a name without a language. A string is such a name. */
  readonly names: Readonly<Record<string, string>> | string
  /** Whether the vocabulary says that it is not to be used any more. Default false. */
  readonly deprecated?: boolean
  /** Its code in a classification, such as '623.82'. */
  readonly notation?: string
  /** The id of the concept to use instead; such a concept is deprecated. */
  readonly replacedBy?: string
}

/** How answers refer to a label. */
export interface NamedLabel {
  /** What the training data calls it: its id, such as a URI, or its name. */
  readonly label: string
  /** What the vocabulary calls it, if there is one. */
  readonly name?: string
  /** Its code in the vocabulary, if it has one. */
  readonly notation?: string
  /** True if the vocabulary says that it is not to be used any more. */
  readonly deprecated?: true
  /** The id of the label to use instead, if the vocabulary names one. */
  readonly replacedBy?: string
}

/** Options of `Vocabulary.create` and `readVocabulary`. */
export interface VocabularyOptions {
  /** The language of names, such as 'en'. Default: English if there is any, otherwise the first language there is. */
  readonly language?: string
}

const vocabularyOptions = optionTable<VocabularyOptions>({ language: checkText })

/** A vocabulary whose language was checked before. */
export let storedVocabulary: (concepts: ConceptTable, language: string) => Vocabulary
/** For readers, which fill tables. */
export let vocabularyOf: (concepts: ConceptTable, language?: string) => Vocabulary

/** Names for the ids of labels. */
export class Vocabulary implements Iterable<Concept> {
  readonly #concepts: ConceptTable
  /** The language that `nameOf` answers in. Empty if names have no language. */
  readonly language: string

  private constructor(concepts: ConceptTable, language: string) {
    this.#concepts = concepts
    this.language = language
  }

  /** A vocabulary of your own concepts. */
  static create(concepts: Iterable<Concept>, options: VocabularyOptions = {}): Vocabulary {
    checkIterable('concepts', concepts)
    checkOptions(options, vocabularyOptions)
    const table = new ConceptTable()
    let i = 0
    for (const concept of concepts) addConcept(table, concept, i++)
    return vocabularyOf(table, options.language)
  }

  static {
    storedVocabulary = (concepts, language) => new Vocabulary(concepts, language)
    vocabularyOf = (concepts, language) => {
      return new Vocabulary(
        concepts,
        language === undefined ? defaultLanguage(concepts) : languageOf(concepts, language),
      )
    }
  }

  /** How many concepts there are, with deprecated ones. */
  get size(): number {
    return this.#concepts.ids.length
  }

  /** All languages that names are in. */
  get languages(): readonly string[] {
    return this.#concepts.languages()
  }

  /** What was left out because it was wrong, such as a second name in the same language. */
  get warnings(): readonly string[] {
    return this.#concepts.warnings
  }

  /** Whether it has a concept with this id. */
  has(id: string): boolean {
    return this.#numberOf(id) !== undefined
  }

  /** Whether it says that the concept is not to be used any more. */
  isDeprecated(id: string): boolean {
    const concept = this.#numberOf(id)
    return concept !== undefined && this.#concepts.deprecated.has(concept)
  }

  /** The id to use instead of this one: that of a deprecated concept's replacement, if it has one that is current; otherwise the id itself. */
  currentId(id: string): string {
    const { deprecated, replacements } = this.#concepts
    const passed = new Set<string>()
    for (let at = id; !passed.has(at); ) {
      passed.add(at)
      const concept = this.#numberOf(at)
      if (concept === undefined) return id
      if (!deprecated.has(concept)) return at
      at = replacements.get(concept) ?? at
    }
    return id
  }

  /** A label with everything that answers say about it. */
  named(id: string): NamedLabel {
    const concept = this.#numberOf(id)
    if (concept === undefined) return { label: id }
    const { deprecated, notations, replacements } = this.#concepts
    const [name, notation] = [this.nameOf(id), notations.get(concept)]
    const named = { label: id, ...(name !== undefined && { name }), ...(notation !== undefined && { notation }) }
    if (!deprecated.has(concept)) return named
    const replacedBy = replacements.get(concept)
    return { ...named, deprecated: true, ...(replacedBy !== undefined && { replacedBy }) }
  }

  /** The name of a concept in a language, or the one it has without a language; undefined if it has neither. */
  nameOf(id: string, language: string = this.language): string | undefined {
    const concept = this.#numberOf(id)
    if (concept === undefined) return undefined
    return this.#concepts.nameOf(concept, tag(language)) ?? this.#concepts.nameOf(concept, '')
  }

  /** The ids of all concepts with this name; deprecated ones only if there are no others. */
  idsOf(name: string, language: string = this.language): string[] {
    checkText('name', name)
    const own = this.#concepts.named(name, tag(language))
    const found = own.length > 0 ? own : this.#concepts.named(name, '')
    const current = found.filter(concept => !this.#concepts.deprecated.has(concept))
    return (current.length > 0 ? current : found).map(concept => this.#concepts.ids[concept])
  }

  /** The same vocabulary, with names in another language. */
  in(language: string): Vocabulary {
    return vocabularyOf(this.#concepts, language)
  }

  /** The concepts with these ids alone, in the same language. Ids that it does not have are left out. */
  only(ids: Iterable<string>): Vocabulary {
    checkIterable('ids', ids)
    const table = new ConceptTable()
    for (const id of new Set(ids)) {
      const concept = this.concept(id)
      if (concept) fill(table, concept)
    }
    return new Vocabulary(table, this.language)
  }

  /** The concepts of both. If both have a concept, this vocabulary's counts. */
  with(other: Vocabulary): Vocabulary {
    if (!(other instanceof Vocabulary)) refuse('other', other, 'a vocabulary')
    const table = new ConceptTable()
    for (const concept of this) fill(table, concept)
    for (const concept of other) if (!this.has(concept.id)) fill(table, concept)
    return new Vocabulary(table, this.language)
  }

  #numberOf(id: string): number | undefined {
    checkText('id', id)
    return this.#concepts.numberOf(id)
  }

  *[Symbol.iterator](): Generator<Concept> {
    for (const id of this.#concepts.ids) yield this.concept(id)!
  }

  /** The concept with this id. */
  concept(id: string): Concept | undefined {
    const concept = this.#numberOf(id)
    if (concept === undefined) return undefined
    const names: Record<string, string> = {}
    for (const language of [...this.languages, '']) {
      const name = this.#concepts.nameOf(concept, language)
      if (name !== undefined) names[language] = name
    }
    const { label: _, name: __, ...more } = this.named(id)
    return { id, names, ...more }
  }
}

/** Language tags ignore case. */
export function tag(language: string): string {
  checkText('language', language)
  return language.toLowerCase()
}

function defaultLanguage(concepts: ConceptTable): string {
  const languages = concepts.languages()
  return languages.includes('en') ? 'en' : (languages[0] ?? '')
}

/** Names without a language are in any language. */
function languageOf(concepts: ConceptTable, language: string): string {
  checkText('language', language)
  const languages = concepts.languages()
  if (languages.length === 0 || languages.includes(tag(language))) return tag(language)
  throw new EngineError('UNKNOWN_NAME', `the vocabulary has no names in "${language}"`, {
    hint: didYouMean(language, languages) ?? `Its languages are ${languages.slice(0, 20).join(', ')}.`,
  })
}

function addConcept(table: ConceptTable, given: Concept, i: number): void {
  checkObject(`concept ${i}`, given, "a concept such as { id: 'p1', names: { en: 'ships' } }")
  const { id, names, deprecated = false, notation, replacedBy } = given
  if (typeof id !== 'string' || id === '') refuse(`the id of concept ${i}`, id, 'a text')
  if (typeof deprecated !== 'boolean') refuse(`concept ${i}.deprecated`, deprecated, 'true or false')
  if (notation !== undefined) checkText(`the notation of ${id}`, notation)
  if (replacedBy !== undefined) checkText(`the replacement of ${id}`, replacedBy)
  if (table.numberOf(id) !== undefined) throw new EngineError('BAD_DATA', `two concepts have the id ${shown(id)}`)
  const byLanguage = typeof names === 'string' ? { '': names } : names
  checkObject(`the names of ${id}`, byLanguage, "names by language, such as { en: 'ships' }")
  for (const [language, name] of Object.entries(byLanguage)) {
    if (typeof name !== 'string' || name.trim() === '') refuse(`the name of ${id} in "${language}"`, name, 'a name')
  }
  fill(table, { ...given, id, names: byLanguage, deprecated })
}

function fill(table: ConceptTable, { id, names, deprecated, notation, replacedBy }: Concept): void {
  const concept = table.add(id)
  if (deprecated || replacedBy !== undefined) table.deprecated.add(concept)
  if (notation !== undefined) table.notations.set(concept, notation)
  if (replacedBy !== undefined) table.replacements.set(concept, replacedBy)
  for (const [language, name] of Object.entries(names)) table.name(concept, tag(language), name)
}
