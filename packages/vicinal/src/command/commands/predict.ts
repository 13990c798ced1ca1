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
import type { Answer, AnswerSink, Column } from '../files/results/answer.ts'
import { addResultFlags, type ResultFlags, scrollsBy, withResults } from '../files/results/result-file.ts'
import { withModel } from '../files/with-model.ts'
import { lowestScore } from '../flags/lowest-score.ts'
import { addReadFlags, collect, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { nameLabels } from '../flags/vocabulary-flags.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { predictionAnswer, predictionColumns } from '../reports/prediction-answer.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { predictStages } from '../terminal/stages.ts'
import { Turns } from '../terminal/turns.ts'

interface Flags extends ReadFlags, ResultFlags, GlobalOptions {
  readonly top: number
  readonly text?: readonly string[]
  readonly minScore?: number
  readonly explain?: boolean
  readonly thresholded?: boolean
}

interface Batch {
  readonly ids: readonly (string | number)[]
  readonly items: ItemList
}

/** Rows between two updates of the progress bar, which also check for Ctrl-C; reasons take longer than labels. */
const batchRows = { plain: 4096, explained: 256 } as const

const examples = `
Prints one JSON line per row, in the order of the data, with or without --json:
  {"id": "b7", "labels": [{"label": "shipping", "score": 0.41}, …]}
Labels of a vocabulary also have a "name". With --out labels.csv, there is a row
per label: id, rank, label, name, score.
On stdin, each line is a text or, if the first line begins with {, a JSON object
with a text and optionally an id. With --format, all of stdin is in that format.

Examples:
  vicinal predict books.model new.jsonl > labels.jsonl
  vicinal predict books.model new.csv --top 3 --explain
  vicinal predict books.model --text "A history of the Baltic Sea" --min-score 0.1
  vicinal predict books.model new.jsonl --out labels.csv     # or .parquet
  vicinal predict titles.model new.tsv --language fi         # names in Finnish
  echo "A history of the Baltic Sea" | vicinal predict books.model -`

export function addPredict(program: Command, io: CommandIo): void {
  const command = program
    .command('predict')
    .description('Suggest labels for rows of data, best first, as lines of JSON.')
    .summary('suggest labels for rows of data')
    .helpGroup('Label:')
    .argument('<model>', 'model file written by train')
    .argument('[data]', 'data file in any supported format, gzipped or not, or - for stdin')
    .option('--text <text>', 'label this text instead of a file; repeatable', collect)
    .option('--top <n>', 'most labels per row', wholeNumber(1, 1000), 5)
    .option('--min-score <x>', 'only labels with at least this score', lowestScore)
    .option('--thresholded', 'only labels above the threshold of the model')
    .option('--explain', 'add the neighbors and features behind each label')
    .action((model: string, data: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      checkSource(data, flags)
      return withModel(loadClassifier(model), async loaded => {
        await nameLabels(loaded, flags, io)
        const columns = predictionColumns(loaded, flags.explain ?? false)
        await withResults(flags, columns, io, sink => predict(loaded, data, flags, { columns, sink }, io))
      })
    })
  addReadFlags(addResultFlags(command)).addHelpText('after', examples)
}

/** Either a file, or texts. */
function checkSource(data: string | undefined, { text }: Flags): void {
  if ((data === undefined) !== (text === undefined)) return
  const given = data === undefined ? 'there is nothing to label' : 'you gave a file and --text'
  throw new EngineError('INVALID_OPTION', `${given}, expected one of them`, {
    hint: 'Give a data file, - for stdin, or --text "A history of the Baltic Sea".',
  })
}

/** Where the answers go. */
interface Target {
  readonly columns: readonly Column[]
  readonly sink: AnswerSink
}

async function predict(
  model: Classifier,
  data: string | undefined,
  flags: Flags,
  target: Target,
  io: CommandIo,
): Promise<void> {
  if (data === undefined) return label(model, textBatches(model, flags), flags, target, io)
  if (isStream(data, flags)) return label(model, stdinBatches(model, flags, io), flags, target, io)
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
    // If answers are printed to the terminal, a progress bar would be in the way.
    await label(model, watch(batches, dataset.rows, scrollsBy(flags, io) ? () => {} : onProgress), flags, target, io)
    return dataset
  })
  noteReading(dataset, io)
}

/** Prints the labels of each batch before it reads the next. */
async function label(
  model: Classifier,
  batches: Iterable<Batch> | AsyncIterable<Batch>,
  { top, minScore = Number.NEGATIVE_INFINITY, thresholded = false, explain, threads }: Flags,
  { columns, sink }: Target,
  { signal }: CommandIo,
): Promise<void> {
  const options = { top, thresholded, ...(threads !== undefined && { threads }), signal }
  const turns = new Turns(signal)
  for await (const { ids, items } of batches) {
    const answers = explain ? explained(model, items, { top, thresholded }) : await model.predictBatch(items, options)
    const shown: Answer[] = []
    for (const suggestions of answers) {
      const good = suggestions.filter(({ score }) => score >= minScore)
      shown.push(predictionAnswer(ids[shown.length]!, good, columns))
      await turns.rest()
    }
    await sink.write(shown)
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

/** Texts on the command line: their positions are their ids. */
function textBatches({ takesTexts }: Classifier, { text = [] }: Flags): Batch[] {
  if (takesTexts) return [{ ids: [...text.keys()], items: text }]
  throw new EngineError('BAD_DATA', '--text is for models of texts, and this one was fitted on vectors', {
    hint: 'Give a file of vectors.',
  })
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

/** The same batches, counting the rows. */
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
