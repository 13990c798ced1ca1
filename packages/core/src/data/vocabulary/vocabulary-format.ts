// The formats of vocabulary files: which exist, and which one a file is in. The extension decides, otherwise the contents.
// Formats that need a library are in the vicinal package, which registers them here.

import { EngineError } from '../../errors.ts'
import { checkFunction, checkObject, checkText, checkTexts } from '../../options.ts'
import type { Input, ReadOptions } from '../format.ts'
import type { ConceptTable } from './concept-table.ts'
import { csvVocabulary, hasHeader } from './csv-vocabulary.ts'
import { tsvVocabulary } from './tsv-vocabulary.ts'

/** A format of vocabulary files: how it is recognized and read. */
export interface VocabularyFormat {
  readonly name: string
  /** Lower-case file endings, without dot and without `.gz`. */
  readonly extensions: readonly string[]
  /** Whether the file's first bytes can be of this format. Asked in the registry's order. */
  recognize(head: Uint8Array): boolean
  /** Adds all concepts of the file to `concepts`. */
  read(input: Input, concepts: VocabularyTarget, options: VocabularyReading): Promise<void>
}

/** Where a format puts what it reads. */
export type VocabularyTarget = Pick<
  ConceptTable,
  'add' | 'name' | 'numberOf' | 'nameOf' | 'deprecated' | 'notations' | 'replacements' | 'warnings'
>

/** What a format may need to know. */
export interface VocabularyReading extends Pick<ReadOptions, 'signal' | 'onProgress' | 'maxLineBytes'> {
  /** The language that the caller wants. Names in files that do not say their language are in it. */
  readonly language?: string
}

/** In the order in which they are asked whether they recognize a file. */
const formats: VocabularyFormat[] = [csvVocabulary, tsvVocabulary]

/** Registers a format of vocabulary files. It is tried before the others. */
export function registerVocabularyFormat(format: VocabularyFormat): void {
  checkObject('format', format, 'a format with a name')
  checkText('format.name', format.name)
  checkTexts('format.extensions', format.extensions)
  for (const part of ['recognize', 'read'] as const) checkFunction(`format.${part}`, format[part])
  if (formats.some(known => known.name === format.name)) {
    throw new EngineError('INVALID_OPTION', `there is already a vocabulary format called ${format.name}`)
  }
  formats.unshift(format)
}

/** The format of a vocabulary file, by its name and its first bytes. */
export function detectVocabularyFormat(fileName: string, head: Uint8Array): VocabularyFormat {
  const extension = /\.([^./\\]+)(\.gz)?$/i.exec(fileName)?.[1].toLowerCase() ?? ''
  const byExtension = formats.find(({ extensions }) => extensions.includes(extension))
  // A table with a header may be called .tsv or .txt, and would be read as concepts from its first line on.
  const isTable = byExtension === tsvVocabulary && hasHeader(head)
  const found = isTable ? csvVocabulary : (byExtension ?? formats.find(format => format.recognize(head)))
  if (found) return found
  throw new EngineError('UNKNOWN_FORMAT', `${fileName} is not a vocabulary in a known format`, {
    hint: `Known: ${formats.map(({ name }) => name).join(', ')}. Turtle and RDF/XML need the package vicinal.`,
  })
}
