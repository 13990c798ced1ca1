// Warns on stderr and in JSON about labels that the vocabulary does not have or name, so that nobody finds out later.

import { type Dataset, type Vocabulary, vocabularyGaps } from '@vicinal/core'
import type { CommandIo } from '../command-io.ts'
import { formatCount } from '../terminal/quantity.ts'
import { oneLine, shorten } from '../terminal/table.ts'

const shown = 3

/** Of the labels of a data set. */
export function noteVocabulary(
  { name, vocabulary, labels, labelNames, droppedLabels = [], replacedLabels = [] }: Dataset,
  io: CommandIo,
): void {
  if (!vocabulary) return
  const ids = labelNames ?? Array.from({ length: labels?.columns ?? 0 }, (_, label) => String(label))
  note(
    io,
    name,
    droppedLabels,
    'was dropped: not in the vocabulary, or deprecated',
    'were dropped: not in the vocabulary, or deprecated',
  )
  const [one, many] = ['was replaced as the vocabulary says', 'were replaced as the vocabulary says']
  note(io, name, replacedLabels, one, many)
  noteNames(name, ids, vocabulary, io)
}

/** Of labels that come from `source`. */
export function noteNames(source: string, labels: readonly string[], vocabulary: Vocabulary, io: CommandIo): void {
  const { unknown, deprecated, unnamed } = vocabularyGaps(labels, vocabulary)
  const { language, warnings } = vocabulary
  note(io, source, unknown, 'is not in the vocabulary', 'are not in the vocabulary')
  noteLanguage(unknown, vocabulary, io)
  note(io, source, deprecated, 'is deprecated in the vocabulary', 'are deprecated in the vocabulary')
  note(io, source, unnamed, `has no name in "${language}"`, `have no names in "${language}"`)
  for (const warning of warnings.slice(0, shown)) io.stderr.write(`${oneLine(warning)}\n`)
  if (warnings.length > shown)
    io.stderr.write(`and ${formatCount(warnings.length - shown)} more such concepts; the first name counts\n`)
}

/** Names in another language than the chosen one are the most likely mistake. */
function noteLanguage(unknown: readonly string[], vocabulary: Vocabulary, { stderr }: CommandIo): void {
  for (const language of vocabulary.languages) {
    const named = unknown.filter(label => vocabulary.idsOf(label, language).length > 0).length
    if (named > 0)
      stderr.write(`  ${formatCount(named)} of them: names in "${language}"; to use them, add --language ${language}\n`)
  }
}

function note({ stderr }: CommandIo, source: string, labels: readonly string[], one: string, many: string): void {
  if (labels.length === 0) return
  const some = labels.slice(0, shown).map(label => shorten(oneLine(label), 60))
  const list = `${some.join(', ')}${labels.length > shown ? ', …' : ''}`
  const count = labels.length === 1 ? `1 label ${one}` : `${formatCount(labels.length)} labels ${many}`
  stderr.write(`${oneLine(source)}: ${count}: ${list}\n`)
}

/** For --json. */
export function vocabularyJson({ vocabulary, labels, labelNames, droppedLabels, replacedLabels }: Dataset): object {
  if (!vocabulary) return {}
  const ids = labelNames ?? Array.from({ length: labels?.columns ?? 0 }, (_, label) => String(label))
  const { unknown, deprecated, unnamed } = vocabularyGaps(ids, vocabulary)
  const counts = { unknown: unknown.length, deprecated: deprecated.length, unnamed: unnamed.length }
  const { language, languages } = vocabulary
  return {
    vocabulary: {
      language,
      languages,
      ...counts,
      ...(droppedLabels && { dropped: droppedLabels.length }),
      ...(replacedLabels && { replaced: replacedLabels.length }),
    },
  }
}
