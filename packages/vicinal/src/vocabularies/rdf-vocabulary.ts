// SKOS vocabularies: the concepts of Turtle, N-Triples and RDF/XML files, by libraries that are loaded on first use. A concept is
// what has the type skos:Concept. Its names are its skos:prefLabels, or its rdfs:labels in languages that have no prefLabel.

import { EngineError, type Place } from '@vicinal/core'
import type { Input, VocabularyFormat, VocabularyReading, VocabularyTarget } from '@vicinal/core/data'
import { throwIfAborted } from '@vicinal/core/internals'
import { type Triple, type TripleParser, turtleParser, xmlParser } from './triple-parsers.ts'

const rdf = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#'
const skos = 'http://www.w3.org/2004/02/skos/core#'
const rdfsLabel = 'http://www.w3.org/2000/01/rdf-schema#label'
const owlDeprecated = 'http://www.w3.org/2002/07/owl#deprecated'

/** What is known of a subject so far: triples come in any order. */
interface Draft {
  isConcept: boolean
  isDeprecated: boolean
  /** Language and name, in turn. */
  readonly names: string[]
  readonly otherNames: string[]
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
  else if (predicate === `${rdf}type` && value === `${skos}Concept`) draftOf(drafts, subject).isConcept = true
}

function draftOf(drafts: Map<string, Draft>, subject: string): Draft {
  const known = drafts.get(subject)
  if (known) return known
  const draft = { isConcept: false, isDeprecated: false, names: [], otherNames: [] }
  drafts.set(subject, draft)
  return draft
}

function addConcepts(drafts: Map<string, Draft>, concepts: VocabularyTarget, file: string): void {
  for (const [id, { isConcept, isDeprecated, names, otherNames }] of drafts) {
    drafts.delete(id) // large vocabularies need the room
    if (!isConcept) continue
    const concept = concepts.add(id)
    if (isDeprecated) concepts.deprecated.add(concept)
    eachName(names, (language, name) => {
      const kept = concepts.name(concept, language, name)
      if (kept !== name)
        concepts.warnings.push(`${file}: ${id} has two names in "${language}": "${kept}" and "${name}"`)
    })
    eachName(otherNames, (language, name) => concepts.name(concept, language, name))
  }
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
