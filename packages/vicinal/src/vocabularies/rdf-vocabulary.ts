// SKOS vocabularies: reads the concepts of Turtle, N-Triples and RDF/XML files, with libraries that are loaded on first use. A concept is
// anything of type skos:Concept. Its names are its skos:prefLabels, or its rdfs:labels in languages without a prefLabel. Concepts that are
// deprecated (owl:deprecated) or replaced (dct:isReplacedBy) are marked as such.

import { EngineError, type Place } from '@vicinal/core'
import type { Input, VocabularyFormat, VocabularyReading, VocabularyTarget } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'
import { type Triple, type TripleParser, turtleParser, xmlParser } from './triple-parsers.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const skos = 'http://www.w3.org/2004/02/skos/core#'
const rdfsLabel = 'http://www.w3.org/2000/01/rdf-schema#label'
const owlDeprecated = 'http://www.w3.org/2002/07/owl#deprecated'
const isReplacedBy = 'http://purl.org/dc/terms/isReplacedBy'
/** The type of YSO's deprecated concepts. */
const deprecatedType = 'http://purl.org/finnonto/schema/skosext#DeprecatedConcept'

/** What is known about a subject so far: triples come in any order. */
interface Draft {
  isConcept: boolean
  isDeprecated: boolean
  /** Language and name, in turn. */
  readonly names: string[]
  readonly otherNames: string[]
  notation: string | undefined
  readonly replacements: string[]
  readonly exactMatches: string[]
}

export const turtleVocabulary: VocabularyFormat = Object.freeze({
  name: 'turtle',
  extensions: Object.freeze(['ttl', 'turtle', 'nt', 'n3', 'ntriples']),
  recognize: (head: Uint8Array) => /^\uFEFF?\s*(#|@prefix|@base|prefix\s|base\s|<[^>\s]+>\s*<)/i.test(start(head)),
  read: (input: Input, concepts: VocabularyTarget, options: VocabularyReading) =>
    read(input, concepts, options, turtleParser),
})

export const xmlVocabulary: VocabularyFormat = Object.freeze({
  name: 'rdf/xml',
  extensions: Object.freeze(['rdf', 'xml', 'owl', 'skos']),
  recognize: (head: Uint8Array) => /^\uFEFF?\s*<(\?xml|!DOCTYPE|rdf:RDF)/.test(start(head)),
  read: (input: Input, concepts: VocabularyTarget, options: VocabularyReading) =>
    read(input, concepts, options, xmlParser),
})

function start(head: Uint8Array): string {
  return new TextDecoder().decode(head.subarray(0, 2 ** 10))
}

async function read(
  input: Input,
  concepts: VocabularyTarget,
  { signal, onProgress }: VocabularyReading,
  makeParser: (take: (triple: Triple) => void, file: string) => Promise<TripleParser>,
): Promise<void> {
  const drafts = new Map<string, Draft>()
  const parser = await makeParser(triple => takeTriple(drafts, triple), input.name)
  const decoder = new TextDecoder('utf-8', { fatal: true })
  for await (const chunk of input.chunks) {
    throwIfAborted(signal)
    await parser.write(decode(decoder, chunk, { file: input.name }))
    const way = input.way?.()
    onProgress?.({ what: 'reading', done: way?.done ?? 0, ...(way && { total: way.total }) })
  }
  await parser.write(decode(decoder, undefined, { file: input.name }))
  await parser.end()
  addConcepts(drafts, concepts, input.name)
}

function takeTriple(drafts: Map<string, Draft>, { subject, predicate, value, language }: Triple): void {
  if (predicate === `${skos}prefLabel`) draftOf(drafts, subject).names.push(language, value)
  else if (predicate === rdfsLabel) draftOf(drafts, subject).otherNames.push(language, value)
  else if (predicate === owlDeprecated) draftOf(drafts, subject).isDeprecated ||= value === 'true' || value === '1'
  else if (predicate === `${skos}notation`) draftOf(drafts, subject).notation ??= value.trim() || undefined
  else if (predicate === isReplacedBy) draftOf(drafts, subject).replacements.push(value)
  else if (predicate === `${skos}exactMatch`) draftOf(drafts, subject).exactMatches.push(value)
  else if (predicate === `${rdf}type`) takeType(drafts, subject, value)
}

function takeType(drafts: Map<string, Draft>, subject: string, type: string): void {
  if (type !== `${skos}Concept` && type !== deprecatedType) return
  const draft = draftOf(drafts, subject)
  draft.isConcept = true
  draft.isDeprecated ||= type === deprecatedType
}

function draftOf(drafts: Map<string, Draft>, subject: string): Draft {
  const known = drafts.get(subject)
  if (known) return known
  const draft: Draft = {
    ...{ isConcept: false, isDeprecated: false, names: [], otherNames: [], notation: undefined },
    ...{ replacements: [], exactMatches: [] },
  }
  drafts.set(subject, draft)
  return draft
}

function addConcepts(drafts: Map<string, Draft>, concepts: VocabularyTarget, file: string): void {
  const isConcept = (id: string) => concepts.numberOf(id) !== undefined || drafts.get(id)?.isConcept === true
  for (const [id, draft] of drafts) {
    drafts.delete(id) // large vocabularies need the room
    if (!draft.isConcept) continue
    const { names, otherNames, notation } = draft
    if (!isAbsolute.test(id)) throw relative(id, file)
    const concept = concepts.add(id)
    if (draft.isDeprecated || draft.replacements.length > 0) concepts.deprecated.add(concept)
    const replacement = replacementOf(draft, id, isConcept)
    if (replacement !== undefined) concepts.replacements.set(concept, replacement)
    if (notation !== undefined) concepts.notations.set(concept, notation)
    eachName(names, (language, name) => {
      const kept = concepts.name(concept, language, name)
      if (kept !== name)
        concepts.warnings.push(`${file}: ${id} has two names in "${language}": "${kept}" and "${name}"`)
    })
    eachName(otherNames, (language, name) => concepts.name(concept, language, name))
  }
}

const isAbsolute = /^[a-z][a-z\d+.-]*:/i

/** Data has whole URIs: a part of one would match nothing, without a word. */
function relative(id: string, file: string): EngineError {
  return new EngineError('BAD_DATA', `the URI "${id}" is relative, and the file has no base`, {
    where: { file },
    hint: 'Add a line such as `@base <http://example.org/> .` (Turtle) or an attribute xml:base (RDF/XML).',
  })
}

/**
 * The one concept that replaces a deprecated one. If there are several, only people can tell which one is meant. Vocabularies without
 * replacements may still say that another of their concepts means the same.
 */
function replacementOf(
  { isDeprecated, replacements, exactMatches }: Draft,
  id: string,
  isConcept: (id: string) => boolean,
): string | undefined {
  const named = replacements.length > 0 ? replacements : isDeprecated ? exactMatches : []
  const others = [...new Set(named)].filter(other => other !== id && isConcept(other))
  return others.length === 1 ? others[0] : undefined
}

function eachName(names: readonly string[], use: (language: string, name: string) => void): void {
  for (let i = 0; i < names.length; i += 2) {
    const name = names[i + 1]!.trim()
    if (name !== '') use(names[i]!.toLowerCase(), name)
  }
}

function decode(decoder: TextDecoder, chunk: Uint8Array | undefined, where: Place): string {
  try {
    return chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode()
  } catch (cause) {
    throw new EngineError('BAD_DATA', 'the vocabulary is not valid UTF-8', { where, cause })
  }
}
