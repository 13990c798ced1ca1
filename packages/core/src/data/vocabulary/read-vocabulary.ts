// Reads a vocabulary from a file: opens it, detects the format, reads the concepts.

import { EngineError } from '../../errors.ts'
import type { LongWork } from '../../long-work.ts'
import { checkOptions, checkText, optionTable, workChecks } from '../../options.ts'
import { closeInput, openInput, peek, type Source } from '../bytes/byte-source.ts'
import { checkUnpackedLimit } from '../bytes/unpacked-size.ts'
import { ConceptTable } from './concept-table.ts'
import { type Vocabulary, type VocabularyOptions, vocabularyOf } from './vocabulary.ts'
import { detectVocabularyFormat } from './vocabulary-format.ts'

/** Options of `readVocabulary`. */
export interface ReadVocabularyOptions extends VocabularyOptions, LongWork {
  /** The most bytes that a compressed file may unpack to. Default: 256 MiB, or 100 times its size if that is more. */
  readonly maxUnpackedBytes?: number | undefined
}

const readVocabularyOptions = optionTable<ReadVocabularyOptions>({
  language: checkText,
  maxUnpackedBytes: checkUnpackedLimit,
  ...workChecks,
})

const headBytes = 2 ** 16

/**
 * Reads the names of labels: SKOS (Turtle, N-Triples, RDF/XML), Annif's CSV (`uri,label_en,label_fi`) and TSV (`<uri>`, tab, name),
 * or one name per line in the order of label numbers. Gzipped or not.
 */
export async function readVocabulary(source: Source, options: ReadVocabularyOptions = {}): Promise<Vocabulary> {
  checkOptions(options, readVocabularyOptions)
  const { language, signal, maxUnpackedBytes } = options
  const { head, input } = await peek(await openInput(source, { signal, maxUnpackedBytes }), headBytes)
  try {
    if (head.length === 0) throw empty(input.name)
    const concepts = new ConceptTable()
    await detectVocabularyFormat(input.name, head).read(input, concepts, options)
    if (concepts.ids.length === 0) throw empty(input.name)
    return vocabularyOf(concepts, language)
  } finally {
    await closeInput(input)
  }
}

function empty(name: string): EngineError {
  return new EngineError('EMPTY_DATA', `${name} has no concepts`, {
    hint: 'A vocabulary is a file of SKOS concepts, a CSV file with the columns uri and label_en, or lines of `uri<TAB>name`.',
  })
}
