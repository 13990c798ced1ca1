// `vicinal tune`: finds the options of a method that suit the data and, on request, trains with them.

import { type Dataset, findMethod, type MetricName, metricNames, type TuningResult } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { type Command, Option } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { fileBytes, refuseTaken } from '../files/output-file.ts'
import { withModel } from '../files/with-model.ts'
import { addMethodFlags, type MethodFlags, toMethodOptions } from '../flags/method-flags.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { noteColumns, usedColumns } from '../reports/columns-used.ts'
import { startCost } from '../reports/running-cost.ts'
import { formatTuning, tuningJson } from '../reports/tuning.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatBytes } from '../terminal/quantity.ts'
import { tuneStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'

interface Flags extends ReadFlags, MethodFlags {
  readonly metric: MetricName
  readonly out?: string
  readonly force?: boolean
  readonly table?: boolean
}

interface Tuned {
  readonly dataset: Dataset
  readonly result: TuningResult
  /** The model file, if one was requested. */
  readonly modelBytes?: number
}

const examples = `
Options given with --set are fixed; others are tried on held-out rows.

Examples:
  vicinal tune books.jsonl --metric p@1
  vicinal tune books.jsonl --metric microF1 --out books.model --table
  vicinal tune train.txt --metric ndcg@5 --set weighting=chi2 --json`

export function addTune(program: Command, io: CommandIo): void {
  const command = program
    .command('tune')
    .description('Find the options that score best on your data by one measure, and train with them.')
    .summary('find the options that suit your data')
    .helpGroup('Label:')
    .argument('<data>', 'labeled data file in any supported format, gzipped or not')
    .addOption(new Option('--metric <name>', 'measure to optimize').choices(metricNames).default('p@1'))
    .option('--out <model>', 'train on all rows with the options found, and write the model here')
    .option('--force', 'overwrite the model file')
    .option('--table', 'print every set of options that was tried')
    .action((data: string, _flags: unknown, self: Command) => tune(data, self.optsWithGlobals<Flags>(), io))
  addMethodFlags(command)
  addReadFlags(command).addHelpText('after', examples)
}

async function tune(data: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const { method, metric, out, force, json, table = false } = flags
  if (out !== undefined) await refuseTaken(out, force)
  const { dataset, result, modelBytes } = await search(data, flags, io)
  noteReading(dataset, io)
  const columns = usedColumns(dataset, dataset.texts ? 'texts' : 'vectors', { labels: true })
  const written = modelBytes === undefined ? {} : { modelBytes }
  if (json) return printJson(io, { ...tuningJson(method, metric, result), columns, ...cost(), ...written })
  noteColumns(dataset, columns, io)
  io.stdout.write(formatTuning(metric, result, table))
  if (out !== undefined && modelBytes !== undefined) {
    io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(modelBytes)}\n`)
  }
}

async function search(data: string, flags: Flags, io: CommandIo): Promise<Tuned> {
  const { metric, out, force } = flags
  const method = findMethod(flags.method)
  const options = toMethodOptions(flags)
  return withProgress(io, tuneStages(flags.method, out !== undefined), async onProgress => {
    const work = { signal: io.signal, onProgress }
    const dataset = await readDataset(data, { ...toReadOptions(flags), ...work })
    const result = await method.tune(dataset, { ...options, metric, ...work })
    if (out === undefined) return { dataset, result }
    await withModel(method.fit(dataset, { ...options, ...result.options, ...work }), model => {
      return model.save(out, { overwrite: force ?? false, signal: io.signal })
    })
    return { dataset, result, modelBytes: await fileBytes(out) }
  })
}
