// `vicinal evaluate`: how good a model's labels are on data whose labels are known, and what they cost.

import { availableParallelism } from 'node:os'
import { evaluateClassifier, labelReport, loadClassifier } from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { fileBytes } from '../files/output-file.ts'
import { withModel } from '../files/with-model.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { nameLabels } from '../flags/vocabulary-flags.ts'
import type { GlobalOptions } from '../program.ts'
import { noteColumns, usedColumns } from '../reports/columns-used.ts'
import { type Evaluated, evaluationJson, formatEvaluation } from '../reports/evaluation.ts'
import { startCost } from '../reports/running-cost.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatCount } from '../terminal/quantity.ts'
import { evaluateStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'

interface Flags extends ReadFlags, GlobalOptions {
  readonly perLabel?: boolean
}

const examples = `
Labels of the data and of the model are matched by their ids. Labels that the
model does not know count as missed. All measures are fractions from 0 to 1.

Examples:
  vicinal evaluate books.model test.jsonl
  vicinal evaluate titles.model titles-test.tsv.gz --vocabulary subjects.tsv
  vicinal evaluate books.model test.jsonl --per-label        # the best and the worst
  vicinal evaluate titles.model test.tsv --per-label --language fi  # names in Finnish
  vicinal evaluate books.model test.jsonl --json             # for a program`

export function addEvaluate(program: Command, io: CommandIo): void {
  const command = program
    .command('evaluate')
    .description('Measure how good the labels of a model are on labeled data, and how long they take.')
    .summary('measure how good the labels of a model are')
    .helpGroup('Label:')
    .argument('<model>', 'model file written by train')
    .argument('<data>', 'labeled data that the model was not trained on')
    .option('--per-label', 'also report each label; as text, the best and the worst')
    .action((model: string, data: string, _flags: unknown, self: Command) => {
      return evaluateModel(model, data, self.optsWithGlobals<Flags>(), io)
    })
  addReadFlags(command).addHelpText('after', examples)
}

async function evaluateModel(path: string, data: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const threads = flags.threads ?? availableParallelism()
  const evaluated = await withProgress(io, evaluateStages, async (onProgress): Promise<Evaluated> => {
    const work = { signal: io.signal, onProgress }
    return withModel(loadClassifier(path), async model => {
      const ofModel = flags.language !== undefined && flags.vocabulary === undefined
      if (ofModel) await nameLabels(model, flags, io)
      const dataset = await readDataset(data, { ...toReadOptions(ofModel ? withoutLanguage(flags) : flags), ...work })
      const result = await evaluateClassifier(model, dataset, { threads, ...work })
      const spent = { threads, modelBytes: await fileBytes(path), peakRssBytes: cost().peakRssBytes }
      const columns = usedColumns(dataset, model.takesTexts ? 'texts' : 'vectors', { labels: true })
      const vocabulary = ofModel ? model.vocabulary : (dataset.vocabulary ?? model.vocabulary)
      const facts = { path, columns, method: model.method, labels: model.labelNames.length, vocabulary }
      return { ...facts, dataset, result, cost: spent }
    })
  })
  noteReading(evaluated.dataset, io)
  noteUnknown(evaluated, io)
  notePsp(evaluated, io)
  const { truth, predicted } = evaluated.result
  const perLabel = flags.perLabel ? labelReport(truth.labels, predicted) : undefined
  if (flags.json) return printJson(io, evaluationJson(evaluated, perLabel))
  noteColumns(evaluated.dataset, evaluated.columns, io)
  io.stdout.write(formatEvaluation(evaluated, perLabel))
}

/** Without a vocabulary, the language is that of the names in the model. */
function withoutLanguage({ language: _, ...flags }: Flags): Flags {
  return flags
}

function notePsp({ path, result }: Evaluated, { stderr }: CommandIo): void {
  if (result.pspMissing !== undefined) stderr.write(`${oneLine(path)}: psp is not measured: ${result.pspMissing}\n`)
}

function noteUnknown({ dataset, result }: Evaluated, { stderr }: CommandIo): void {
  const { unknown } = result.truth
  if (unknown === 0) return
  const [labels, them] = unknown === 1 ? ['1 label is', 'it'] : [`${formatCount(unknown)} labels are`, 'them']
  stderr.write(`${oneLine(dataset.name)}: ${labels} counted as missed: the model does not know ${them}\n`)
}
