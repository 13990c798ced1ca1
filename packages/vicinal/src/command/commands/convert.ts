// `vicinal convert`: the same data in another format.

import { EngineError } from '@vicinal/core'
import { readDataset, writableFormatNames, writeDataset } from '@vicinal/core/data'
import { formatsByExtension } from '@vicinal/core/internals'
import { type Command, InvalidArgumentError, Option } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { dropParts, type Part, parts, refuseLoss } from '../files/conversion-loss.ts'
import { fileBytes, refuseTaken } from '../files/output-file.ts'
import { addReadFlags, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import type { GlobalOptions } from '../program.ts'
import { startCost } from '../reports/running-cost.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatBytes, formatCountOf } from '../terminal/quantity.ts'
import { convertStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'

interface Flags extends ReadFlags, GlobalOptions {
  readonly to?: string
  readonly force?: boolean
  readonly drop?: readonly Part[]
}

const examples = `
Examples:
  vicinal convert books.csv books.jsonl.gz          # table to JSON lines
  vicinal convert train.txt train.svm               # xmc to svmlight
  vicinal convert corpus/ corpus.csv                # a folder of texts to a table
  vicinal convert images-idx3-ubyte.gz images.npy --drop labels
  vicinal convert query.npy vectors --to fvecs --force`

export function addConvert(program: Command, io: CommandIo): void {
  const command = program
    .command('convert')
    .description(
      'Convert a data file to another format. Data that the format cannot hold is dropped only if you say so.',
    )
    .summary('convert a data file to another format')
    .helpGroup('Data:')
    .argument('<input>', 'data file in any supported format, gzipped or not')
    .argument('<output>', 'file to write; the extension sets the format, .gz compresses')
    .addOption(outputFormat())
    .addOption(partsToDrop())
    .option('--force', 'overwrite the output file')
    .addHelpText('after', examples)
    .action((input: string, output: string, _flags: unknown, self: Command) => {
      return convert(input, output, self.optsWithGlobals<Flags>(), io)
    })
  addReadFlags(command)
}

async function convert(input: string, output: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const format = flags.to ?? formatByEnding(output)
  await refuseTaken(output, flags.force)
  const dataset = await withProgress(io, convertStages, async onProgress => {
    const work = { signal: io.signal, onProgress }
    const kept = dropParts(await readDataset(input, { ...toReadOptions(flags), ...work }), flags.drop ?? [])
    refuseLoss(kept, format)
    await writeDataset(kept, output, { format, overwrite: flags.force ?? false, ...work })
    return kept
  })
  const written = {
    rows: dataset.rows,
    features: dataset.features?.columns ?? 0,
    labels: dataset.labels?.columns ?? 0,
    skipped: dataset.skipped?.length ?? 0,
    bytes: await fileBytes(output),
  }
  if (flags.json) printJson(io, { input, output, format, ...written, ...cost() })
  else io.stderr.write(`wrote ${oneLine(output)} (${format}): ${formatWritten(written)}\n`)
}

function formatWritten(written: Record<'rows' | 'features' | 'labels' | 'skipped' | 'bytes', number>): string {
  const { rows, features, labels, skipped, bytes } = written
  return [
    formatCountOf(rows, 'row'),
    ...(features > 0 ? [formatCountOf(features, 'feature')] : []),
    ...(labels > 0 ? [formatCountOf(labels, 'label')] : []),
    formatBytes(bytes),
    ...(skipped > 0 ? [`${formatCountOf(skipped, 'bad row')} skipped`] : []),
  ].join(', ')
}

/** Checked before the input is read, so that a wrong name fails at once. */
function formatByEnding(output: string): string {
  const byEnding = formatsByExtension(output)
  const format = byEnding.find(({ write }) => write)
  if (format) return format.name
  const names = writableFormatNames().join(', ')
  const [readOnly] = byEnding
  if (readOnly) {
    // Does not suggest --to: it would write one format into a file with the extension of another.
    throw new EngineError(
      'UNKNOWN_NAME',
      `cannot write ${output}: Vicinal reads ${readOnly.name}, but does not write it`,
      {
        hint: `Choose another extension, such as .jsonl. It writes ${names}.`,
      },
    )
  }
  throw new EngineError('UNKNOWN_NAME', `cannot write ${output}: cannot tell the format from its extension`, {
    hint: `Name the format with --to: ${names}.`,
  })
}

function outputFormat(): Option {
  return new Option('--to <name>', 'format of the output, if the extension does not tell').choices(
    writableFormatNames(),
  )
}

function partsToDrop(): Option {
  const allowed: readonly string[] = parts
  return new Option('--drop <part>', 'leave out this part of the data; repeatable')
    .choices(allowed)
    .argParser((part: string, earlier: readonly string[] = []) => {
      if (allowed.includes(part)) return [...earlier, part]
      throw new InvalidArgumentError(`Allowed choices are ${allowed.join(', ')}.`)
    })
}
