// Reads a data set from anywhere: opens it, detects the format, reads it, names the labels and checks the result.

import { EngineError } from '../errors.ts'
import { checkOptions } from '../options.ts'
import { closeInput, type OpenOptions, openInput, peek, type Source } from './bytes/byte-source.ts'
import { checkDataset, type Dataset } from './dataset.ts'
import { type Format, type ReadOptions, readOptions } from './format.ts'
import { detectFormat, findFormat } from './formats.ts'
import { nameLabels } from './label-names.ts'

const headBytes = 2 ** 16

/** Reads a file (gzipped or not), URL, blob, bytes or stream. The format is found out unless `format` names it. */
export async function readDataset(source: Source, options: ReadOptions = {}): Promise<Dataset> {
  checkOptions(options, readOptions)
  const asked = options.format === undefined ? undefined : findFormat(options.format)
  const opened = await openInput(source, openOptions(options))
  const { head, input } = await peek(opened, headBytes)
  try {
    if (head.length === 0)
      throw new EngineError('EMPTY_DATA', `${input.name} is empty`, { hint: 'Is it the right file?' })
    const format = asked ?? detectFormat(input.name, head)
    const dataset = await format.read(input, options)
    if (dataset.rows === 0) throw noRows(dataset)
    return checkDataset(await withLabelNames(dataset, format, options))
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

function noRows({ name, skipped = [] }: Dataset): EngineError {
  const reason = skipped[0] ? `: ${skipped.length} bad rows were skipped; the first: ${skipped[0].message}` : ''
  return new EngineError('EMPTY_DATA', `${name} has no rows${reason}`, { hint: 'Check that the file is complete.' })
}

async function withLabelNames(dataset: Dataset, format: Format, options: ReadOptions): Promise<Dataset> {
  const { labelNames } = options
  if (labelNames === undefined) return dataset
  if (!/\.xml(\.gz)?$/i.test(labelNames)) return nameLabels(dataset, labelNames, options)
  if (format.name === 'arff') return dataset // its reader has taken the labels from the XML
  throw new EngineError('INVALID_OPTION', `labelNames is ${labelNames}: label XML belongs to ARFF files`, {
    hint: 'Give a text file with one name per line, or with `key<TAB>name` lines.',
  })
}
