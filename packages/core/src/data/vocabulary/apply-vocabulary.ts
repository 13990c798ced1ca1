// A data set whose labels are concepts of a vocabulary. A label may be a concept's id or its name; names become ids, and replaced
// concepts become their replacements. Labels that
// the vocabulary does not have stay as they are, unless the caller wants only those it has.

import { EngineError } from '../../errors.ts'
import { LabelMatrix } from '../../matrix/label-matrix.ts'
import { checkTexts } from '../../options.ts'
import type { Dataset } from '../dataset.ts'
import { shorten } from '../limits.ts'
import { checkVocabulary } from './check-vocabulary.ts'
import type { Vocabulary } from './vocabulary.ts'

/** The labels of a data set that `vocabulary` does not know, calls deprecated, or does not name. */
export interface VocabularyGaps {
  /** Labels that are no concepts of the vocabulary. */
  readonly unknown: readonly string[]
  /** Labels that are deprecated concepts. */
  readonly deprecated: readonly string[]
  /** Labels without a name in the vocabulary's language. */
  readonly unnamed: readonly string[]
}

/** Which labels the vocabulary does not know, or calls deprecated, or has no name for. */
export function vocabularyGaps(labels: readonly string[], vocabulary: Vocabulary): VocabularyGaps {
  checkTexts('labels', labels)
  checkVocabulary('vocabulary', vocabulary)
  const known = labels.filter(label => vocabulary.has(label))
  return {
    unknown: labels.filter(label => !vocabulary.has(label)),
    deprecated: known.filter(label => vocabulary.isDeprecated(label)),
    unnamed: known.filter(label => !vocabulary.isDeprecated(label) && vocabulary.nameOf(label) === undefined),
  }
}

/** The data set with its labels as ids, and the vocabulary that names them. */
export function applyVocabulary(dataset: Dataset, vocabulary: Vocabulary, only = false): Dataset {
  const { labels } = dataset
  if (!labels) {
    throw new EngineError('INVALID_OPTION', `you gave a vocabulary, but ${dataset.name} has no labels`, {
      hint: 'Name the column that holds them with `labelColumn`, or leave out `vocabulary`.',
    })
  }
  const given = dataset.labelNames ?? Array.from({ length: labels.columns }, (_, label) => String(label))
  const found = given.map(label => idOf(label, vocabulary, dataset.name))
  const ids = found.map(id => vocabulary.currentId(id))
  const isKept = (id: string) => !only || (vocabulary.has(id) && !vocabulary.isDeprecated(id))
  const changed = ids.some((id, i) => id !== given[i] || !isKept(id))
  if (!changed) return { ...dataset, vocabulary }
  const dropped = given.filter((_, i) => !isKept(ids[i]))
  const replaced = found.filter((id, i) => id !== ids[i])
  return {
    ...{ ...dataset, ...renumber(labels, ids, isKept), vocabulary },
    ...(replaced.length > 0 && { replacedLabels: [...new Set(replaced)] }),
    ...(only && { droppedLabels: [...new Set(dropped)] }),
  }
}

/** An id stays; the name of one concept becomes its id. */
function idOf(label: string, vocabulary: Vocabulary, file: string): string {
  if (vocabulary.has(label)) return label
  const ids = vocabulary.idsOf(label)
  if (ids.length <= 1) return ids[0] ?? label
  const shown = ids.slice(0, 3).join(', ')
  throw new EngineError('BAD_DATA', `"${shorten(label)}" is the name of ${ids.length} concepts: ${shown}`, {
    where: { file },
    hint: 'Write the id of the one you mean instead of the name.',
  })
}

/** The labels under their ids: two labels with one id become one, and those that are not kept go. */
function renumber(labels: LabelMatrix, ids: readonly string[], isKept: (id: string) => boolean) {
  const labelNames = [...new Set(ids.filter(isKept))]
  const numbers = new Map(labelNames.map((id, number) => [id, number]))
  const rows = Array.from({ length: labels.rows }, (_, row) => {
    const kept = Array.from(labels.row(row), label => numbers.get(ids[label])).filter(number => number !== undefined)
    return [...new Set(kept)].sort((a, b) => a - b)
  })
  return { labels: LabelMatrix.from(rows, labelNames.length), labelNames }
}
