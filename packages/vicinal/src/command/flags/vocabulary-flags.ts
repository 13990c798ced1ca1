// The flags that name the labels of a model in another language, or by another vocabulary, and what they do.

import { type Classifier, EngineError } from '@vicinal/core'
import { readVocabulary } from '@vicinal/core/data'
import { type Command, Option } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { noteNames } from '../reports/vocabulary-notes.ts'

export interface VocabularyFlags {
  readonly vocabulary?: string
  readonly language?: string
}

export function addVocabularyFlags(command: Command): Command {
  return command
    .addOption(new Option('--vocabulary <file>', 'names of the labels (default: those in the model)'))
    .addOption(new Option('--language <tag>', 'language of the names, such as fi'))
}

/** Names the labels of a model as the flags say. */
export async function nameLabels(
  model: Classifier,
  { vocabulary, language }: VocabularyFlags,
  io: CommandIo,
): Promise<void> {
  if (vocabulary !== undefined) {
    const { signal } = io
    model.nameLabels(await readVocabulary(vocabulary, { signal, ...(language !== undefined && { language }) }))
    noteNames('the model', model.labelNames, model.vocabulary!, io)
  } else if (language !== undefined) {
    if (!model.vocabulary) throw noNames()
    model.nameLabels(model.vocabulary.in(language))
  }
}

function noNames(): EngineError {
  return new EngineError('INVALID_OPTION', 'you gave a language, but the model has no label names', {
    hint: 'Name the vocabulary file with `vocabulary`.',
  })
}
