// The flags of every command that reads a data file, and the engine's options that they set.

import type { Dataset } from '@vicinal/core'
import { formatNames, type ReadOptions } from '@vicinal/core/data'
import { type Command, Option } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { noteVocabulary } from '../reports/vocabulary-notes.ts'
import { formatCountOf } from '../terminal/quantity.ts'
import { oneLine } from '../terminal/table.ts'
import { wholeNumber } from './whole-number.ts'

/** The flags as commander parses them. */
export interface ReadFlags {
  readonly format?: string
  readonly textColumn?: readonly string[]
  readonly labelColumn?: string
  readonly idColumn?: string
  readonly labelSeparator?: string
  readonly vocabulary?: string
  readonly language?: string
  readonly onlyVocabulary?: boolean
  readonly labelXml?: string
  readonly indexBase?: '0' | '1'
  readonly part?: string
  readonly skipBadRows?: boolean
  readonly maxUnpackedBytes?: number
}

export function addReadFlags(command: Command): Command {
  const flags = [
    new Option('--format <name>', 'format of the data, if it cannot be told from extension and contents').choices(
      formatNames(),
    ),
    new Option('--text-column <name>', 'column or field with the text; repeatable (default: text, title, …)').argParser(
      collect,
    ),
    new Option('--label-column <name>', 'column or field with the labels (default: labels, tags, …)'),
    new Option('--id-column <name>', 'column or field with the id of a row (default: id, …)'),
    new Option('--label-separator <text>', 'separator of the labels in a cell (default: white space, ; or |)'),
    new Option('--vocabulary <file>', 'names of the labels: SKOS, CSV or TSV, or one name per line'),
    new Option('--language <tag>', 'language of the names, such as fi (default: en, or the first)'),
    new Option('--only-vocabulary', 'drop labels that the vocabulary does not have or calls deprecated'),
    new Option('--label-xml <file>', 'for ARFF: XML file that says which columns are labels'),
    new Option('--index-base <n>', 'number of the first feature in svmlight files (default: 1)').choices(['0', '1']),
    new Option('--part <name>', 'part to read if the file has several: train, test, …'),
    new Option('--skip-bad-rows', 'skip and count bad rows instead of stopping at the first'),
    new Option(
      '--max-unpacked-bytes <n>',
      'largest unpacked size of a compressed file (default: 256 MiB, or 100 times its size)',
    ).argParser(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  ]
  for (const flag of flags) command.addOption(flag.helpGroup('Reading data:'))
  return command
}

/** For flags that may be given several times. */
export function collect(value: string, earlier: readonly string[] = []): string[] {
  return [...earlier, value]
}

/** The engine's options; flags that were not given are absent. */
export function toReadOptions(flags: ReadFlags): ReadOptions {
  const { format, textColumn, labelColumn, idColumn, labelSeparator, indexBase, part, skipBadRows } = flags
  const { vocabulary, language, onlyVocabulary, labelXml, maxUnpackedBytes } = flags
  return {
    ...(format !== undefined && { format }),
    ...(textColumn !== undefined && { textColumns: textColumn }),
    ...(labelColumn !== undefined && { labelColumn }),
    ...(idColumn !== undefined && { idColumn }),
    ...(labelSeparator !== undefined && { labelSeparator }),
    ...(vocabulary !== undefined && { vocabulary }),
    ...(language !== undefined && { language }),
    ...(onlyVocabulary !== undefined && { onlyVocabulary }),
    ...(labelXml !== undefined && { labelXml }),
    ...(indexBase !== undefined && { indexBase: indexBase === '0' ? 0 : 1 }),
    ...(part !== undefined && { part }),
    ...(skipBadRows !== undefined && { skipBadRows }),
    ...(maxUnpackedBytes !== undefined && { maxUnpackedBytes }),
  }
}

/** Reports on stderr how many bad rows were skipped, and which labels the vocabulary does not know. */
export function noteReading(dataset: Dataset, io: CommandIo): void {
  const { name, skipped = [] } = dataset
  if (skipped.length > 0) io.stderr.write(`${oneLine(name)}: ${formatCountOf(skipped.length, 'bad row')} skipped\n`)
  noteVocabulary(dataset, io)
}

/** Flags by the names of the engine options, which hints mention. */
export const flagNames: Readonly<Record<string, string>> = Object.freeze({
  format: '--format',
  textColumns: '--text-column',
  labelColumn: '--label-column',
  idColumn: '--id-column',
  labelSeparator: '--label-separator',
  vocabulary: '--vocabulary',
  language: '--language',
  onlyVocabulary: '--only-vocabulary',
  labelXml: '--label-xml',
  indexBase: '--index-base',
  part: '--part',
  skipBadRows: '--skip-bad-rows',
  maxUnpackedBytes: '--max-unpacked-bytes',
  overwrite: '--force',
})
