// The vocabulary formats that need a library.

import type { VocabularyFormat } from '@vicinal/core/data'
import { turtleVocabulary, xmlVocabulary } from './rdf-vocabulary.ts'

export const libraryVocabularies: readonly VocabularyFormat[] = Object.freeze([xmlVocabulary, turtleVocabulary])
