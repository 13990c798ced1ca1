// `vicinal curve`: the recall of an index against its time per query, for several efforts.

import {
  type Dataset,
  EngineError,
  measureCurve,
  type OpenedIndex,
  type Progress,
  Random,
  selectRows,
} from '@vicinal/core'
import { readDataset } from '@vicinal/core/data'
import { svgPlot } from '@vicinal/core/inspect'
import { type KeptTruth, keptTruth, writeAtomically } from '@vicinal/core/internals'
import { type Command, Option } from 'commander'
import { type CommandIo, printJson } from '../command-io.ts'
import { fileBytes, refuseTaken } from '../files/output-file.ts'
import { queriesOf, withIndex } from '../files/vectors.ts'
import { addReadFlags, noteReading, type ReadFlags, toReadOptions } from '../flags/read-options.ts'
import { wholeNumber } from '../flags/whole-number.ts'
import type { GlobalOptions } from '../program.ts'
import { curveJson, curvePlot, formatCurve, type MeasuredCurve } from '../reports/curve.ts'
import { withProgress } from '../terminal/progress-bar.ts'
import { curveStages } from '../terminal/stages.ts'
import { oneLine } from '../terminal/table.ts'

interface Flags extends ReadFlags, GlobalOptions {
  readonly k: number
  readonly queries?: number
  readonly sample?: number
  readonly svg?: string
  readonly force?: boolean
}

const examples = `
Queries run one by one on one thread; the fastest of three rounds counts. Recall is
the share of the k true neighbors that are found, by distance. The true neighbors
are computed once, with all threads, and saved in a file next to the index.

Examples:
  vicinal curve images.index t10k-images-idx3-ubyte.gz --queries 1000
  vicinal curve vectors.index fashion.hdf5 --part test --sample 500 --seed 7
  vicinal curve vectors.index queries.fvecs --svg curve.svg
  vicinal curve vectors.index queries.fvecs --k 100 --json   # for a program`

export function addCurve(program: Command, io: CommandIo): void {
  const most = 2 ** 32 - 1
  const command = program
    .command('curve')
    .description('Measure the recall of an index against its time per query.')
    .summary('measure recall against time per query')
    .helpGroup('Search:')
    .argument('<index>', 'index file written by index')
    .argument('<queries>', 'data file with vectors that are not in the index')
    .option('--k <n>', 'number of neighbors', wholeNumber(1, 10_000), 10)
    .option('--queries <n>', 'use only the first n queries', wholeNumber(1, most))
    .addOption(
      new Option('--sample <n>', 'use only n random queries').argParser(wholeNumber(1, most)).conflicts('queries'),
    )
    .option('--svg <file>', 'also draw the curve to this file')
    .option('--force', 'overwrite the drawing')
    .action((path: string, data: string, _flags: unknown, self: Command) => {
      return curve(path, data, self.optsWithGlobals<Flags>(), io)
    })
  addReadFlags(command).addHelpText('after', examples)
}

async function curve(path: string, data: string, flags: Flags, io: CommandIo): Promise<void> {
  const { svg, force, json } = flags
  if (svg !== undefined) await refuseTaken(svg, force)
  const { measured, dataset, kept } = await withProgress(io, curveStages, onProgress => {
    return withIndex(path, opened => measure(path, opened, data, flags, io, onProgress))
  })
  noteReading(dataset, io)
  noteTruth(kept, io)
  if (json) printJson(io, curveJson(measured))
  else io.stdout.write(formatCurve(measured))
  if (svg === undefined) return
  await writeAtomically(svg, { overwrite: force ?? false, signal: io.signal }, write =>
    write(svgPlot(curvePlot(measured))),
  )
  io.stderr.write(`wrote ${oneLine(svg)}\n`)
}

async function measure(
  path: string,
  opened: OpenedIndex,
  data: string,
  flags: Flags,
  { signal }: CommandIo,
  onProgress: (progress: Progress) => void,
): Promise<{ measured: MeasuredCurve; dataset: Dataset; kept: KeptTruth }> {
  const { k, threads } = flags
  const work = { signal, onProgress }
  const dataset = chooseRows(await readDataset(data, { ...toReadOptions(flags), ...work }), flags)
  const queries = queriesOf(dataset, opened)
  const { kind, index, buildSeconds } = opened
  const kept = await keptTruth(path, opened, queries, { k, ...(threads !== undefined && { threads }), ...work })
  const points = await measureCurve(index, queries, { k, efforts: kind.efforts(index), truth: kept.truth, ...work })
  const facts = { path, kind: kind.name, metric: index.metric, rows: index.rows, queriesName: dataset.name }
  const measured = { ...facts, k, queries: queries.rows, buildSeconds, indexBytes: await fileBytes(path), points }
  return { measured, dataset, kept }
}

/** The queries that the flags ask for. */
function chooseRows(dataset: Dataset, { queries, sample, seed = 1 }: Flags): Dataset {
  const count = queries ?? sample
  if (count === undefined) return dataset
  if (count > dataset.rows) {
    const flag = queries === undefined ? '--sample' : '--queries'
    throw new EngineError('INVALID_OPTION', `${flag} is ${count}, but ${dataset.name} has ${dataset.rows} rows`)
  }
  const picked =
    queries === undefined ? new Random(seed).sample(dataset.rows, count) : Array.from({ length: count }, (_, i) => i)
  return selectRows(dataset, picked)
}

function noteTruth({ file, state }: KeptTruth, { stderr }: CommandIo): void {
  const said = {
    read: `true neighbors from ${oneLine(file)}`,
    written: `true neighbors kept in ${oneLine(file)}`,
    'not written': `true neighbors not kept: ${oneLine(file)} cannot be written`,
  }
  stderr.write(`${said[state]}\n`)
}
