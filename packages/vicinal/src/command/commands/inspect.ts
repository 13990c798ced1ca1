// `vicinal inspect`: what is in this model, index or data file.

import { extname } from 'node:path'
import { inspectModel } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { detectFormat } from '@vicinal/core/internals'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { beginsLikeModel, readHead } from '../files/file-head.ts'
import { isStore } from '../files/with-store.ts'
import { addReadFlags, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import type { GlobalOptions } from '../program.ts'
import { dataJson, formatDataReport } from '../reports/data.ts'
import { describeDataset } from '../reports/data-facts.ts'
import { formatModelReport, modelJson } from '../reports/model.ts'
import { startCost } from '../reports/running-cost.ts'
import { inspectStore } from '../reports/store.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { inspectStages } from '../terminal/stages.ts'
import { addTreeFlags, inspectTree, refuseDataFile, refuseWithoutTree, type TreeFlags } from './inspect-tree.ts'

type Flags = ReadFlags & TreeFlags & GlobalOptions

const examples = `
Examples:
  vicinal inspect train.txt.gz                         # rows, features, labels
  vicinal inspect books.csv --text-column title        # a table with text
  vicinal inspect train.txt.gz --vocabulary names.txt  # the labels by name
  vicinal inspect songs.model --json                   # a model, for a program
  vicinal inspect vectors.index                        # an index
  vicinal inspect notes                                # a memory store
  vicinal inspect books.model --tree 0                 # a tree of a model
  vicinal inspect books.model --tree 0 --svg tree.svg  # the same, drawn`

export function addInspect(program: Command, io: CommandIo): void {
  const command = program
    .command('inspect')
    .description('Show what is in a data file, a model, an index or a memory store: sizes, values, labels, texts.')
    .summary('show what is in a data file, a model or an index')
    .helpGroup('Data:')
    .argument('<file>', 'data file in any supported format, gzipped or not, a model or index file, or a memory store')
    .addHelpText('after', examples)
    .action((file: string, _flags: unknown, self: Command) => inspect(file, self.optsWithGlobals<Flags>(), io))
  addReadFlags(addTreeFlags(command))
}

async function inspect(file: string, flags: Flags, io: CommandIo): Promise<void> {
  if (await isStore(file)) return inspectStore(file, flags, io)
  const head = await readHead(file)
  const isModel = extname(file) === '.safetensors' || (head !== undefined && beginsLikeModel(head))
  if (flags.tree !== undefined) {
    if (head !== undefined && !isModel) refuseDataFile(file)
    return inspectTree(file, flags.tree, flags, io)
  }
  refuseWithoutTree(flags)
  if (isModel && flags.format === undefined) await inspectModelFile(file, flags, io)
  else await inspectDataFile(file, head, flags, io)
}

async function inspectModelFile(file: string, { json }: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const facts = await inspectModel(file)
  if (json) printJson(io, { ...modelJson(file, facts), ...cost() })
  else io.stdout.write(formatModelReport(file, facts))
}

async function inspectDataFile(file: string, head: Uint8Array | undefined, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const dataset = await withProgress(io, inspectStages, onProgress =>
    readDataset(file, { ...toReadOptions(flags), signal: io.signal, onProgress }),
  )
  const inspected = {
    file,
    format: flags.format ?? (head && detectFormat(file, head).name),
    facts: describeDataset(dataset),
    skipped: dataset.skipped ?? [],
  }
  if (flags.json) printJson(io, { ...dataJson(inspected), ...cost() })
  else io.stdout.write(formatDataReport(inspected))
}
