// `vicinal train`: fits a classifier on labeled data and writes it to a file.

import { findMethod } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { MarginClassifier } from '@vicinal/core/margin'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { fileBytes, refuseTaken } from '../files/output-file.ts'
import { withModel } from '../files/with-model.ts'
import { addMethodFlags, type MethodFlags, toMethodOptions } from '../flags/method-flags.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { addRequiredFlag } from '../flags/required-flag.ts'
import { noteColumns, usedColumns } from '../reports/columns-used.ts'
import { marginLine } from '../reports/margin-line.ts'
import { startCost } from '../reports/running-cost.ts'
import { vocabularyJson } from '../reports/vocabulary-notes.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatBytes, formatCountOf, formatNumber } from '../terminal/quantity.ts'
import { trainStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'

interface Flags extends ReadFlags, MethodFlags {
  readonly out: string
  readonly force?: boolean
}

const examples = `
Examples:
  vicinal train books.jsonl --out books.model
  vicinal train titles.tsv.gz --vocabulary subjects.tsv --out titles.model
  vicinal train train.txt --out fast.model --set weighting=chi2 --set neighbors=50
  vicinal train books.jsonl --out books.model --method gpt
  vicinal train books.jsonl --out books.model --method forest --grower pca --set trees=20
  vicinal train names.tsv --out names.model --method margin
  vicinal train books.csv --out books.model --set text.stemmer=english --force`

export function addTrain(program: Command, io: CommandIo): void {
  const named = program
    .command('train')
    .description('Train a classifier on labeled data, and write it to a model file.')
    .summary('train a classifier on labeled data')
    .helpGroup('Label:')
    .argument('<data>', 'labeled data file in any supported format, gzipped or not')
  const command = addRequiredFlag(named, '--out <model>', 'model file to write')
    .option('--force', 'overwrite the model file')
    .action((data: string, _flags: unknown, self: Command) => train(data, self.optsWithGlobals<Flags>(), io))
  addMethodFlags(command)
  addReadFlags(command).addHelpText('after', examples)
}

async function train(data: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const { method, out, force } = flags
  const options = toMethodOptions(flags)
  await refuseTaken(out, force)
  const learned = await withProgress(io, trainStages(method), async onProgress => {
    const work = { signal: io.signal, onProgress }
    const dataset = await readDataset(data, { ...toReadOptions(flags), ...work })
    return withModel(findMethod(method).fit(dataset, { ...options, ...work }), async model => {
      await model.save(out, { overwrite: force ?? false, signal: io.signal })
      const report = model instanceof MarginClassifier ? model.report : undefined
      return { dataset, rows: model.rows, labels: model.labelNames.length, options: model.options, report }
    })
  })
  const { seconds, peakRssBytes } = cost()
  const modelBytes = await fileBytes(out)
  noteReading(learned.dataset, io)
  const columns = usedColumns(learned.dataset, learned.dataset.texts ? 'texts' : 'vectors', { labels: true })
  const { report } = learned
  const result = {
    method,
    columns,
    options: learned.options,
    seconds,
    modelBytes,
    peakRssBytes,
    ...vocabularyJson(learned.dataset),
    ...(report && { report }),
  }
  if (flags.json) return printJson(io, result)
  noteColumns(learned.dataset, columns, io)
  const facts = `${formatCountOf(learned.rows, 'row')} with ${formatCountOf(learned.labels, 'label')}`
  io.stderr.write(`trained ${method} on ${facts} in ${formatNumber(seconds)} s\n`)
  if (report) io.stderr.write(`${marginLine(report)}\n`)
  io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(modelBytes)}\n`)
}
