// `vicinal index`: makes an index of vectors, and writes it to a file.

import {
  type Dataset,
  ForestIndex,
  type ForestTuning,
  findIndexKind,
  type IndexKind,
  type JsonObject,
  type Progress,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { defaultIndexKind, layoutOf, saveIndex } from '@vicinal/core/internals'
import type { Command } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { fileBytes, refuseTaken } from '../files/output-file.ts'
import { vectorsOf } from '../files/vectors.ts'
import { addIndexFlags, type IndexFlags, toIndexOptions } from '../flags/index-flags.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { addRequiredFlag } from '../flags/required-flag.ts'
import { noteColumns, usedColumns } from '../reports/columns-used.ts'
import { startCost } from '../reports/running-cost.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { formatBytes, formatCountOf, formatNumber } from '../terminal/quantity.ts'
import { indexStages, makingStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'
import type { Stage } from '../terminal/whole-estimate.ts'
import { indexDocuments, makesCollection } from './collection/index-documents.ts'

interface Flags extends ReadFlags, IndexFlags {
  readonly out: string
  readonly force?: boolean
}

interface Made {
  readonly dataset: Dataset
  readonly kind: string
  readonly options: JsonObject
  readonly dims: number
  /** How the effort of searches was chosen; undefined if there is nothing to choose. */
  readonly tuning: ForestTuning | undefined
}

const examples = `
If the data has ids, searches return them; otherwise they return row numbers.

If the file to write is named *.collection, the lines of a JSON lines file become
documents, to be searched by words and vectors: see add.

Examples:
  vicinal index books.jsonl --out books.collection
  vicinal index vectors.npy --out vectors.index
  vicinal index train-images-idx3-ubyte.gz --out images.index --kind exact
  vicinal index embeddings.jsonl --out notes.index --metric cosine
  vicinal index train.svm --out documents.index --kind inverted --set metric=dot
  vicinal index train.svm --out documents.index --kind forest   # of sparse vectors
  vicinal index names.lines --out names.index --kind net --metric levenshtein`

export function addIndex(program: Command, io: CommandIo): void {
  const named = program
    .command('index')
    .description('Build an index of vectors or texts for fast nearest-neighbor search, and write it to a file.')
    .summary('build an index of vectors or texts')
    .helpGroup('Search:')
    .argument('<vectors>', 'data file with vectors, in any supported format, gzipped or not')
  const command = addRequiredFlag(named, '--out <index>', 'index file to write')
    .option('--force', 'overwrite the index file')
    .action((data: string, _flags: unknown, self: Command) => index(data, self.optsWithGlobals<Flags>(), io))
  addIndexFlags(command)
  addReadFlags(command).addHelpText('after', examples)
}

async function index(data: string, flags: Flags, io: CommandIo): Promise<void> {
  const cost = startCost()
  const { out, force, json } = flags
  if (makesCollection(flags)) return indexDocuments(data, flags, io)
  await refuseTaken(out, force)
  const { dataset, kind, options, dims, tuning } = await withProgress(io, indexStages, (onProgress, replan) =>
    make(data, flags, io, onProgress, replan),
  )
  const { seconds, peakRssBytes } = cost()
  const { rows } = dataset
  const indexBytes = await fileBytes(out)
  noteReading(dataset, io)
  const columns = usedColumns(dataset, dims === 0 ? 'texts' : 'vectors', { labels: false })
  if (json)
    return printJson(io, {
      kind,
      columns,
      options,
      rows,
      dims,
      seconds,
      indexBytes,
      peakRssBytes,
      ...(tuning && { tuning }),
    })
  noteColumns(dataset, columns, io)
  const vectors = `${formatCountOf(rows, 'vector')} of ${formatCountOf(dims, 'dimension')}`
  const facts = dims === 0 ? formatCountOf(rows, 'text') : vectors
  io.stderr.write(`indexed ${facts} (${kind}, ${options.metric}) in ${formatNumber(seconds)} s\n`)
  if (tuning) io.stderr.write(`${tuningReport(tuning)}\n`)
  io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(indexBytes)}\n`)
}

/** What a search will do, and its recall. */
function tuningReport({ target, k, chosen, reached, stages }: ForestTuning): string {
  const { effort, recall, candidates } = chosen
  if (effort.exact) return `a search compares all rows: ${whyExact(stages)}`
  const probes = effort.probes > 0 ? ` and ${effort.probes} more of their leaves` : ''
  const found = Math.round(candidates) // rerank may be more than there are
  const walks = effort.walk > 0 ? `, walks along links past ${formatNumber(found)} rows` : ''
  const candidateRows = effort.walk > 0 ? 'them' : `${formatNumber(found)} candidates`
  const compared = `compares ${formatNumber(Math.min(effort.rerank, found))} of ${candidateRows}`
  const finds = `finds ${recall.toFixed(3)} of the ${k} nearest neighbors of held-out rows`
  const line = `a search visits ${formatCountOf(effort.trees, 'tree')}${probes}${walks}, ${compared}, and ${finds}`
  return reached ? line : `${line}: below the target ${target}. ${howToReach(stages)}`
}

function whyExact(stages: ForestTuning['stages']): string {
  return stages.length === 1 ? 'nothing is faster for so few rows' : 'the forest was no faster at the target recall'
}

/** Comparing all rows is tried too, unless the time limit comes first or the kept codes are too coarse. */
function howToReach(stages: ForestTuning['stages']): string {
  return stages.some(({ what }) => what === 'more effort')
    ? 'Allow more tuning time (--set maxTuningSeconds=n)'
    : 'Allow more tuning time (--set maxTuningSeconds=n), or keep more of the rows (--set keep=rows)'
}

/** Refuses options that this kind does not take for any layout of the data. */
function refuseOptions(name: string, flags: Flags): void {
  try {
    toIndexOptions(findIndexKind(name), flags)
  } catch (error) {
    const other = findIndexKind(name, 'sparse')
    if (other.name === name) throw error
    toIndexOptions(other, flags)
  }
}

async function make(
  data: string,
  flags: Flags,
  { signal }: CommandIo,
  onProgress: (progress: Progress) => void,
  replan: (stages: readonly Stage[]) => void,
): Promise<Made> {
  const settle = (kind: IndexKind) => ({ kind, fitOptions: toIndexOptions(kind, flags) })
  // If the kind is given, wrong options are reported before the file is read.
  if (flags.kind !== undefined) refuseOptions(flags.kind, flags)
  const dataset = await readDataset(data, { ...toReadOptions(flags), signal, onProgress })
  const taken = flags.kind === undefined ? [] : findIndexKind(flags.kind).layouts
  const vectors = vectorsOf(dataset, taken)
  const layout = layoutOf(vectors)
  const { kind, fitOptions } = settle(
    flags.kind === undefined ? defaultIndexKind(layout) : findIndexKind(flags.kind, layout),
  )
  replan(makingStages(kind.name))
  const start = performance.now()
  const index = await kind.fit(vectors, {
    ...fitOptions,
    ...(dataset.ids && { ids: dataset.ids }),
    ...{ signal, onProgress },
  })
  try {
    const buildSeconds = Math.round(performance.now() - start) / 1000
    const options = await saveIndex(flags.out, { index, buildSeconds }, { overwrite: flags.force ?? false, signal })
    const tuning = index instanceof ForestIndex ? index.tuning : undefined
    return { dataset, kind: kind.name, options, dims: vectors.columns, tuning }
  } finally {
    index.free()
  }
}
