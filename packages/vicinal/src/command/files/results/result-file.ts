// The file that predict and search write with --out: JSON lines, CSV or Parquet, by its extension. Without --out, answers go to
// stdout as JSON lines. Answers are written as they come; the file appears under its name when all of them are in it.

import { EngineError } from '@vicinal/core'
import { writeAtomically } from '@vicinal/core/internals'
import type { Command } from 'commander'
import type { CommandIo } from '../../command-io.ts'
import { formatBytes } from '../../terminal/quantity.ts'
import { oneLine } from '../../terminal/table.ts'
import { fileBytes, refuseTaken } from '../output-file.ts'
import type { AnswerSink, Append, Column } from './answer.ts'
import { csvSink } from './csv-sink.ts'
import { parquetSink } from './parquet-sink.ts'

export interface ResultFlags {
  readonly out?: string
  readonly force?: boolean
}

type MakeSink = (columns: readonly Column[], append: Append) => Promise<AnswerSink> | AnswerSink

const sinks: Readonly<Record<string, MakeSink>> = {
  jsonl: jsonSink,
  ndjson: jsonSink,
  csv: csvSink,
  parquet: parquetSink,
}

export function addResultFlags(command: Command): Command {
  return command
    .option('--out <file>', 'write the answers to this .jsonl, .csv or .parquet file')
    .option('--force', 'overwrite that file')
}

/** Whether answers go to the terminal, where a progress bar would be in the way. */
export function scrollsBy({ out }: ResultFlags, { stdout }: CommandIo): boolean {
  return out === undefined && stdout.isTTY === true
}

/** Calls `use` with a sink for answers. Refuses a wrong file before any work is done. */
export async function withResults(
  { out, force = false }: ResultFlags,
  columns: readonly Column[],
  io: CommandIo,
  use: (sink: AnswerSink) => Promise<void>,
): Promise<void> {
  if (out === undefined) return use(jsonSink(columns, async chunk => void io.stdout.write(String(chunk))))
  const makeSink = sinkFor(out)
  await refuseTaken(out, force)
  await writeAtomically(out, { overwrite: force, signal: io.signal }, async append => {
    const sink = await makeSink(columns, append)
    await use(sink)
    await sink.end()
  })
  io.stderr.write(`wrote ${oneLine(out)}, ${formatBytes(await fileBytes(out))}\n`)
}

function sinkFor(out: string): MakeSink {
  const sink = sinks[/\.([^./\\]+)$/.exec(out)?.[1]?.toLowerCase() ?? '']
  if (sink) return sink
  throw new EngineError('UNKNOWN_NAME', `cannot write ${out}: cannot tell the format from its extension`, {
    hint: 'Name a .jsonl, .csv or .parquet file.',
  })
}

function jsonSink(_: readonly Column[], append: Append): AnswerSink {
  return {
    write: answers => append(answers.map(({ line }) => `${JSON.stringify(line)}\n`).join('')),
    end: async () => {},
  }
}
