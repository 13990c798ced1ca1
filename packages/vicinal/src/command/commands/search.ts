// `vicinal search`: the nearest items of an index for every vector of a file or of stdin, as lines of JSON.

import {
  type Dataset,
  EngineError,
  type OpenedIndex,
  type Progress,
  type SearchIndex,
  type VectorBatchOptions,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { NetIndex } from '@vicinal/core/margin'
import type { Command } from 'commander'
import type { CommandIo } from '../command-io.ts'
import { isCollectionFile } from '../files/collection-file.ts'
import type { AnswerSink } from '../files/results/answer.ts'
import { addResultFlags, type ResultFlags, scrollsBy, withResults } from '../files/results/result-file.ts'
import { queriesOf, withIndex } from '../files/vectors.ts'
import { parseSettings } from '../flags/method-options.ts'
import { addReadFlags, collect, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import { neighborAnswers, neighborColumns } from '../reports/neighbor-answer.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { searchStages } from '../terminal/stages.ts'
import { addDocumentFlags, type DocumentFlags, searchDocuments } from './collection/search-documents.ts'

interface Flags extends ReadFlags, DocumentFlags, ResultFlags {
  readonly set?: readonly string[]
}

/** Queries between two updates of the progress bar, which also check for Ctrl-C. */
const batchRows = 1024

const examples = `
Prints one JSON line per query, in the order of the file, with or without --json:
  {"id": 0, "neighbors": [{"id": "b7", "distance": 0.41}, …]}
On stdin, each line is a JSON object with a vector and, if all have one, an id:
  {"vector": [0.5, 1, 2]}    or, sparse,    {"vector": {"indices": [3], "values": [1]}}

Options for --set, by kind of index; the defaults are those of the index:
  forest: trees  threshold  probes  walk  rerank
  inverted: algorithm
  sparse-forest: trees  probes  threshold  candidates
  net: tolerance (0.1: at most a tenth farther than the nearest)

Of a collection, it prints one JSON line per document, best first, with the
document in it; of a file of queries, one line per query:
  {"id": "b7", "score": 9.1, "text": "…", "metadata": {…}, "words": ["baltic"]}
With --out hits.csv or hits.parquet, there is a row per document or neighbor.

Examples:
  vicinal search books.collection --text "baltic history" --filter 'year>=1990'
  vicinal search books.collection queries.jsonl --k 3 --out hits.csv
  vicinal search images.index t10k-images-idx3-ubyte.gz --k 5
  vicinal search images.index t10k-images-idx3-ubyte.gz --set walk=100 --set rerank=50
  vicinal search vectors.index fashion.hdf5 --part test > neighbors.jsonl
  echo '{"vector": [0.1, 0.7]}' | vicinal search small.index -
  echo "Müller" | vicinal search names.index - --format lines
  vicinal search names.index new.lines --set tolerance=0.1`

export function addSearch(program: Command, io: CommandIo): void {
  const command = program
    .command('search')
    .description('Find the nearest items of an index, nearest first, as lines of JSON.')
    .summary('find the nearest items of an index')
    .helpGroup('Search:')
    .argument('<index>', 'index or collection file written by index')
    .argument('[queries]', 'data file with vectors, gzipped or not, or - for JSON lines on stdin')
    .option('--k <n>', 'number of neighbors', wholeNumber(1, 10_000), 10)
    .option('--set <name=value>', 'set a search option; repeatable', collect)
    .action(async (path: string, queries: string | undefined, _flags: unknown, self: Command) => {
      const flags = self.optsWithGlobals<Flags>()
      if (await isCollectionFile(path)) return searchDocuments(path, queries, flags, io)
      return withIndex(path, async opened => {
        const data = requireQueries(queries, flags)
        const columns = neighborColumns(textsOf(opened) !== undefined)
        await withResults(flags, columns, io, sink => search(opened, data, flags, sink, io))
      })
    })
  addDocumentFlags(addResultFlags(command))
  addReadFlags(command).addHelpText('after', examples)
}

/** Refuses flags that only collections have. */
function requireQueries(queries: string | undefined, flags: Flags): string {
  const names = {
    text: 'text',
    like: 'like',
    filter: 'filter',
    prefix: 'prefix',
    typos: 'typos',
    minScore: 'min-score',
  }
  const [name] = Object.entries(names).flatMap(([flag, name]) =>
    flags[flag as keyof Flags] === undefined ? [] : [name],
  )
  if (name !== undefined) {
    throw new EngineError('INVALID_OPTION', `--${name} is for collections, and this is an index`, {
      hint: 'Give a file of queries. `vicinal index documents.jsonl --out documents.collection` makes a collection.',
    })
  }
  if (queries !== undefined) return queries
  throw new EngineError('INVALID_OPTION', 'there are no queries', {
    hint: 'Give a data file, or - for JSON lines on stdin.',
  })
}

async function search(opened: OpenedIndex, data: string, flags: Flags, sink: AnswerSink, io: CommandIo): Promise<void> {
  const { kind, index } = opened
  // Checked before the queries are read, so that a wrong option fails at once.
  const options = parseSettings(`a search of the index kind ${kind.name}`, kind.searchDefaults(index), flags.set ?? [])
  const dataset = await withProgress(io, searchStages, async onProgress => {
    const dataset = await readQueries(data, flags, io, onProgress)
    // If answers are printed to the terminal, a progress bar would be in the way.
    const work = { signal: io.signal, onProgress: scrollsBy(flags, io) ? () => {} : onProgress }
    await answer(opened, dataset, { ...options, ...common(flags) }, sink, work)
    return dataset
  })
  noteReading(dataset, io)
}

function readQueries(
  data: string,
  flags: Flags,
  { stdin, signal }: CommandIo,
  onProgress: (progress: Progress) => void,
): Promise<Dataset> {
  const work = { signal, onProgress }
  if (data !== '-') return readDataset(data, { ...toReadOptions(flags), ...work })
  return readDataset(stdin, { format: 'jsonl', ...toReadOptions(flags), ...work })
}

/** The text of a row, if the index is of texts: a row number would not help the reader. */
function textsOf({ index }: OpenedIndex): ((row: number) => string) | undefined {
  return index instanceof NetIndex && index.layout === 'text' ? row => String(index.item(row)) : undefined
}

/** The options of every index. */
function common({ k, threads }: Flags): VectorBatchOptions {
  return { k, ...(threads !== undefined && { threads }) }
}

/** Prints the neighbors of each batch before it looks for those of the next. */
async function answer(
  opened: OpenedIndex,
  dataset: Dataset,
  asked: VectorBatchOptions,
  sink: AnswerSink,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: Progress) => void },
): Promise<void> {
  const queries = queriesOf(dataset, opened)
  const index: SearchIndex = opened.index
  const options = { ...asked, signal }
  for (let from = 0; from < queries.rows; from += batchRows) {
    onProgress({ what: 'searching', done: from, total: queries.rows })
    const to = Math.min(from + batchRows, queries.rows)
    const found = await index.searchBatch(queries.slice(from, to), options)
    const ids = Array.from({ length: to - from }, (_, i) => dataset.ids?.[from + i] ?? from + i)
    await sink.write(neighborAnswers(ids, found, textsOf(opened)))
  }
}
