// The checks of parts and options that are a vocabulary.

import { type Check, checkPath, refuse } from '../../options.ts'
import { Vocabulary } from './vocabulary.ts'

export const checkVocabulary: Check = (name, value) => {
  if (!(value instanceof Vocabulary)) refuse(name, value, 'a vocabulary, as returned by readVocabulary')
}

/** A vocabulary, or the path of one. */
export const checkVocabularySource: Check = (name, value) => {
  if (typeof value === 'string') checkPath(name, value)
  else if (!(value instanceof Vocabulary)) refuse(name, value, 'a vocabulary, or the path of its file')
}
