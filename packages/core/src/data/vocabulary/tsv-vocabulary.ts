// Vocabularies as lines: Annif's `<uri>`, tab, name, with or without the brackets, where further columns are ignored and a line
// without a name is a deprecated concept; or one name per line, for the labels 0, 1, 2 … of data that has numbers.

import { EngineError } from '../../errors.ts'
import { type LineBlock, readLines } from '../bytes/lines.ts'
import type { Input } from '../format.ts'
import { checkCount, maxLabels, shorten } from '../limits.ts'
import { tag } from './vocabulary.ts'
import type { VocabularyFormat, VocabularyReading, VocabularyTarget } from './vocabulary-format.ts'

export const tsvVocabulary: VocabularyFormat = Object.freeze({
  name: 'tsv',
  extensions: Object.freeze(['tsv', 'txt', 'lines']),
  recognize: (head: Uint8Array) => !head.includes(0),
  read,
})

async function read(input: Input, concepts: VocabularyTarget, options: VocabularyReading): Promise<void> {
  const language = tag(options.language ?? '')
  let keyed: boolean | undefined
  for await (const block of readLines(input, options)) {
    while (block.next()) {
      const line = block.text()
      if (line.trim() === '') throw block.error('the line is empty, expected a concept')
      keyed ??= line.includes('\t') || bracketed.test(line)
      checkCount('concepts', block.line, maxLabels, block.place())
      if (keyed) addKeyed(concepts, block, line, language)
      else addListed(concepts, block, line, language)
    }
  }
}

const bracketed = /^\s*<([^<>]*)>\s*$/

/** An id without the brackets that URIs are often in. */
export function bareId(text: string): string {
  return bracketed.exec(text)?.[1] ?? text.trim()
}

function addKeyed(concepts: VocabularyTarget, block: LineBlock, line: string, language: string): void {
  const [first, name = ''] = line.split('\t')
  const id = bareId(first)
  if (id === '') throw block.error('the line has no id, expected `id<TAB>name`')
  if (name.trim() === '' && !bracketed.test(first)) {
    throw block.error(
      'found no name, expected `id<TAB>name`',
      block.start,
      'For a deprecated concept, write `<uri>` alone.',
    )
  }
  if (concepts.numberOf(id) !== undefined) throw block.error(`the id ${shorten(id)} appears twice`)
  const concept = concepts.add(id)
  if (name.trim() === '') concepts.deprecated.add(concept)
  else concepts.name(concept, language, name.trim())
}

/** Names in the order of labels, which are numbers. */
function addListed(concepts: VocabularyTarget, block: LineBlock, line: string, language: string): void {
  if (line.includes('\t')) {
    throw new EngineError('BAD_DATA', 'the line has a tab, but the lines above are names alone', {
      where: block.place(),
      hint: 'Write `id<TAB>name` on every line, or one name per line in the order of labels.',
    })
  }
  concepts.name(concepts.add(String(block.line - 1)), language, line.trim())
}
