// The flags of every command that reads a data file, and the engine's options they stand for.

import type { Dataset } from '@vicinal/core'
import { formatNames, type ReadOptions } from '@vicinal/core/data'
import { type Command, Option } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { formatCountOf } from '../terminal/quantity.ts'
import { oneLine } from '../terminal/table.ts'
import { wholeNumber } from './whole-number.ts'

/** What commander makes of the flags. */
export interface ReadFlags {
  readonly format?: string
  readonly textColumn?: readonly string[]
  readonly labelColumn?: string
  readonly idColumn?: string
  readonly labelSeparator?: string
  readonly labelNames?: string
  readonly indexBase?: '0' | '1'
  readonly part?: string
  readonly skipBadRows?: boolean
  readonly maxUnpackedBytes?: number
}

export function addReadFlags(command: Command): Command {
  const flags = [
    new Option('--format <name>', 'format of the data, if extension and contents do not tell').choices(formatNames()),
    new Option('--text-column <name>', 'column or field with the text; repeatable (default: text, title, …)').argParser(
      collect,
    ),
    new Option('--label-column <name>', 'column or field with the labels (default: labels, tags, …)'),
    new Option('--id-column <name>', 'column or field with the id of a row (default: id, …)'),
    new Option('--label-separator <text>', 'separator of the labels in a cell (default: white space, ; or |)'),
    new Option('--label-names <file>', 'file of label names: one per line, or key, tab, name'),
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

/** The engine's options; what was not given stays absent. */
export function toReadOptions(flags: ReadFlags): ReadOptions {
  const { format, textColumn, labelColumn, idColumn, labelSeparator, labelNames, indexBase, part, skipBadRows } = flags
  const { maxUnpackedBytes } = flags
  return {
    ...(format !== undefined && { format }),
    ...(textColumn !== undefined && { textColumns: textColumn }),
    ...(labelColumn !== undefined && { labelColumn }),
    ...(idColumn !== undefined && { idColumn }),
    ...(labelSeparator !== undefined && { labelSeparator }),
    ...(labelNames !== undefined && { labelNames }),
    ...(indexBase !== undefined && { indexBase: indexBase === '0' ? 0 : 1 }),
    ...(part !== undefined && { part }),
    ...(skipBadRows !== undefined && { skipBadRows }),
    ...(maxUnpackedBytes !== undefined && { maxUnpackedBytes }),
  }
}

/** Says on stderr how many bad rows were left out, where any were. */
export function noteSkipped({ name, skipped = [] }: Dataset, { stderr }: CommandIo): void {
  if (skipped.length > 0) stderr.write(`${oneLine(name)}: ${formatCountOf(skipped.length, 'bad row')} skipped\n`)
}

/** The flags by the names that the engine's hints call their options. */
export const flagNames: Readonly<Record<string, string>> = Object.freeze({
  format: '--format',
  textColumns: '--text-column',
  labelColumn: '--label-column',
  idColumn: '--id-column',
  labelSeparator: '--label-separator',
  labelNames: '--label-names',
  indexBase: '--index-base',
  part: '--part',
  skipBadRows: '--skip-bad-rows',
  maxUnpackedBytes: '--max-unpacked-bytes',
  overwrite: '--force',
})
