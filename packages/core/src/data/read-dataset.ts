// Reads a data set from anywhere: opens it, detects the format, reads it, looks up the labels in the vocabulary and checks the result.

import { EngineError } from '../errors.ts'
import { checkOptions } from '../options.ts'
import { closeInput, type OpenOptions, openInput, peek, type Source } from './bytes/byte-source.ts'
import { checkDataset, type Dataset } from './dataset.ts'
import { isFolder, readFolder } from './folder/read-folder.ts'
import { type Format, type ReadOptions, readOptions } from './format.ts'
import { detectFormat, findFormat } from './formats.ts'
import { applyVocabulary } from './vocabulary/apply-vocabulary.ts'
import { readVocabulary } from './vocabulary/read-vocabulary.ts'

const headBytes = 2 ** 16

/**
 * Reads a file (gzipped or not), URL, blob, bytes or stream, or a folder of texts with their labels beside them (Annif's full texts).
 * The format is found out unless `format` names it.
 */
export async function readDataset(source: Source, options: ReadOptions = {}): Promise<Dataset> {
  checkOptions(options, readOptions)
  const asked = options.format === undefined ? undefined : findFormat(options.format)
  if (!asked && (await isFolder(source)))
    return checkDataset(await withVocabulary(await readFolder(source as string, options), options)) // a path
  const opened = await openInput(source, openOptions(options))
  const { head, input } = await peek(opened, headBytes)
  try {
    if (head.length === 0)
      throw new EngineError('EMPTY_DATA', `${input.name} is empty`, { hint: 'Is it the right file?' })
    const format = asked ?? detectFormat(input.name, head)
    checkLabelXml(options, format)
    const dataset = await format.read(input, options)
    if (dataset.rows === 0) throw noRows(dataset)
    return checkDataset(await withVocabulary(dataset, options))
  } catch (error) {
    throw outOfRoom(error, input.name)
  } finally {
    await closeInput(input)
  }
}

function openOptions({ signal, maxUnpackedBytes }: ReadOptions): OpenOptions {
  return { signal, maxUnpackedBytes }
}

/** What the engine throws when a string, array or the stack gets too large, as an error of ours. */
function outOfRoom(error: unknown, file: string): unknown {
  if (!(error instanceof RangeError)) return error
  return new EngineError('OUT_OF_MEMORY', `the file is too large to read: ${error.message}`, {
    where: { file },
    cause: error,
    hint: 'Is the file damaged? If not, split it.',
  })
}

function checkLabelXml({ labelXml }: ReadOptions, { name }: Format): void {
  if (labelXml === undefined || name === 'arff') return
  throw new EngineError('INVALID_OPTION', `labelXml is ${labelXml}, but label XML belongs to ARFF files`, {
    hint: 'To name labels, give a file of names as `vocabulary`.',
  })
}

function noRows({ name, skipped = [] }: Dataset): EngineError {
  const reason = skipped[0] ? `: ${skipped.length} bad rows were skipped; the first: ${skipped[0].message}` : ''
  return new EngineError('EMPTY_DATA', `${name} has no rows${reason}`, { hint: 'Check that the file is complete.' })
}

async function withVocabulary(dataset: Dataset, options: ReadOptions): Promise<Dataset> {
  const { vocabulary, language, onlyVocabulary, signal } = options
  if (vocabulary === undefined && dataset.vocabulary === undefined) return withoutVocabulary(dataset, options)
  const found =
    typeof vocabulary === 'string'
      ? await readVocabulary(vocabulary, { signal, ...(language !== undefined && { language }) })
      : (vocabulary ?? dataset.vocabulary!)
  const spoken = language === undefined || typeof vocabulary === 'string' ? found : found.in(language)
  return vocabulary === undefined
    ? { ...dataset, vocabulary: spoken }
    : applyVocabulary(dataset, spoken, onlyVocabulary)
}

function withoutVocabulary(dataset: Dataset, { language, onlyVocabulary }: ReadOptions): Dataset {
  const asked = language !== undefined ? 'language' : onlyVocabulary ? 'onlyVocabulary' : undefined
  if (asked === undefined) return dataset
  throw new EngineError('INVALID_OPTION', `you gave ${asked}, but no vocabulary`, {
    hint: 'Name the file of the vocabulary with `vocabulary`.',
  })
}
