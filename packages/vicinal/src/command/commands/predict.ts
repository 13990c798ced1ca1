// `vicinal predict`: labels for every row of a file, or for every line that comes on stdin, as it comes.

import {
  type Classifier,
  type Dataset,
  EngineError,
  type Item,
  type ItemList,
  loadClassifier,
  type PredictOptions,
  type Progress,
  type Suggestion,
} from '@vicinal/core'
import { readDataset, readTextBatches } from '@vicinal/core/data'
import { itemsOf } from '@vicinal/core/internals'
import type { Command } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { withModel } from '../files/with-model.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { nameLabels } from '../flags/vocabulary-flags.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { predictionLine } from '../reports/prediction-lines.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { predictStages } from '../terminal/stages.ts'
import { Turns } from '../terminal/turns.ts'

interface Flags extends ReadFlags, GlobalOptions {
  readonly top: number
  readonly explain?: boolean
  readonly thresholded?: boolean
}

interface Batch {
  readonly ids: readonly (string | number)[]
  readonly items: ItemList
}

/** Rows between two looks at the bar and at Ctrl-C; reasons take longer than labels. */
const batchRows = { plain: 4096, explained: 256 } as const

const examples = `
Prints one JSON line per row, in the order of the data, with or without --json:
  {"id": "b7", "labels": [{"label": "shipping", "score": 0.41}, …]}
On stdin, each line is a text or, if the first line begins with {, a JSON object
with a text and optionally an id. With --format, all of stdin is in that format.

Examples:
  vicinal predict books.model new.jsonl > labels.jsonl
  vicinal predict books.model new.csv --top 3 --explain
  echo "A history of the Baltic Sea" | vicinal predict books.model -`

export function addPredict(program: Command, io: CommandIo): void {
  const command = program
    .command('predict')
    .description('Suggest labels for rows of data, best first, as lines of JSON.')
    .summary('suggest labels for rows of data')
    .helpGroup('Label:')
    .argument('<model>', 'model file written by train')
    .argument('<data>', 'data file in any supported format, gzipped or not, or - for stdin')
    .option('--top <n>', 'most labels per row', wholeNumber(1, 1000), 5)
    .option('--thresholded', 'only labels above the threshold of the model')
    .option('--explain', 'add the neighbors and features behind each label')
    .action((model: string, data: string, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      return withModel(loadClassifier(model), async loaded => {
        await nameLabels(loaded, flags, io)
        await predict(loaded, data, flags, io)
      })
    })
  addReadFlags(command).addHelpText('after', examples)
}

async function predict(model: Classifier, data: string, flags: Flags, io: CommandIo): Promise<void> {
  if (isStream(data, flags)) return label(model, stdinBatches(model, flags, io), flags, io)
  const source = data === '-' ? io.stdin : data
  const dataset = await withProgress(io, predictStages, async onProgress => {
    const dataset = await readDataset(source, {
      ...toReadOptions(withoutVocabulary(flags)),
      signal: io.signal,
      onProgress,
    })
    const batches = datasetBatches(
      dataset,
      itemsOf(dataset, model),
      flags.explain ? batchRows.explained : batchRows.plain,
    )
    // Where the answers scroll by on the terminal, a bar would stand in their way.
    await label(model, watch(batches, dataset.rows, io.stdout.isTTY ? () => {} : onProgress), flags, io)
    return dataset
  })
  noteReading(dataset, io)
}

/** Prints the labels of each batch before it asks for the next. */
async function label(
  model: Classifier,
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { top, thresholded = false, explain, threads }: Flags,
  { stdout, signal }: CommandIo,
): Promise<void> {
  const options = { top, thresholded, ...(threads !== undefined && { threads }), signal }
  const turns = new Turns(signal)
  for await (const { ids, items } of batches) {
    const answers = explain ? explained(model, items, { top, thresholded }) : await model.predictBatch(items, options)
    const lines: string[] = []
    for (const suggestions of answers) {
      lines.push(predictionLine(ids[lines.length]!, suggestions))
      await turns.rest()
    }
    stdout.write(lines.join(''))
  }
}

/** One item after the other, on this thread: reasons take longer than labels. */
function* explained(model: Classifier, items: ItemList, options: PredictOptions): Generator<Suggestion[]> {
  const count = 'columns' in items ? items.rows : items.length
  for (let row = 0; row < count; row++) yield model.predict(itemAt(items, row), { ...options, explain: true })
}

/** The vocabulary is for the labels of the model: the data may have none. */
function withoutVocabulary({ vocabulary: _, language: __, ...flags }: Flags): ReadFlags {
  return flags
}

function isStream(data: string, { format, skipBadRows }: Flags): boolean {
  if (data !== '-' || format !== undefined) return false
  if (!skipBadRows) return true
  throw new EngineError('INVALID_OPTION', '--skip-bad-rows needs --format when the data comes from stdin')
}

async function* stdinBatches(model: Classifier, flags: Flags, { stdin, signal }: CommandIo): AsyncGenerator<Batch> {
  if (!model.takesTexts) {
    throw new EngineError('BAD_DATA', 'stdin has lines of text, but the model was fitted on vectors', {
      hint: 'Name the format of the vectors on stdin with --format, or give a file.',
    })
  }
  const { textColumns, idColumn } = toReadOptions(flags)
  const columns = { ...(textColumns && { textColumns }), ...(idColumn !== undefined && { idColumn }) }
  const batches = readTextBatches(stdin, { ...columns, name: '(stdin)', signal })
  for await (const { ids, texts } of batches) yield { ids, items: texts }
}

function* datasetBatches({ rows, ids }: Dataset, items: ItemList, size: number): Generator<Batch> {
  for (let from = 0; from < rows; from += size) {
    const to = Math.min(from + size, rows)
    yield {
      ids: Array.from({ length: to - from }, (_, i) => ids?.[from + i] ?? from + i),
      items: items.slice(from, to),
    }
  }
}

/** The same batches, telling how many rows were asked for. */
function* watch(batches: Iterable<Batch>, total: number, onProgress: (progress: Progress) => void): Generator<Batch> {
  let done = 0
  for (const batch of batches) {
    onProgress({ what: 'predicting', done, total })
    yield batch
    done += batch.ids.length
  }
}

function itemAt(items: ItemList, row: number): Item {
  return 'columns' in items ? items.row(row) : items[row]!
}
