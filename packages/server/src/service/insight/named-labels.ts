// Labels in answers: their ids, and their names in the language that was asked for.

import { type Classifier, EngineError, type NamedLabel } from '@vicinal/core'

export type { NamedLabel }

/** Labels with their names in a language. Default: the one that the model answers in. */
export function named<Label extends NamedLabel>(
  model: Classifier,
  labels: readonly Label[],
  language?: string,
): (Label & NamedLabel)[] {
  const names = language === undefined ? model.vocabulary : vocabularyOf(model).in(language)
  return labels.map(one => {
    const named = names?.named(one.label)
    return named ? { ...one, ...named } : one
  })
}

/** Finds the id that a caller means: an id, or the name of one label. Anything else is a new label. */
export function labelIds(model: Classifier): (label: string) => string {
  const known = new Set(model.labelNames)
  return label => {
    if (known.has(label)) return label
    const ids = model.vocabulary?.idsOf(label) ?? []
    if (ids.length > 1) {
      throw new EngineError('UNKNOWN_NAME', `${ids.length} labels are called "${label}"`, {
        hint: `Give one of their ids: ${ids.slice(0, 5).join(', ')}.`,
      })
    }
    return ids[0] ?? label
  }
}

function vocabularyOf({ vocabulary }: Classifier): NonNullable<Classifier['vocabulary']> {
  if (vocabulary) return vocabulary
  throw new EngineError(
    'INVALID_OPTION',
    'you gave a language, but the model has no vocabulary, so labels have no names',
    {
      hint: 'Leave it out, or train the model with --vocabulary.',
    },
  )
}
